/** The DocumentReference of the CCD, which is generated on request. It appears in responses but is not stored. */

import type { SmartPrincipal } from '../../auth/principal.ts'
import type { CcdDescription } from '../../ccd/ccd.ts'
import { ccdCode } from '../../contract/fhir/ccda-sections.ts'
import { identifierSystems, writtenCodes } from '../../contract/fhir/codes.ts'
import { parseDateInterval } from '../../contract/fhir/date-interval.ts'
import { basePlaceholder, profile } from '../../contract/fhir/type-row.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { Liveness } from '../../store/liveness.ts'
import type { StoredText } from '../page.ts'
import { checkGrant } from './ccda.ts'

const loinc = 'http://loinc.org'

/** The search parameters that the on-demand document must match. */
interface OnDemandQuery {
  /** Tokens, one of which must match; null for any type. */
  readonly type: string | null
  readonly start: string | null
  readonly end: string | null
}

/** Only callers who may read the whole chart see its document. */
export function mayBeOffered(principal: SmartPrincipal, patientId: string): boolean {
  try {
    checkGrant(principal, patientId)
    return true
  } catch (thrown) {
    if (isProblem(thrown)) return false
    throw thrown
  }
}

/** FHIR ids have at most 64 characters, so the document of a patient with a long id is only found by $docref. */
const prefix = 'ccd-'
const patientIdLengthMax = 64 - prefix.length

/**
 * Finds the current CCD by the id of its reference.
 * @param find describes the document or opens it
 * @returns `ccd: null` for any other id, and for a token that may not read the whole chart
 */
export async function findOnDemand<Found extends CcdDescription>(
  find: (
    practice: SmartPrincipal['practice'],
    patientId: string,
    liveness: Liveness,
  ) => Promise<{ readonly alive: boolean; readonly ccd: Found | null }>,
  principal: SmartPrincipal,
  liveness: Liveness,
  id: string,
): Promise<{ readonly alive: boolean; readonly ccd: Found | null }> {
  const patientId = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  if (patientId === '' || !mayBeOffered(principal, patientId)) return { alive: true, ccd: null }
  return find(principal.practice, patientId, liveness)
}

export function isOfType({ type }: OnDemandQuery): boolean {
  return (
    type === null ||
    type.split(',').some((token) => {
      const [system, code] = token.includes('|') ? token.split('|') : [loinc, token]
      return system === loinc && (code === '' || code === ccdCode.code)
    })
  )
}

/** Whether the document's period overlaps the requested period. */
export function isOfTime({ start, end }: OnDemandQuery, { period }: CcdDescription): boolean {
  const after = start === null ? null : parseDateInterval(start)
  const before = end === null ? null : parseDateInterval(end)
  return (
    (after === null || period.end.getTime() >= Date.parse(after.low)) &&
    (before === null || period.start.getTime() < Date.parse(before.high))
  )
}

/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-documentreference.html */
export function onDemandReference(ccd: CcdDescription): StoredText {
  const date = ccd.changedAt.toISOString()
  const isReadable = ccd.patientId.length <= patientIdLengthMax
  const id = isReadable ? `${prefix}${ccd.patientId}` : ccd.id
  const type = { coding: [{ system: loinc, ...ccdCode }], text: 'Continuity of Care Document' }
  const resource = {
    resourceType: 'DocumentReference',
    id,
    meta: {
      lastUpdated: date,
      profile: [profile('us-core-documentreference')],
      ...(ccd.labels.length > 0 && { security: ccd.labels }),
    },
    masterIdentifier: { system: identifierSystems.uri, value: `urn:uuid:${ccd.id}` },
    status: 'current',
    type,
    category: [{ coding: [writtenCodes.clinicalNote], text: writtenCodes.clinicalNote.display }],
    subject: { reference: `Patient/${ccd.patientId}` },
    date,
    description: 'The current CCD, generated on request',
    content: [
      {
        attachment: {
          contentType: 'application/xml',
          url: `${basePlaceholder}/Patient/${ccd.patientId}/$ccda`,
          title: 'Continuity of Care Document',
          creation: date,
        },
        format: {
          system: 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode',
          code: 'urn:hl7-org:sdwg:ccda-structuredBody:2.1',
          display: 'Documents following C-CDA 2.1 using a structured body',
        },
      },
    ],
    context: { period: { start: ccd.period.start.toISOString(), end: date } },
  }
  return {
    type: 'DocumentReference',
    id,
    content: JSON.stringify(resource),
    ...(!isReadable && { fullUrl: `urn:uuid:${ccd.id}` }),
  }
}
