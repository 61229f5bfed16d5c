/**
 * The records of the REST API. Where the specification shows no field, what a practice needs and FHIR
 * carries; absent values are `null`, so that every record has every field.
 */
import { z } from 'zod'
import { restCodes } from '../http/problems.ts'
import { dataClassNames } from '../keys/data-classes.ts'
import { described } from './bodies.ts'
import { errorPage } from './error-codes.ts'
import { purposeNames } from './purposes.ts'

/** Schemas that are components of the OpenAPI document, under these names. */
export const components = z.registry<{ id: string }>()

const text = (description: string, example?: string) => described(z.string(), description, example)
const textOrNull = (description: string, example?: string) =>
  described(z.string().nullable(), description, example)

/** As precise as it is known: `1971-04-09`, `1971-04` or `1971`. */
const partialDate = () =>
  z.union([z.string().meta({ format: 'date' }), z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/)])

const isoMoment = (description: string) =>
  z.string().meta({ description, format: 'date-time', examples: ['2026-01-15T09:30:00.000Z'] })

const humanNameSchema = z
  .object({
    family: textOrNull('Family name.', 'Testwell'),
    given: described(z.array(z.string()), 'Given names, first one first.', ['Wren', 'Ada']),
  })
  .meta({ description: 'The current name.' })
  .register(components, { id: 'HumanName' })

const telecomSchema = z
  .object({
    system: z
      .enum(['phone', 'email', 'fax', 'pager', 'url', 'sms', 'other'])
      .meta({ description: 'Kind of contact.' }),
    value: text('Number or address.', '(207) 555-0142'),
    use: described(z.enum(['home', 'work', 'temp', 'old', 'mobile']).nullable(), 'Use, such as home.'),
  })
  .meta({ description: 'One contact detail.' })
  .register(components, { id: 'Telecom' })

const addressSchema = z
  .object({
    use: described(z.enum(['home', 'work', 'temp', 'old', 'billing']).nullable(), 'Use, such as home.'),
    line: described(z.array(z.string()), 'Street lines.', ['12 Placeholder Avenue', 'Apt 3']),
    city: textOrNull('City.', 'Samplehaven'),
    state: textOrNull('State or region; in the US two letters.', 'ME'),
    postalCode: textOrNull('Postal code.', '04999'),
    country: textOrNull('Country.', 'US'),
  })
  .meta({ description: 'A postal address.' })
  .register(components, { id: 'Address' })

export const patientSchema = z
  .object({
    id: text('Patient ID, the same as in FHIR.', 'pt-wren-testwell'),
    mrn: textOrNull('Medical record number, unique in the practice.', 'SYN-004217'),
    name: humanNameSchema,
    birthDate: partialDate()
      .nullable()
      .meta({
        description: 'Date of birth: a day, or a month or year if that is all that is known.',
        examples: ['1971-04-09'],
      }),
    sex: z
      .enum(['male', 'female', 'other', 'unknown'])
      .meta({ description: 'Administrative sex; FHIR’s gender. `unknown` if nothing is recorded.' }),
    telecom: z.array(telecomSchema).meta({ description: 'Contact details, preferred one first.' }),
    address: z.array(addressSchema).meta({ description: 'Addresses, current one first.' }),
    language: textOrNull('Preferred language, a BCP 47 tag.', 'en'),
    active: z.boolean().meta({ description: 'False if the record is no longer in use.' }),
    deceased: z.boolean().meta({ description: 'True if the patient has died.' }),
    deceasedAt: textOrNull('When the patient died, as precisely as recorded.', '2024-06-30'),
    lastUpdated: isoMoment('When the record last changed.'),
  })
  .meta({ description: 'A patient of the practice.' })
  .register(components, { id: 'Patient' })

export type PatientRecord = z.output<typeof patientSchema>

const pageSchema = z
  .object({
    limit: z.int().meta({ description: 'Requested page size.', examples: [25] }),
    offset: z.int().meta({ description: 'Records skipped before the first one.', examples: [0] }),
    hasMore: z.boolean().meta({ description: 'True when another page follows.' }),
  })
  .meta({ description: 'Position of the page.' })
  .register(components, { id: 'Page' })

/** The envelope of every list. */
const listOf = <Item extends z.ZodType>(item: Item, order: string) =>
  z.object({ data: z.array(item).meta({ description: order }), page: pageSchema })

export const patientListSchema = listOf(
  patientSchema,
  'With `q`, the closest match first; otherwise ordered by family name, given name and ID.',
)
  .meta({ description: 'One page of patients.' })
  .register(components, { id: 'PatientList' })

const codingSchema = z
  .object({
    system: textOrNull('URI of the code system.', 'http://snomed.info/sct'),
    code: textOrNull('The code.', '185345009'),
    display: textOrNull('Meaning, for display.', 'Encounter for symptom (procedure)'),
  })
  .meta({ description: 'A coded value.' })
  .register(components, { id: 'Coding' })

export const practitionerSchema = z
  .object({
    id: text('Practitioner ID, the same as in FHIR.', 'pr-ines-placeholder'),
    npi: textOrNull('National Provider Identifier.', '2999042171'),
    name: humanNameSchema,
    active: z.boolean().meta({ description: 'False for a person who has left.' }),
    telecom: z.array(telecomSchema).meta({ description: 'The practitioner’s contact details.' }),
    address: z.array(addressSchema).meta({ description: 'Postal addresses of the workplaces.' }),
    specialties: z
      .array(codingSchema)
      .meta({ description: 'What the practitioner does in this practice, without duplicates.' }),
    locationIds: z.array(z.string()).meta({
      description: 'Where the practitioner works: IDs for `/locations/{id}/providers`.',
      examples: [['loc-main']],
    }),
    lastUpdated: isoMoment('When the record last changed.'),
  })
  .meta({ description: 'A provider of the practice.' })
  .register(components, { id: 'Practitioner' })

export type PractitionerRecord = z.output<typeof practitionerSchema>

export const practitionerListSchema = listOf(
  practitionerSchema,
  'With `q`, the closest match first; otherwise ordered by family name, given name and ID.',
)
  .meta({ description: 'One page of practitioners.' })
  .register(components, { id: 'PractitionerList' })

export const encounterSchema = z
  .object({
    id: text('Encounter ID, the same as in FHIR.', 'en-1'),
    patientId: text('Patient of the encounter.', 'pt-wren-testwell'),
    practitionerId: textOrNull('Practitioner who sees the patient.', 'pr-ines-placeholder'),
    locationId: textOrNull('Location.', 'loc-main'),
    status: z
      .enum([
        'planned',
        'arrived',
        'triaged',
        'in-progress',
        'onleave',
        'finished',
        'cancelled',
        'entered-in-error',
        'unknown',
      ])
      .meta({ description: 'FHIR status; `in-progress` from its start.' }),
    class: codingSchema,
    type: codingSchema,
    reason: textOrNull('Reason for the visit, as text.', 'Cough for two weeks'),
    start: isoMoment('Start.').nullable(),
    end: isoMoment('End; null while it lasts.').nullable(),
    lastUpdated: isoMoment('When the record last changed.'),
  })
  .meta({ description: 'An encounter of a patient with the practice.' })
  .register(components, { id: 'Encounter' })

export type EncounterRecord = z.output<typeof encounterSchema>

export const documentSchema = z
  .object({
    id: text('Document ID, the same as in FHIR.', 'doc-1'),
    patientId: text('Patient of the document.', 'pt-wren-testwell'),
    encounterId: textOrNull('Encounter it belongs to.'),
    title: textOrNull('Title for display.', 'Letter of referral, dermatology'),
    type: codingSchema,
    contentType: textOrNull('Media type of the bytes.', 'application/pdf'),
    size: described(z.int().nullable(), 'Number of bytes.', 48_213),
    sha256: textOrNull('SHA-256 of the bytes, in hexadecimal digits.'),
    authoredAt: isoMoment('When it was written.').nullable(),
    authorId: textOrNull('The practitioner who wrote it.', 'pr-ines-placeholder'),
    status: z.enum(['current', 'superseded', 'entered-in-error']).meta({ description: 'FHIR status.' }),
    lastUpdated: isoMoment('When the record last changed.'),
  })
  .meta({
    description:
      'A document of the practice. Its bytes are read through FHIR, at `DocumentReference/{id}/$attachment`, which returns 404 until they are available.',
  })
  .register(components, { id: 'Document' })

export type DocumentRecord = z.output<typeof documentSchema>

const rates = (whose: string) =>
  z
    .object({
      perSecond: z.int().meta({ description: `Requests ${whose} in one second.` }),
      perMinute: z.int().meta({ description: `Requests ${whose} in one minute.` }),
    })
    .meta({ description: `Limits ${whose}.` })

const countCap = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what} a day; null: not capped.` })
const timeOfDay = (which: string) =>
  z.string().meta({ description: `${which}, as HH:MM in \`zone\`.`, examples: ['07:00'] })

const caps = z
  .object({
    callsPerDay: countCap('Calls'),
    patientsPerDay: countCap('Different patients whose records are read or written'),
    hours: z
      .object({ from: timeOfDay('First minute'), until: timeOfDay('End; before `from`: on the next day') })
      .nullable()
      .meta({ description: 'When the key may be used; null: always.' }),
    zone: text('The IANA time zone of the day and the hours.', 'America/New_York'),
    today: z
      .object({
        date: z.string().meta({ description: 'Today in `zone`.', format: 'date', examples: ['2026-01-15'] }),
        calls: z.int().meta({ description: 'Calls counted today; 0 where calls are not capped.' }),
        patients: z.int().meta({ description: 'Patients counted today; 0 where patients are not capped.' }),
        resetsAt: z.string().meta({
          description: 'When the next day begins.',
          format: 'date-time',
          examples: ['2026-01-16T05:00:00.000Z'],
        }),
      })
      .meta({ description: 'What is used.' }),
  })
  .meta({
    description:
      'Set by the practice. Over a cap of a day, calls get 429 until it ends; outside the hours, 403. `/context` is not counted.',
  })

export const contextSchema = z
  .object({
    practice: z
      .object({
        id: text('The practice’s ID, its login slug.', 'sandpiper-demonstration'),
        name: text('The practice’s name.', 'Sandpiper Demonstration Practice'),
        environment: z
          .enum(['sandbox', 'production'])
          .meta({ description: 'Sandbox practices contain synthetic patients only.' }),
      })
      .meta({ description: 'The one practice the key belongs to.' }),
    principal: z
      .object({
        kind: z.literal('api_key').meta({ description: 'The caller.' }),
        keyPrefix: text('The key’s public part; you may share it with support.', 'svc_t3kQ9xZa'),
        keyName: text('The name its owner chose.', 'Intake prototype'),
        level: z.enum(['read_only', 'full']).meta({ description: 'The key’s access level.' }),
        dataClasses: z
          .array(z.enum(dataClassNames))
          .nullable()
          .meta({
            description:
              'Data classes the key can read; null: all. Fields and records of other classes are absent.',
            examples: [null],
          }),
        purposes: described(
          z.array(z.enum(purposeNames)).nullable(),
          'Purposes the key can send in `X-Purpose`; null: all.',
          null,
        ),
        expiresAt: z.string().meta({
          description: 'When the key expires.',
          format: 'date-time',
          examples: ['2026-04-15T09:30:00.000Z'],
        }),
      })
      .meta({ description: 'The key itself.' }),
    limits: z
      .object({
        key: rates('of this key'),
        practice: rates('of all keys and staff sessions of the practice'),
        caps: caps.nullable().meta({
          description: 'What the practice allows this key a day, and when; null: nothing is capped.',
          examples: [null],
        }),
      })
      .meta({ description: 'Both windows apply at once.' }),
  })
  .meta({ description: 'The key’s practice, details and limits.' })
  .register(components, { id: 'Context' })

export const errorSchema = z
  .object({
    error: z
      .object({
        code: z.enum(restCodes).meta({
          description: `Error code; stable. The portal explains each at \`${errorPage()}/{code}\`.`,
        }),
        message: text('What went wrong, for people. The wording may change.'),
        correlationId: z
          .uuid()
          .meta({ description: 'Identifies this request to support and in the key’s activity log.' }),
      })
      .meta({ description: 'The error.' }),
  })
  .meta({ description: 'Every error of this API.' })
  .register(components, { id: 'Error' })
