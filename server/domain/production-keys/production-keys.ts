/** Production keys: asked for, vouched for, agreements signed, reviewed, claimed, and kept to what they stand on. */
export { appeal, renew, resubmit } from './answers.ts'
export { findClaim, reissue, reveal } from './claims.ts'
export { create, findPractice, reinvite, save, submit, withdraw } from './drafts.ts'
export { tick } from './due.ts'
export { begin } from './first-draft.ts'
export { get, list } from './reads.ts'
export { recertify } from './recertifications.ts'
export { recheckAllIn, reinstate, revoke, suspend } from './suspensions.ts'
