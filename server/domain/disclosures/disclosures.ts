/** Accountings of disclosures, for the admins of a practice. */
export { account } from './accounting.ts'
export { findPatients } from './find-patients.ts'
export { issue } from './issue-accounting.ts'
