/** Refuses requests with 503 and `Retry-After` while this process is overloaded. */
import {
  delayBoundMs,
  probeHeader,
  sheddingReportedSeconds,
  type WorkClass,
  waitingMax,
  workClasses,
} from '../contract/http/load-shedding.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Keyring } from '../keyring.ts'
import { createLane, type Lane } from './lane.ts'
import type { LoadGauge } from './load-gauge.ts'

export type LoadShedding = {
  /**
   * Called before the request costs anything, its limits included. An anonymous or heavy request waits for its turn.
   * @param edge gets the class of a refused request, for the log and the metrics, and the end of its turn
   * @throws Problem `unavailable`
   */
  admit(
    edge: { shed: WorkClass | null; leave: (() => void) | null },
    headers: Headers,
    workClass: WorkClass,
  ): Promise<void> | void
  /** The same for a page of the portal, which may call the APIs while it has its turn: any number run at once. */
  admitPage: LoadShedding['admit']
  /** Seconds after which a request of this class may be sent again; null: it is admitted. */
  refusedSeconds(headers: Headers, workClass: WorkClass): number | null
  /** Whether a request was refused within the last 30 seconds. */
  isShedding(): boolean
}

type Options = {
  clock: () => Date
  gauge: LoadGauge
  keyring: Keyring
}

export function createLoadShedding({ clock, gauge, keyring }: Options): LoadShedding {
  let refusedAt = Number.NEGATIVE_INFINITY
  const lanes = new Map(
    Object.entries(workClasses).flatMap(([workClass, { atOnceMax }]) =>
      atOnceMax === null ? [] : [[workClass, createLane({ atOnceMax, waitingMax })] as const],
    ),
  )
  const pages = createLane({ atOnceMax: Number.POSITIVE_INFINITY, waitingMax })

  function refusedSeconds(headers: Headers, workClass: WorkClass): number | null {
    const { boundsOver, retryAfterSeconds } = workClasses[workClass]
    if (boundsOver === null || gauge.delayMs() < boundsOver * delayBoundMs) return null
    if (isProbe(keyring, clock(), headers.get(probeHeader))) return null
    refusedAt = clock().getTime()
    return retryAfterSeconds
  }

  function admitTo(laneOf: (workClass: WorkClass) => Lane | undefined): LoadShedding['admit'] {
    return (edge, headers, workClass) => {
      const refused = refusedSeconds(headers, workClass)
      if (refused !== null) refuse(edge, workClass, refused)
      const lane = laneOf(workClass)
      if (lane === undefined) return
      const turn = lane.enter()
      if (turn !== null)
        return turn.then((leave) => {
          edge.leave = leave
        })
      refusedAt = clock().getTime()
      refuse(edge, workClass, workClasses[workClass].retryAfterSeconds)
    }
  }

  return {
    refusedSeconds,
    admit: admitTo((workClass) => lanes.get(workClass)),
    admitPage: admitTo((workClass) => (lanes.has(workClass) ? pages : undefined)),
    isShedding: () => clock().getTime() - refusedAt < sheddingReportedSeconds * 1_000,
  }
}

function refuse(edge: { shed: WorkClass | null }, workClass: WorkClass, retryAfterSeconds: number): never {
  edge.shed = workClass
  throw new Problem('unavailable', { retryAfterSeconds, detail: 'overloaded' })
}

const probeContext = 'status probe'
const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000)

/** Identifies a status check to every process that has the keyring, for this minute and the next. */
export function probeMark(keyring: Pick<Keyring, 'mac'>, now: Date): string {
  return Buffer.from(keyring.mac(`${minuteOf(now)}`, probeContext)).toString('base64url')
}

function isProbe(keyring: Pick<Keyring, 'matchesMac'>, now: Date, mark: string | null): boolean {
  if (mark === null) return false
  const mac = Buffer.from(mark, 'base64url')
  return [0, -1].some((before) => keyring.matchesMac(`${minuteOf(now) + before}`, mac, probeContext))
}
