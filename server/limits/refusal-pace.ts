/** A client that repeats refused requests without a pause waits for each further refusal, so that others do not. */
import { LRUCache } from 'lru-cache'
import { refusalPace } from '../contract/http/limits.ts'

const subjectsMax = 10_000

/**
 * @param now milliseconds of a clock that only goes forward
 * @returns counts a refusal, and gives the milliseconds by which its response is delayed
 */
export function createRefusalPace(now: () => number = () => performance.now()): (subject: string) => number {
  const counts = new LRUCache<string, { second: number; refusals: number }>({ max: subjectsMax })

  return (subject) => {
    const second = Math.floor(now() / 1_000)
    const known = counts.get(subject)
    const count = known?.second === second ? known : { second, refusals: 0 }
    count.refusals++
    counts.set(subject, count)
    return count.refusals > refusalPace.atOncePerSecond ? refusalPace.delayMs : 0
  }
}
