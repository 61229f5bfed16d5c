/**
 * What we may say about ourselves, word for word: the sentences of the specification about status and fees, and nothing
 * beyond them. A page shows these constants; a test holds every page to them.
 */
type TrustStatement = Readonly<{
  title: string
  state: 'under_way' | 'remediation' | 'not_done'
  text: string
}>

export const trustStatements: readonly TrustStatement[] = [
  {
    title: 'Certification',
    state: 'under_way',
    text: 'Certification is in progress and the service is not yet on the public certified-products list.',
  },
  {
    title: 'Internal security assessment',
    state: 'remediation',
    text: 'An internal security assessment is complete with remediation ongoing.',
  },
  {
    title: 'Independent security review',
    state: 'not_done',
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

/** How data is handled, as the code does it. */
export const dataHandling: readonly Readonly<{ title: string; text: string }>[] = [
  {
    title: 'The FHIR API only reads',
    text: 'Create, update, patch, delete, batch and transaction are unsupported.',
  },
  {
    title: 'Every access is recorded',
    text: 'A practice’s access record has a row for every access to its records, written before the response is sent.',
  },
  {
    title: 'Query strings and bodies are not stored',
    text: 'Activity logs contain method, route, status, address, correlation ID and duration, also for refused requests.',
  },
  {
    title: 'The sandbox has no real patients',
    text: 'Every person in it is synthetic, and a sandbox credential never works in production.',
  },
  {
    title: 'Revoking takes effect on the next request',
    text: 'Each request checks that its token, grant, app and practice are still valid.',
  },
]
