/**
 * What we may say about ourselves, word for word: the sentences of the specification about status and fees, and nothing
 * beyond them. A page shows these constants; a test holds every page to them.
 */
export const trustStatements: readonly Readonly<{ title: string; text: string }>[] = [
  {
    title: 'Certification',
    text: 'Certification is in progress and the service is not yet on the public certified-products list.',
  },
  {
    title: 'Internal security assessment',
    text: 'An internal security assessment is complete with remediation ongoing.',
  },
  {
    title: 'Independent security review',
    text: 'An independent external security review is not complete.',
  },
]

/** The interfaces that patients, clinicians and practices open: no fee of any kind. */
export const feeStatement = {
  none: 'No fee to patients, practices or developers for registration, testing, production access, calls or Bulk Data. No revenue share.',
  apart:
    'The agreement of the separate REST API does not apply to the FHIR API or to Bulk Data: an app needs no sponsor and no business associate agreement.',
} as const

/** What no page about FHIR may say, and what no page at all may claim. */
export const neverOnFhirPages = ['profit share'] as const
export const neverClaimed = [
  /\b(is|are|fully|already) certified\b/i,
  /\bHIPAA[- ](certified|compliant)\b/i,
  /\b(SOC ?2|HITRUST|ISO ?27001)\b/i,
  /\bindependently (reviewed|audited|assessed)\b/i,
  /\bpenetration[- ]tested\b/i,
] as const
