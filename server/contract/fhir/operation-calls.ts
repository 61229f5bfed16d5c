/** How the operations of the FHIR interface are called: their parameters, and what a token needs. */
import type { FhirOperationName } from './operations.ts'

export interface OperationInput {
  readonly name: string
  /** `types`: of the interface, any number of them; `flag`: true or false. */
  readonly kind: 'patient' | 'date' | 'instant' | 'types' | 'code' | 'flag' | 'number'
  readonly description: string
  readonly max?: number
  readonly example: string
}

export interface OperationCall {
  /**
   * `chart`: reading and searching every type of it without a filter; `ccd`: that, and reading the people named there;
   * else of the operation's own type, `docref` searching it and `read` reading it.
   */
  readonly needs: 'chart' | 'ccd' | 'docref' | 'read'
  /** What else must hold for a response, for every caller. */
  readonly provided?: string
  /** Of the answer. */
  readonly accept: string
  readonly inputs: readonly OperationInput[]
}

const care = [
  { name: 'start', kind: 'date', description: 'Care on or after this day.', example: '2024-01-01' },
  { name: 'end', kind: 'date', description: 'Care on or before this day.', example: '2026-12-31' },
] as const

const count = {
  name: '_count',
  kind: 'number',
  description: 'Resources per page.',
  max: 500,
  example: '10',
} as const

const fhirJson = 'application/fhir+json'

export const fhirOperationCalls = {
  everything: {
    needs: 'chart',
    accept: fhirJson,
    inputs: [
      { name: '_type', kind: 'types', description: 'Only these types.', example: 'Condition' },
      {
        name: '_since',
        kind: 'instant',
        description: 'Only resources changed after this time.',
        example: '2020-01-01T00:00:00Z',
      },
      ...care,
      count,
    ],
  },
  docref: {
    needs: 'docref',
    accept: fhirJson,
    inputs: [
      {
        name: 'patient',
        kind: 'patient',
        description: 'Patient whose documents are listed.',
        example: 'pt-wren-testwell',
      },
      ...care,
      {
        name: 'type',
        kind: 'code',
        description: 'Document type, a LOINC code; 34133-9 is the CCD.',
        example: '34133-9',
      },
      {
        name: 'on-demand',
        kind: 'flag',
        description: 'Only documents that are generated on request.',
        example: 'true',
      },
      count,
    ],
  },
  ccda: { needs: 'ccd', accept: 'application/xml', inputs: [] },
  attachment: {
    needs: 'read',
    provided: 'A document with embedded bytes has no separate attachment.',
    accept: '*/*',
    inputs: [
      {
        name: 'ordinal',
        kind: 'number',
        description: 'Which attachment, counting from 0.',
        max: 999,
        example: '0',
      },
    ],
  },
} as const satisfies Record<FhirOperationName, OperationCall>
