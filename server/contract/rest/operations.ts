/**
 * The REST operations. A row makes the route, the validation, the OpenAPI path and the sweeps of the tests;
 * `rest/handlers.ts` does not compile without a handler for each.
 */
import { z } from 'zod'
import { parseDateInterval } from '../fhir/date-interval.ts'
import type { FhirType } from '../fhir/registry.ts'
import type { Deprecation } from '../http/deprecation.ts'
import { heavyCosts, limits } from '../http/limits.ts'
import type { ProblemKind } from '../http/problems.ts'
import { described, newDocumentSchema, newEncounterSchema, newPatientSchema } from './bodies.ts'
import {
  contextSchema,
  documentSchema,
  encounterSchema,
  patientListSchema,
  patientSchema,
  practitionerListSchema,
  practitionerSchema,
} from './records.ts'

export type OperationRow = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base; `{name}` is a parameter of the path. */
  path: string
  summary: string
  description: string
  tags: readonly [string, ...string[]]
  /** The key level that the operation requires; `none`: it needs no key. */
  level: 'none' | 'any' | 'full'
  /** Path parameters. A value that does not parse gets a 404. */
  params?: z.ZodObject
  /** Query parameters. Any other is refused by name. */
  query?: z.ZodObject
  body?: z.ZodType
  bodyExample?: unknown
  /** Status of the success response; 200 by default. */
  status?: 201
  /** Path of the created record for `Location`; `{id}` is its id. Left out if no operation reads it. */
  locationPath?: string
  response: z.ZodType
  /** Media types of a text response, the default first. Left out: the response is JSON. */
  mediaTypes?: readonly [string, ...string[]]
  /** Describes the response in a sentence. */
  answers: string
  example: unknown
  /** Responses with other statuses; without a schema, the body is empty. A refusal may have the same status. */
  otherResponses?: Readonly<Record<number, Readonly<{ description: string; response?: z.ZodType }>>>
  /** Refusals besides those every operation has. */
  errors: readonly ProblemKind[]
  /** The response holds protected health information: it is sent once its row in the record of access is committed. */
  phi: boolean
  /** How the practice's record of access names the request. */
  access: Readonly<{ action: string; resourceType: FhirType | null }>
  /** What one request costs in the rate limit window `heavy`. Left out: it costs nothing there. */
  heavy?: number
  /** Left out unless the end of the operation is announced. */
  deprecation?: Deprecation
}>

const defineOperation = <const Row extends OperationRow>(row: Row): Row => row

/** FHIR's own grammar of ids. https://hl7.org/fhir/R4/datatypes.html#id */
const resourceId = z.string().regex(/^[A-Za-z0-9\-.]{1,64}$/)

const integer = (name: string, min: number, max: number, error: string) =>
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

const pageParameters = {
  limit: integer('limit', 1, limits.pageSizeMax, `must be a whole number from 1 to ${limits.pageSizeMax}`)
    .default(limits.pageSizeDefault)
    .meta({ description: 'Records per page.' }),
  offset: integer('offset', 0, limits.offsetMax, `must be a whole number from 0 to ${limits.offsetMax}`)
    .default(0)
    .meta({ description: 'Records to skip before the first one.' }),
}

const idOf = (what: string, example: string) =>
  z.object({ id: resourceId.meta({ description: `Id of the ${what}.`, examples: [example] }) })

/** Errors of every operation that reads a body. */
const bodyErrors = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const

const dobError = 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd'

/** A clinician of the sandbox's pinned cast. */
const practitionerExample = {
  id: 'pr-ines-placeholder',
  npi: '2999042171',
  name: { family: 'Placeholder', given: ['Ines'] },
  active: true,
  telecom: [
    { system: 'phone', value: '(207) 555-0110', use: 'work' },
    { system: 'email', value: 'ines.placeholder@clinic.example', use: 'work' },
  ],
  address: [
    {
      use: 'work',
      line: ['1 Example Square'],
      city: 'Samplehaven',
      state: 'ME',
      postalCode: '04999',
      country: 'US',
    },
  ],
  specialties: [
    {
      system: 'http://nucc.org/provider-taxonomy',
      code: '207Q00000X',
      display: 'Family Medicine Physician',
    },
  ],
  locationIds: ['loc-main'],
  lastUpdated: '2026-11-15T12:00:00.000Z',
} satisfies z.output<typeof practitionerSchema>

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

const newPatientExample = {
  name: { family: 'Samplewood', given: ['Juniper', 'Mae'] },
  birthDate: '1988-02-17',
  sex: 'female',
  telecom: [{ system: 'phone', value: '(207) 555-0177', use: 'mobile' }],
  address: [
    {
      use: 'home',
      line: ['7 Sample Street'],
      city: 'Samplehaven',
      state: 'ME',
      postalCode: '04999',
      country: 'US',
    },
  ],
  language: 'en',
} satisfies z.input<typeof newPatientSchema>

export const operations = {
  getContext: defineOperation({
    method: 'GET',
    path: '/context',
    summary: 'Read the key’s context',
    description: 'The practice the key belongs to, the key itself and its limits. A good first call.',
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
        dataClasses: null,
        purposes: null,
        expiresAt: '2026-04-15T09:30:00.000Z',
      },
      limits: {
        key: { perSecond: 150, perMinute: 3_600 },
        practice: { perSecond: 400, perMinute: 12_000 },
        caps: null,
      },
    } satisfies z.output<typeof contextSchema>,
    errors: [],
    phi: false,
    access: { action: 'context', resourceType: null },
  }),

  listPractitioners: defineOperation({
    method: 'GET',
    path: '/practitioners',
    summary: 'List the practice’s providers',
    description:
      'Providers of the practice, or those that match `q`. With `q`, the closest matches come first; without it, they are ordered by family name, given name and ID.',
    tags: ['Practitioners'],
    level: 'any',
    query: z.strictObject({
      q: text('q', limits.searchTextMax)
        .optional()
        .meta({
          description:
            'The beginning of a family name, a given name, the full name in either order, or an NPI. Accents and case don’t matter.',
          examples: ['plac'],
        }),
      ...pageParameters,
    }),
    response: practitionerListSchema,
    answers: 'A page of matching practitioners, or an empty list.',
    example: { data: [practitionerExample], page: { limit: 25, offset: 0, hasMore: false } },
    errors: [],
    phi: false,
    access: { action: 'search', resourceType: 'Practitioner' },
  }),

  getPractitioner: defineOperation({
    method: 'GET',
    path: '/practitioners/{id}',
    summary: 'Read one practitioner',
    description: 'A provider of the key’s practice.',
    tags: ['Practitioners'],
    level: 'any',
    params: idOf('practitioner', 'pr-ines-placeholder'),
    query: z.strictObject({}),
    response: practitionerSchema,
    answers: 'The practitioner.',
    example: practitionerExample,
    errors: ['not_found'],
    phi: false,
    access: { action: 'read', resourceType: 'Practitioner' },
  }),

  listLocationProviders: defineOperation({
    method: 'GET',
    path: '/locations/{id}/providers',
    summary: 'List the providers at a location',
    description:
      'Providers who work at one location of the practice, ordered by family name, given name and ID.',
    tags: ['Practitioners'],
    level: 'any',
    params: idOf('location', 'loc-main'),
    query: z.strictObject({ ...pageParameters }),
    response: practitionerListSchema,
    answers: 'One page of practitioners; empty if no one works there.',
    example: { data: [practitionerExample], page: { limit: 25, offset: 0, hasMore: false } },
    errors: ['not_found'],
    phi: false,
    access: { action: 'search', resourceType: 'Practitioner' },
  }),

  listPatients: defineOperation({
    method: 'GET',
    path: '/patients',
    summary: 'Search patients',
    description:
      'Patients of the practice, or those that match all parameters. With `q`, exact names come first, then partial matches. Without it, they are ordered by family name, given name and ID. Either order is stable across pages.',
    tags: ['Patients'],
    level: 'any',
    query: z.strictObject({
      mrn: described(text('mrn', limits.mrnMax).optional(), 'The exact medical record number.', 'SYN-004217'),
      q: text('q', limits.searchTextMax)
        .optional()
        .meta({
          description:
            'The beginning of a family name, a given name, the full name in either order, or a medical record number. Accents and case don’t matter.',
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
      ...pageParameters,
    }),
    response: patientListSchema,
    answers: 'A page of matching patients, or an empty list.',
    example: { data: [patientExample], page: { limit: 25, offset: 0, hasMore: false } },
    errors: ['class_not_allowed'],
    phi: true,
    access: { action: 'search', resourceType: 'Patient' },
  }),

  getPatient: defineOperation({
    method: 'GET',
    path: '/patients/{id}',
    summary: 'Read one patient',
    description: 'A patient of the key’s practice. Records of other practices return 404.',
    tags: ['Patients'],
    level: 'any',
    params: idOf('patient', 'pt-wren-testwell'),
    query: z.strictObject({}),
    response: patientSchema,
    answers: 'The patient.',
    example: patientExample,
    errors: ['class_not_allowed', 'not_found'],
    phi: true,
    access: { action: 'read', resourceType: 'Patient' },
  }),

  getCcda: defineOperation({
    method: 'GET',
    path: '/patients/{id}/ccda',
    summary: 'Read the current CCD of a patient (beta)',
    description:
      'The patient’s Continuity of Care Document, C-CDA R2.1, generated from the chart on request. The bytes are identical until the chart changes. With `Accept: text/html` the response is a readable page with the same sections. The document is streamed; a truncated response is not a complete document.',
    tags: ['Patients'],
    level: 'any',
    params: idOf('patient', 'pt-wren-testwell'),
    query: z.strictObject({}),
    response: z.string(),
    mediaTypes: ['application/xml', 'text/html'],
    answers: 'The document.',
    example:
      '<?xml version="1.0" encoding="UTF-8"?><ClinicalDocument xmlns="urn:hl7-org:v3">…</ClinicalDocument>',
    errors: ['class_not_allowed', 'not_found'],
    phi: true,
    access: { action: 'ccda', resourceType: 'Patient' },
    heavy: heavyCosts.ccd,
  }),

  createPatient: defineOperation({
    method: 'POST',
    path: '/patients',
    summary: 'Create a patient',
    description:
      'Creates a patient at the practice, visible to every interface from the next request. Send an `Idempotency-Key` so that a repeated request doesn’t create a second patient.',
    tags: ['Patients'],
    level: 'full',
    query: z.strictObject({}),
    body: newPatientSchema,
    bodyExample: newPatientExample,
    status: 201,
    locationPath: '/patients/{id}',
    response: patientSchema,
    answers: 'The patient, with its ID and, if none was sent, its new medical record number.',
    example: {
      id: '5f0c2a52-6a0e-4f0e-9a3b-2f8f6d1c9b7e',
      mrn: 'SYN-7K2M9QXD',
      ...newPatientExample,
      active: true,
      deceased: false,
      deceasedAt: null,
      lastUpdated: '2026-11-20T17:00:00.000Z',
    } satisfies z.output<typeof patientSchema>,
    errors: [...bodyErrors, 'class_not_allowed'],
    phi: true,
    access: { action: 'create', resourceType: 'Patient' },
  }),

  createEncounter: defineOperation({
    method: 'POST',
    path: '/encounters',
    summary: 'Start an encounter',
    description:
      'Starts an encounter for a patient of the practice; its status is in-progress. The patient, the practitioner and the location must belong to the practice.',
    tags: ['Encounters'],
    level: 'full',
    query: z.strictObject({}),
    body: newEncounterSchema,
    bodyExample: {
      patientId: 'pt-wren-testwell',
      practitionerId: 'pr-ines-placeholder',
      locationId: 'loc-main',
      class: 'AMB',
      type: '185345009',
      reason: 'Cough for two weeks',
    } satisfies z.input<typeof newEncounterSchema>,
    status: 201,
    response: encounterSchema,
    answers: 'The encounter.',
    example: {
      id: 'b1a7a8e5-2f0d-4b57-8c65-0c4d3d1f8a11',
      patientId: 'pt-wren-testwell',
      practitionerId: 'pr-ines-placeholder',
      locationId: 'loc-main',
      status: 'in-progress',
      class: {
        system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
        code: 'AMB',
        display: 'ambulatory',
      },
      type: {
        system: 'http://snomed.info/sct',
        code: '185345009',
        display: 'Encounter for symptom (procedure)',
      },
      reason: 'Cough for two weeks',
      start: '2026-11-20T17:00:00.000Z',
      end: null,
      lastUpdated: '2026-11-20T17:00:00.000Z',
    } satisfies z.output<typeof encounterSchema>,
    errors: [...bodyErrors, 'class_not_allowed'],
    phi: true,
    access: { action: 'create', resourceType: 'Encounter' },
  }),

  createDocument: defineOperation({
    method: 'POST',
    path: '/documents',
    summary: 'Register a document',
    description:
      'Registers the metadata of a patient’s document. Its bytes are not sent here: FHIR’s `DocumentReference/{id}/$attachment` returns 404 until the practice has them.',
    tags: ['Documents'],
    level: 'full',
    query: z.strictObject({}),
    body: newDocumentSchema,
    bodyExample: {
      patientId: 'pt-wren-testwell',
      title: 'Letter of referral, dermatology',
      type: '57133-1',
      contentType: 'application/pdf',
      size: 48_213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      authoredAt: '2026-11-19T16:05:00-05:00',
      authorId: 'pr-ines-placeholder',
    } satisfies z.input<typeof newDocumentSchema>,
    status: 201,
    response: documentSchema,
    answers: 'The registered document.',
    example: {
      id: '0d7c4d6e-8a4b-4a52-b3fd-3a0f3e5d7a20',
      patientId: 'pt-wren-testwell',
      encounterId: null,
      title: 'Letter of referral, dermatology',
      type: { system: 'http://loinc.org', code: '57133-1', display: 'Referral note' },
      contentType: 'application/pdf',
      size: 48_213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      authoredAt: '2026-11-19T16:05:00-05:00',
      authorId: 'pr-ines-placeholder',
      status: 'current',
      lastUpdated: '2026-11-20T17:00:00.000Z',
    } satisfies z.output<typeof documentSchema>,
    errors: [...bodyErrors, 'class_not_allowed'],
    phi: true,
    access: { action: 'create', resourceType: 'DocumentReference' },
  }),

  getOpenApi: defineOperation({
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document',
    description: 'The OpenAPI 3.1 description of this base URL. Needs no key.',
    tags: ['Description'],
    level: 'none',
    response: z.looseObject({ openapi: z.string() }).meta({ description: 'An OpenAPI 3.1 document.' }),
    answers: 'The OpenAPI document of this base URL.',
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

/** A handler's input: parsed, with defaults filled in. */
export type InputOf<Id extends OperationId> = {
  params: Parsed<Operations[Id], 'params'>
  query: Parsed<Operations[Id], 'query'>
  body: Operations[Id] extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined
}

export type OutputOf<Id extends OperationId> = z.output<Operations[Id]['response']>
