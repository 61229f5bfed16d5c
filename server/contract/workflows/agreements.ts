/** Agreements as data: kinds, sides, clauses, what a signature says, and how long things last. */

export const agreementKinds = {
  usage_agreement: 'Usage agreement',
  baa: 'Business associate agreement',
} as const
export type AgreementKind = keyof typeof agreementKinds

export const signingSides = {
  developer: 'Developer',
  practice: 'Practice',
  service: 'Sandpiper',
} as const
export type SigningSide = keyof typeof signingSides

/** Whose signatures make each executed. */
export const sidesOf = {
  usage_agreement: ['developer', 'service'],
  baa: ['developer', 'practice'],
} as const satisfies Record<AgreementKind, readonly SigningSide[]>

/** Our own side, as documents name it. */
export const serviceParty = {
  legalName: 'Sandpiper Health Records, Inc.',
  signatoryName: 'Sandpiper Agreements Desk',
  signatoryTitle: 'Authorized by policy',
} as const

export const agreementTimes = {
  /** Of silence while signatures are missing, in days. */
  silenceReminderDays: [7, 14, 21],
  stalledAfterDays: 30,
  withdrawnAfterDays: 60,
  /** Before the end of the term, in days. */
  expiryReminderDays: [30, 14, 7, 3, 1],
  /** A renewal may be offered this long before the end. */
  renewalWindowDays: 60,
  usageAgreementDays: 365,
  baaDaysMax: 1_096,
  returnOrDestroyDays: 30,
  retentionYears: 6,
} as const

/** What stands beside the box that a signer ticks; the signature keeps it word for word. */
export const signatureStatements = {
  authority:
    'I am authorized to bind the party that I sign for, and I sign this document with my typed legal name.',
  consent:
    'I agree to sign electronically. I have read the document, and I could save a copy before I signed.',
  policy: 'I accept the usage policy in the version named on this page.',
} as const

/** Clauses that an uploaded BAA must have (45 CFR 164.504(e)); both sides attest each. */
export const baaClauses = {
  permitted_uses: 'Says which uses and disclosures are permitted and required.',
  no_further_use: 'Forbids any use or disclosure beyond it or beyond the law.',
  safeguards: 'Asks for safeguards, and for the Security Rule with electronic data.',
  report: 'Asks to report uses outside the agreement, incidents and breaches, with a time.',
  subcontractors: 'Binds subcontractors to the same restrictions.',
  access: 'Makes data available for access by the individual.',
  amendment: 'Makes data available for amendment.',
  accounting: 'Makes available what an accounting of disclosures needs.',
  delegated: 'Where an obligation of the practice is carried out: keeps its rules.',
  books: 'Opens practices, books and records to the Secretary.',
  return_or_destroy: 'Returns or destroys all data at the end, or protects what cannot be.',
  termination: 'Lets the practice end it for a material breach.',
} as const
export type BaaClause = keyof typeof baaClauses
export const baaClauseNames = Object.keys(baaClauses) as readonly BaaClause[]

/** Where each clause is in the template; `template-clauses.test.ts` reads it there. */
export const templateClauses: Readonly<Record<BaaClause, string>> = {
  permitted_uses: 'Section 3, number 1',
  no_further_use: 'Section 4, number 1',
  safeguards: 'Section 4, number 2',
  report: 'Section 4, number 3',
  subcontractors: 'Section 4, number 4',
  access: 'Section 4, number 5',
  amendment: 'Section 4, number 6',
  accounting: 'Section 4, number 7',
  delegated: 'Section 4, number 8',
  books: 'Section 4, number 9',
  return_or_destroy: 'Section 7, number 1',
  termination: 'Section 6, number 2',
}

/** By clause: where a document of one's own has it. */
export type ClausePlaces = Readonly<Partial<Record<BaaClause, string>>>
export const clausePlaceMax = 80

/** As a row has it. */
export function toClausePlaces(stored: unknown): ClausePlaces {
  const known = Object.entries(stored ?? {}).filter(
    ([clause, place]) => Object.hasOwn(baaClauses, clause) && typeof place === 'string',
  )
  return Object.fromEntries(known)
}

export const returnOutcomes = {
  returned: 'All of the data was returned to the practice, and no copy was kept.',
  destroyed: 'All of the data was destroyed, in every copy and with every subcontractor.',
  infeasible: 'Some of the data can neither be returned nor destroyed; it stays protected as agreed.',
} as const
export type ReturnOutcome = keyof typeof returnOutcomes
