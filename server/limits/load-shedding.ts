/** Refuses requests with 503 and `Retry-After` while this process is overloaded. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  delayBoundMs,
  loadWindow,
  probeHeader,
  sheddingReportedSeconds,
  type WorkClass,
  waitingMax,
  workClasses,
} from '../contract/http/load-shedding.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Keyring } from '../keyring.ts'

export type LoadShedding = {
  /**
   * Called first for every request, even before rate limits. An anonymous or heavy request waits for its turn.
   * @param edge gets the class of a refused request, for the log and the metrics, and the end of its turn
   * @throws Problem `unavailable`
   */
  admit(
    edge: { shed: WorkClass | null; leave: (() => void) | null },
    headers: Headers,
    workClass: WorkClass,
  ): Promise<void> | void
  /** The same for a page of the portal, without a limit on concurrency, because the page may call the APIs meanwhile. */
  admitPage: LoadShedding['admit']
  /** @returns the `Retry-After` seconds of a refused request; null if it is admitted */
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

  type Lane = ReturnType<typeof createLane>

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
export const probeMark = (keyring: Pick<Keyring, 'mac'>, now: Date): string =>
  Buffer.from(keyring.mac(`${minuteOf(now)}`, probeContext)).toString('base64url')

function isProbe(keyring: Pick<Keyring, 'matchesMac'>, now: Date, mark: string | null): boolean {
  if (mark === null) return false
  const mac = Buffer.from(mark, 'base64url')
  return [0, -1].some((before) => keyring.matchesMac(`${minuteOf(now) + before}`, mac, probeContext))
}

/**
 * A queue for work that must not delay other requests: only a few run at once, and each begins after the event loop has
 * handled what was ready. Callers with many such requests only wait for their own.
 */
export function createLane({ atOnceMax, waitingMax }: { atOnceMax: number; waitingMax: number }) {
  const waiting: (() => void)[] = []
  let atOnce = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || atOnce >= atOnceMax) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      atOnce++
      waiting.shift()?.()
      schedule()
    })
  }

  function leave(): void {
    atOnce--
    schedule()
  }

  return {
    /** @returns a function to call when the work is done; null if too many are waiting */
    enter(): Promise<() => void> | null {
      if (waiting.length >= waitingMax) return null
      return new Promise((resolve) => {
        waiting.push(() => resolve(leave))
        schedule()
      })
    },
  }
}

// Measures the delay of the event loop over the last seconds (contract/http/load-shedding.ts).

export type LoadGauge = {
  /** In milliseconds; 0 without a sustained delay. */
  delayMs(): number
  close(): void
}

/** For processes and tests that never shed load. */
export const noLoad: LoadGauge = { delayMs: () => 0, close: () => {} }

/** The interval of the measuring timer, which also wakes an idle process. */
const resolutionMs = 50

export function createLoadGauge(): LoadGauge {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  const sustained = createSustainedDelay()
  histogram.enable()
  const timer = setInterval(() => {
    sustained.add(histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - resolutionMs))
    histogram.reset()
  }, loadWindow.sampleMs).unref()
  return {
    delayMs: sustained.delayMs,
    close: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

const samplesOver = (loadWindow.secondsOver * 1_000) / loadWindow.sampleMs
const samplesBelow = (loadWindow.secondsBelow * 1_000) / loadWindow.sampleMs

/**
 * The least delay of the last two seconds, so that a single long task doesn't count. Once reached, it lasts until every
 * sample of two seconds is below half of it.
 */
export function createSustainedDelay() {
  const samples: number[] = []
  let held = 0

  function add(delayMs: number): void {
    samples.push(delayMs)
    if (samples.length > Math.max(samplesOver, samplesBelow)) samples.shift()
    const least = samples.length < samplesOver ? 0 : Math.min(...samples.slice(-samplesOver))
    held = Math.max(least, Math.min(held, 2 * Math.max(...samples.slice(-samplesBelow))))
  }

  return { add, delayMs: () => held }
}
