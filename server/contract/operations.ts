/**
 * The REST operations. A row makes the route, the validation, the OpenAPI path and the sweeps of the tests;
 * `rest/handlers.ts` does not compile without a handler for each.
 */
import { z } from 'zod'
import { parseDateInterval } from './date-interval.ts'
import type { FhirType } from './fhir-registry.ts'
import { limits } from './limits.ts'
import type { ProblemKind } from './problems.ts'
import { contextSchema, patientListSchema, patientSchema } from './records.ts'

export type OperationRow = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base; `{name}` is a parameter of the path. */
  path: string
  summary: string
  description: string
  tags: readonly [string, ...string[]]
  /** The key level it takes; `none` needs no key at all. */
  level: 'none' | 'any' | 'full'
  /** Parameters of the path. What does not parse is not found. */
  params?: z.ZodObject
  /** Parameters of the query. Any other is refused by its name. */
  query?: z.ZodObject
  body?: z.ZodType
  response: z.ZodType
  /** What the answer holds, in a sentence. */
  answers: string
  example: unknown
  /** Refusals besides those every operation has. */
  errors: readonly ProblemKind[]
  /** The answer holds protected health information: it waits for its row in the record of access. */
  phi: boolean
  /** How the practice's record of access names it. */
  access: Readonly<{ action: string; resourceType: FhirType | null }>
  deprecated?: true
}>

function defineOperation<const Row extends OperationRow>(row: Row): Row {
  return row
}

/** FHIR's own grammar of ids. https://hl7.org/fhir/R4/datatypes.html#id */
const resourceId = z.string().regex(/^[A-Za-z0-9\-.]{1,64}$/)

const count = (name: string, min: number, max: number, error: string) =>
  z
    .int({ error: `${name} ${error}` })
    .min(min, { error: `${name} ${error}` })
    .max(max, { error: `${name} ${error}` })

const text = (name: string, max: number) => {
  const error = `${name} must have 1 to ${max} characters, none of them a control character`
  return z
    .string({ error })
    .min(1, { error })
    .max(max, { error })
    .refine((value) => !/\p{Cc}/u.test(value), { error })
}

const dobError = 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd'

/** A person of the sandbox's pinned cast, so that the example can be tried. */
const patientExample = {
  id: 'pt-wren-testwell',
  mrn: 'SYN-004217',
  name: { family: 'Testwell', given: ['Wren'] },
  birthDate: '1971-04-09',
  sex: 'female',
  telecom: [
    { system: 'phone', value: '(207) 555-0142', use: 'mobile' },
    { system: 'email', value: 'wren.testwell@people.example', use: 'home' },
  ],
  address: [
    {
      use: 'home',
      line: ['12 Placeholder Avenue'],
      city: 'Samplehaven',
      state: 'ME',
      postalCode: '04999',
      country: 'US',
    },
  ],
  language: 'en',
  active: true,
  deceased: false,
  deceasedAt: null,
  lastUpdated: '2026-11-15T12:00:00.000Z',
} satisfies z.output<typeof patientSchema>

export const operations = {
  getContext: defineOperation({
    method: 'GET',
    path: '/context',
    summary: 'What the key resolves to',
    description: 'The practice the key is bound to, the key itself and its limits. A good first call.',
    tags: ['Context'],
    level: 'any',
    query: z.strictObject({}),
    response: contextSchema,
    answers: 'The practice and the key.',
    example: {
      practice: {
        id: 'sandpiper-demonstration',
        name: 'Sandpiper Demonstration Practice',
        environment: 'sandbox',
      },
      principal: {
        kind: 'api_key',
        keyPrefix: 'svc_t3kQ9xZa',
        keyName: 'Intake prototype',
        level: 'read_only',
        expiresAt: '2026-04-15T09:30:00.000Z',
      },
      limits: {
        key: { perSecond: 150, perMinute: 3_600 },
        practice: { perSecond: 400, perMinute: 12_000 },
      },
    } satisfies z.output<typeof contextSchema>,
    errors: [],
    phi: false,
    access: { action: 'context', resourceType: null },
  }),

  listPatients: defineOperation({
    method: 'GET',
    path: '/patients',
    summary: 'Search patients',
    description:
      'Patients of the practice, all of them or those that meet every parameter given. The order is by family name, given name and id, and stays the same from page to page.',
    tags: ['Patients'],
    level: 'any',
    query: z.strictObject({
      mrn: text('mrn', limits.mrnMax)
        .optional()
        .meta({ description: 'The medical record number, exactly.', examples: ['SYN-004217'] }),
      q: text('q', limits.searchTextMax)
        .optional()
        .meta({
          description:
            'The beginning of a family name, a given name, the full name in either order, or a medical record number; accents and letter case do not matter.',
          examples: ['testw'],
        }),
      dob: z
        .string({ error: dobError })
        .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, { error: dobError })
        .refine((value) => parseDateInterval(value) !== null, { error: dobError })
        .optional()
        .meta({
          description: 'Date of birth, or its beginning: a year, a month or a day.',
          examples: ['1971-04'],
        }),
      limit: count('limit', 1, limits.pageSizeMax, `must be a whole number from 1 to ${limits.pageSizeMax}`)
        .default(limits.pageSizeDefault)
        .meta({ description: 'Records in the page.' }),
      offset: count('offset', 0, limits.offsetMax, `must be a whole number from 0 to ${limits.offsetMax}`)
        .default(0)
        .meta({ description: 'Records to leave out before the first one.' }),
    }),
    response: patientListSchema,
    answers: 'One page of patients; an empty one when nobody matches.',
    example: { data: [patientExample], page: { limit: 25, offset: 0, hasMore: false } },
    errors: [],
    phi: true,
    access: { action: 'search', resourceType: 'Patient' },
  }),

  getPatient: defineOperation({
    method: 'GET',
    path: '/patients/{id}',
    summary: 'Read one patient',
    description: 'A patient of the practice the key is bound to. A record of another practice is not found.',
    tags: ['Patients'],
    level: 'any',
    params: z.object({
      id: resourceId.meta({ description: 'Id of the patient.', examples: ['pt-wren-testwell'] }),
    }),
    query: z.strictObject({}),
    response: patientSchema,
    answers: 'The patient.',
    example: patientExample,
    errors: ['not_found'],
    phi: true,
    access: { action: 'read', resourceType: 'Patient' },
  }),

  getOpenApi: defineOperation({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of this base. Needs no key.',
    tags: ['Description'],
    level: 'none',
    response: z.looseObject({ openapi: z.string() }).meta({ description: 'An OpenAPI 3.1 document.' }),
    answers: 'The OpenAPI document of this base.',
    example: { openapi: '3.1.0' },
    errors: [],
    phi: false,
    access: { action: 'describe', resourceType: null },
  }),
} as const satisfies Record<string, OperationRow>

export type Operations = typeof operations
export type OperationId = keyof Operations

export const operationIds = Object.keys(operations) as OperationId[]

type Parsed<Row, Part extends string> = Row extends { [K in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : Record<never, never>

/** What a handler gets: parsed, with defaults filled in. */
export type InputOf<Id extends OperationId> = {
  params: Parsed<Operations[Id], 'params'>
  query: Parsed<Operations[Id], 'query'>
  body: Operations[Id] extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined
}

/** What a handler gives. */
export type OutputOf<Id extends OperationId> = z.output<Operations[Id]['response']>
