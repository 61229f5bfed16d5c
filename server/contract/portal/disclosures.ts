/**
 * What an accounting of disclosures lists and leaves out: 45 CFR 164.528,
 * https://www.ecfr.gov/current/title-45/section-164.528
 */
import type { Purpose } from '../rest/purposes.ts'

/** Disclosures that (a)(1) excepts and that the record of access can tell from others. */
export const disclosureExceptions = {
  care: {
    rule: '45 CFR 164.528(a)(1)(i)',
    words: 'Treatment, payment and health care operations, including quality assessment',
  },
  individual: {
    rule: '45 CFR 164.528(a)(1)(ii)',
    words: 'The patient’s own access, or a person acting for them',
  },
  authorization: { rule: '45 CFR 164.528(a)(1)(iv)', words: 'Apps that the patient authorized' },
} as const

export type DisclosureException = keyof typeof disclosureExceptions

/** By the purpose of an access; null: the rule wants it listed. */
const byPurpose: Record<Purpose, DisclosureException | null> = {
  operations: 'care',
  treatment: 'care',
  payment: 'care',
  // 45 CFR 164.501 counts quality assessment among health care operations.
  quality: 'care',
  public_health: null,
  patient_request: 'individual',
}

/** A purpose that is unknown here is listed: leaving too much out is the worse fault. */
export function exceptionOf(purpose: string, principalKind: string): DisclosureException | null {
  const exception = Object.hasOwn(byPurpose, purpose) ? byPurpose[purpose as Purpose] : null
  return exception === 'individual' && principalKind === 'smart_token' ? 'authorization' : exception
}

/** (a)(1): the six years before the request. */
export const disclosureYearsMax = 6
