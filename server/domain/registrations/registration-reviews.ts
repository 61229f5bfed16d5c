/** Registrations as the staff see and decide them. */
export { metrics } from './figures.ts'
export { reinstate, retire, retry, suspend } from './ops-steps.ts'
export { getReview as get } from './read-review.ts'
export {
  approve,
  assign,
  claim,
  dismissRejection,
  note,
  proposeRejection,
  reject,
  requestInfo,
  validateConfiguration,
  verifyAuthenticity,
} from './reviews.ts'
