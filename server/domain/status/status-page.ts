/**
 * The status page's snapshot. It is read at most every 30 seconds, whatever the traffic, and concurrent visitors share
 * one read. While the database does not respond, the last known history and incidents are shown with their age.
 */

import {
  type ComponentId,
  checkEverySeconds,
  checkStaleSeconds,
  componentIds,
} from '../../contract/status/components.ts'
import type { HistoryDay } from '../../contract/status/history.ts'
import type { PlatformStatusObject } from '../../contract/status/records.ts'
import type { Core } from '../core.ts'
import { sampleDataUntil } from '../operations/operations.ts'
import type { PublicIncident } from './incident-views.ts'
import * as views from './incident-views.ts'
import { toPlatformStatus } from './practice-status.ts'
import type { StatusBoard } from './status-board.ts'
import * as history from './status-history.ts'

export type StatusSnapshot = Readonly<{
  /** When the snapshot was read. */
  at: Date
  platform: PlatformStatusObject
  /** Whether this server started so recently that the first check may still be to come. */
  starting: boolean
  /** Whether the database responded. */
  reachable: boolean
  /** When each component entered its state, if it has a history. */
  since: Partial<Record<ComponentId, Date>>
  days: Record<ComponentId, HistoryDay[]>
  /** Incidents and maintenance that are open, in progress or announced. */
  open: readonly PublicIncident[]
  past: readonly PublicIncident[]
  /** When history and incidents were last read; null before the first read. */
  recordsAt: Date | null
  /** The end of a demonstration's sample history. */
  sampleDataUntil: Date | null
}>

type Records = Pick<StatusSnapshot, 'since' | 'days' | 'open' | 'past' | 'recordsAt' | 'sampleDataUntil'>

const keepMs = checkEverySeconds * 1_000

export function createStatusPage(core: Core, board: StatusBoard) {
  const { clock, env, log } = core
  let records: Records = {
    since: {},
    days: noDays(),
    open: [],
    past: [],
    recordsAt: null,
    sampleDataUntil: null,
  }
  const startedAt = clock().getTime()
  let reading: { at: number; snapshot: Promise<StatusSnapshot> } | null = null

  /** The snapshot, at most 30 seconds old. A failed read is not repeated earlier either. */
  function page(): Promise<StatusSnapshot> {
    const now = clock().getTime()
    if (reading === null || now - reading.at >= keepMs || now < reading.at)
      reading = { at: now, snapshot: read() }
    return reading.snapshot
  }

  async function read(): Promise<StatusSnapshot> {
    const at = clock()
    const current = await board.read()
    if (current.reachable) await readRecords(at)
    log.debug({ reachable: current.reachable }, 'the status page was read anew')
    const platform = toPlatformStatus(env, current)
    return {
      at,
      platform,
      starting: current.reachable && isStarting(platform, at),
      reachable: current.reachable,
      ...records,
    }
  }

  function isStarting({ services }: PlatformStatusObject, at: Date): boolean {
    const waits = at.getTime() - startedAt < checkStaleSeconds * 1_000
    return waits && services.every(({ status }) => status === 'not_available')
  }

  async function readRecords(at: Date): Promise<void> {
    try {
      const [days, since, incidents, sampleUntil] = await Promise.all([
        history.readDays(core, at),
        history.readSince(core),
        views.readIncidents(core),
        sampleDataUntil(core),
      ])
      records = { days, since, ...incidents, recordsAt: at, sampleDataUntil: sampleUntil }
    } catch (error) {
      log.warn({ err: error }, 'history and incidents of the status page are those read before')
    }
  }

  return page
}

function noDays(): Record<ComponentId, HistoryDay[]> {
  return Object.fromEntries(componentIds.map((id) => [id, []])) as unknown as Record<
    ComponentId,
    HistoryDay[]
  >
}
