/** Delays refusals for a client that repeats refused requests without a pause, to protect other clients. */
import { LRUCache } from 'lru-cache'
import { refusalPace } from '../contract/http/limits.ts'

const subjectsMax = 10_000

/**
 * @param now milliseconds of a monotonic clock
 * @returns a function that counts a refusal and returns its delay in milliseconds
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
