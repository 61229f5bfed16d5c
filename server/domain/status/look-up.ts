/**
 * The practice look-up of the status page: the answers of the Status API, out of the same budget. Whoever looks up by
 * the page spends what their own address has there, not what the server's has.
 */
import { limits } from '../../contract/http/limits.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { PracticeStatusObject } from '../../contract/status/records.ts'
import type { Core } from '../core.ts'

export type LookUp =
  | { kind: 'answered'; practice: PracticeStatusObject }
  | { kind: 'invalid'; message: string }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  /** The database is away, and this practice was not looked up before. */
  | { kind: 'unavailable' }

export async function lookUp(
  { takeStatusWindow, practiceStatus }: Core,
  id: string,
  { ip }: { ip: string },
): Promise<LookUp> {
  const decision = await takeStatusWindow(ip)
  if (!decision.admitted) return { kind: 'rate_limited', retryAfterSeconds: decision.retryAfterSeconds }
  const { length } = [...id]
  if (length === 0 || length > limits.practiceIdMax || id.includes('\0'))
    return { kind: 'invalid', message: `Enter a practice ID of 1 to ${limits.practiceIdMax} characters.` }
  try {
    return { kind: 'answered', practice: await practiceStatus(id) }
  } catch (error) {
    if (isProblem(error) && error.kind === 'unavailable') return { kind: 'unavailable' }
    throw error
  }
}
