import { Problem } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import type { Limiter } from './windows.ts'

/** Counts a CCD against its credential. @throws Problem `rate_limited` */
export async function takeDocumentWindow(credential: string, limiter: Limiter): Promise<void> {
  const decision = await limiter.take([{ window: 'document', subject: credential }])
  if (decision.admitted) return
  const { retryAfterSeconds } = decision
  const detail: RefusalReason = 'rate_limited_documents'
  throw new Problem('rate_limited', { retryAfterSeconds, detail })
}
