/** How late the event loop of this process is, over the last seconds (`contract/http/load-shedding.ts`). */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { loadWindow } from '../contract/http/load-shedding.ts'

export type LoadGauge = {
  /** Milliseconds; 0 while there is nothing to worry about. */
  delayMs(): number
  close(): void
}

/** For processes and tests that refuse nothing. */
export const noLoad: LoadGauge = { delayMs: () => 0, close: () => {} }

/** A timer runs this often to be measured. */
const resolutionMs = 20

export function createLoadGauge(
  histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs }),
): LoadGauge {
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
