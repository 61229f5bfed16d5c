/** Agreements: offered, negotiated, signed, in force, ended; and what pages show of them. */
export { tick } from './due.ts'
export { attest, openReturnTask, terminate } from './endings.ts'
export { covering, inForce } from './in-force.ts'
export { edit, reject, resume, withdraw, withdrawOpen } from './negotiation.ts'
export { offer, replace as amend } from './offers.ts'
export {
  findNextToSign,
  findOwnBaa,
  listForCounterSignature,
  listForOperations,
  listForOrganization,
  listForPractice,
  listForRequest,
  pageForOrganization,
  pageForPractice,
  read,
  readFile,
} from './read-agreements.ts'
export { nameSignatory } from './signatories.ts'
export { counterSign, sign } from './signing.ts'
export { verify } from './verify-document.ts'
