/**
 * What the status page shows, read once every 30 seconds whatever the traffic: everybody who comes meanwhile is given
 * the same, and those who come while it is read wait for that one reading. While the database is away the last known
 * history and incidents are shown, with their age.
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
  /** When it was read. */
  at: Date
  platform: PlatformStatusObject
  /** Nothing was checked since this server began, and it began so lately that nothing could be amiss. */
  starting: boolean
  /** Whether the database answered. */
  reachable: boolean
  /** Since when each component is as it is, as far as it was written down. */
  since: Partial<Record<ComponentId, Date>>
  days: Record<ComponentId, HistoryDay[]>
  /** Open, in progress or announced. */
  open: readonly PublicIncident[]
  past: readonly PublicIncident[]
  /** When history and incidents were read; null: never yet. */
  recordsAt: Date | null
  /** Of a demonstration: what is older than this did not happen. */
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
  const begun = clock().getTime()
  let reading: { at: number; snapshot: Promise<StatusSnapshot> } | null = null

  /** Never later than the last reading by 30 seconds; one that failed is not tried again before that. */
  function page(): Promise<StatusSnapshot> {
    const now = clock().getTime()
    if (reading === null || now - reading.at >= keepMs || now < reading.at)
      reading = { at: now, snapshot: read() }
    return reading.snapshot
  }

  async function read(): Promise<StatusSnapshot> {
    const at = clock()
    const seen = await board.read()
    if (seen.reachable) await readRecords(at)
    log.debug({ reachable: seen.reachable }, 'the status page was read anew')
    const platform = toPlatformStatus(env, seen)
    return {
      at,
      platform,
      starting: seen.reachable && isStarting(platform, at),
      reachable: seen.reachable,
      ...records,
    }
  }

  function isStarting({ services }: PlatformStatusObject, at: Date): boolean {
    const waits = at.getTime() - begun < checkStaleSeconds * 1_000
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
