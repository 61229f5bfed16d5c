/**
 * The operations of the FHIR interface beside read and search-type: where each answers, and what it is recorded as.
 * https://hl7.org/fhir/R4/operations.html
 */
import type { Deprecation } from '../http/deprecation.ts'
import { heavyCosts } from '../http/limits.ts'
import type { FhirType } from './registry.ts'

export interface FhirOperationRow {
  /** Without `$`. */
  readonly name: string
  readonly type: FhirType
  /** `instance` stands behind an id. */
  readonly level: 'type' | 'instance'
  readonly definition: string
  readonly documentation: string
  /** What one request counts in the window `heavy`. Left out: it is no heavier than a search. */
  readonly heavy?: number
  /** When it ends. Left out: no end is announced. */
  readonly deprecation?: Deprecation
}

const row = (each: FhirOperationRow): FhirOperationRow => each

export const fhirOperations = {
  everything: row({
    name: 'everything',
    type: 'Patient',
    level: 'instance',
    definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
    heavy: heavyCosts.everything,
    documentation:
      'The complete chart of one patient, for tokens that may read and search every type in it without a filter. ' +
      'Parameters: _type, _since, start, end, _count. _type may be repeated. The response is paged.',
  }),
  docref: row({
    name: 'docref',
    type: 'DocumentReference',
    level: 'type',
    definition: 'http://hl7.org/fhir/us/core/OperationDefinition/docref',
    documentation:
      'References to one patient’s documents, and to the current CCD (LOINC 34133-9), which is generated on ' +
      'request and needs access to the complete chart. Parameters: patient, start, end, type, on-demand. ' +
      'Filtering by document profile is refused. The response contains references only, no included resources.',
  }),
  ccda: row({
    name: 'ccda',
    type: 'Patient',
    level: 'instance',
    definition: 'https://sandpiper.example/fhir/OperationDefinition/Patient-ccda',
    heavy: heavyCosts.ccd,
    documentation:
      'The current CCD of one patient as C-CDA R2.1 (beta), for tokens that may read and search the complete chart. ' +
      'No parameters. Returns what the attachment.url of an on-demand DocumentReference points to; with ' +
      'Accept: text/html, a page with the same sections.',
  }),
  attachment: row({
    name: 'attachment',
    type: 'DocumentReference',
    level: 'instance',
    definition: 'https://sandpiper.example/fhir/OperationDefinition/DocumentReference-attachment',
    documentation:
      'The original bytes of a document in their own content type, whole or by range, whether they are stored separately ' +
      '(attachment.url) or embedded (attachment.data). For the on-demand document of $docref: the current CCD.',
  }),
} as const

/** Operations that another interface of the same base serves. The CapabilityStatement lists them too. */
export const bulkOperations = {
  export: row({
    name: 'export',
    type: 'Group',
    level: 'instance',
    definition: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export',
    documentation:
      'Bulk Data export of the practice’s population as NDJSON, for backend tokens. Parameters: _type, _since, ' +
      '_outputFormat. Needs Accept: application/fhir+json and Prefer: respond-async.',
  }),
} as const

export type FhirOperationName = keyof typeof fhirOperations

/** The operation that answers at a path, or null. */
export function findFhirOperation(
  type: FhirType,
  level: FhirOperationRow['level'],
  name: string,
): FhirOperationName | null {
  if (!Object.hasOwn(fhirOperations, name)) return null
  const operation = name as FhirOperationName
  const { type: its, level: at } = fhirOperations[operation]
  return its === type && at === level ? operation : null
}
