import { Problem } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { Limiter } from './windows.ts'

/** Counts a heavy request against its credential. @throws Problem `rate_limited` */
export async function takeHeavyWindow(limiter: Limiter, credential: string, cost: number): Promise<void> {
  const decision = await limiter.take([{ window: 'heavy', subject: credential, cost }])
  if (decision.admitted) return
  const { retryAfterSeconds } = decision
  const detail: RefusalReason = 'rate_limited_heavy'
  throw new Problem('rate_limited', { retryAfterSeconds, detail })
}
