/**
 * The records of the REST API. Where the specification shows no field, what a practice needs and FHIR
 * carries; absent values are `null`, so that every record has every field.
 */
import { z } from 'zod'
import { restCodes } from '../http/problems.ts'
import { errorPage } from './error-codes.ts'

/** Schemas that are components of the OpenAPI document, under these names. */
export const components = z.registry<{ id: string }>()

/** As precise as it is known: `1971-04-09`, `1971-04` or `1971`. */
const partialDate = () =>
  z.union([z.string().meta({ format: 'date' }), z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/)])

const isoMoment = (description: string) =>
  z.string().meta({ description, format: 'date-time', examples: ['2026-01-15T09:30:00.000Z'] })

const humanNameSchema = z
  .object({
    family: z
      .string()
      .nullable()
      .meta({ description: 'Family name.', examples: ['Testwell'] }),
    given: z
      .array(z.string())
      .meta({ description: 'Given names, the first one first.', examples: [['Wren', 'Ada']] }),
  })
  .meta({ description: 'The name in use.' })
  .register(components, { id: 'HumanName' })

const telecomSchema = z
  .object({
    system: z
      .enum(['phone', 'email', 'fax', 'pager', 'url', 'sms', 'other'])
      .meta({ description: 'What it is.' }),
    value: z.string().meta({ description: 'Number or address.', examples: ['(207) 555-0142'] }),
    use: z
      .enum(['home', 'work', 'temp', 'old', 'mobile'])
      .nullable()
      .meta({ description: 'Where it reaches.' }),
  })
  .meta({ description: 'One way to reach somebody.' })
  .register(components, { id: 'Telecom' })

const addressSchema = z
  .object({
    use: z
      .enum(['home', 'work', 'temp', 'old', 'billing'])
      .nullable()
      .meta({ description: 'What it is for.' }),
    line: z
      .array(z.string())
      .meta({ description: 'Street lines.', examples: [['12 Placeholder Avenue', 'Apt 3']] }),
    city: z
      .string()
      .nullable()
      .meta({ description: 'City.', examples: ['Samplehaven'] }),
    state: z
      .string()
      .nullable()
      .meta({ description: 'State or region; in the US two letters.', examples: ['ME'] }),
    postalCode: z
      .string()
      .nullable()
      .meta({ description: 'Postal code.', examples: ['04999'] }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'Country.', examples: ['US'] }),
  })
  .meta({ description: 'A postal address.' })
  .register(components, { id: 'Address' })

export const patientSchema = z
  .object({
    id: z
      .string()
      .meta({ description: 'Id of the patient, the same as in FHIR.', examples: ['pt-wren-testwell'] }),
    mrn: z
      .string()
      .nullable()
      .meta({ description: 'Medical record number, unique in the practice.', examples: ['SYN-004217'] }),
    name: humanNameSchema,
    birthDate: partialDate()
      .nullable()
      .meta({
        description: 'Date of birth: a day, or a month or year when no more is known.',
        examples: ['1971-04-09'],
      }),
    sex: z
      .enum(['male', 'female', 'other', 'unknown'])
      .meta({ description: 'Administrative sex; FHIR’s gender. `unknown` when nothing is recorded.' }),
    telecom: z
      .array(telecomSchema)
      .meta({ description: 'Ways to reach the patient, the preferred one first.' }),
    address: z.array(addressSchema).meta({ description: 'Addresses, the one in use first.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Preferred language, a BCP 47 tag.', examples: ['en'] }),
    active: z.boolean().meta({ description: 'False for a record no longer in use.' }),
    deceased: z.boolean().meta({ description: 'True when the patient has died.' }),
    deceasedAt: z
      .string()
      .nullable()
      .meta({ description: 'When the patient died, as precisely as recorded.', examples: ['2024-06-30'] }),
    lastUpdated: isoMoment('When the record changed last.'),
  })
  .meta({ description: 'A patient of the practice.' })
  .register(components, { id: 'Patient' })

export type PatientRecord = z.output<typeof patientSchema>

const pageSchema = z
  .object({
    limit: z.int().meta({ description: 'Records asked for.', examples: [25] }),
    offset: z.int().meta({ description: 'Records left out before the first one.', examples: [0] }),
    hasMore: z.boolean().meta({ description: 'True when another page follows.' }),
  })
  .meta({ description: 'Where the page stands.' })
  .register(components, { id: 'Page' })

/** The envelope of every list. */
function listOf<Item extends z.ZodType>(item: Item, order: string) {
  return z.object({ data: z.array(item).meta({ description: order }), page: pageSchema })
}

export const patientListSchema = listOf(
  patientSchema,
  'The closest match first when `q` is given, else in the order of family name, given name, id.',
)
  .meta({ description: 'One page of patients.' })
  .register(components, { id: 'PatientList' })

const codingSchema = z
  .object({
    system: z
      .string()
      .nullable()
      .meta({ description: 'URI of the code system.', examples: ['http://snomed.info/sct'] }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'The code.', examples: ['185345009'] }),
    display: z
      .string()
      .nullable()
      .meta({ description: 'What it means, for people.', examples: ['Encounter for symptom (procedure)'] }),
  })
  .meta({ description: 'A coded value.' })
  .register(components, { id: 'Coding' })

export const practitionerSchema = z
  .object({
    id: z.string().meta({
      description: 'Id of the practitioner, the same as in FHIR.',
      examples: ['pr-ines-placeholder'],
    }),
    npi: z
      .string()
      .nullable()
      .meta({ description: 'National Provider Identifier.', examples: ['2999042171'] }),
    name: humanNameSchema,
    active: z.boolean().meta({ description: 'False for somebody who has left.' }),
    telecom: z.array(telecomSchema).meta({ description: 'Ways to reach the practitioner.' }),
    address: z.array(addressSchema).meta({ description: 'Places of work, for mail.' }),
    specialties: z
      .array(codingSchema)
      .meta({ description: 'What the practitioner does in this practice, without doubles.' }),
    locationIds: z.array(z.string()).meta({
      description: 'Where the practitioner works: ids for `/locations/{id}/providers`.',
      examples: [['loc-main']],
    }),
    lastUpdated: isoMoment('When the record changed last.'),
  })
  .meta({ description: 'A provider of the practice.' })
  .register(components, { id: 'Practitioner' })

export type PractitionerRecord = z.output<typeof practitionerSchema>

export const practitionerListSchema = listOf(
  practitionerSchema,
  'The closest match first when `q` is given, else in the order of family name, given name, id.',
)
  .meta({ description: 'One page of practitioners.' })
  .register(components, { id: 'PractitionerList' })

export const encounterSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the encounter, the same as in FHIR.', examples: ['en-1'] }),
    patientId: z.string().meta({ description: 'Whose encounter it is.', examples: ['pt-wren-testwell'] }),
    practitionerId: z
      .string()
      .nullable()
      .meta({ description: 'Who sees the patient.', examples: ['pr-ines-placeholder'] }),
    locationId: z
      .string()
      .nullable()
      .meta({ description: 'Where.', examples: ['loc-main'] }),
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
      .meta({ description: 'FHIR’s status; `in-progress` from its start.' }),
    class: codingSchema,
    type: codingSchema,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the patient comes, in words.', examples: ['Cough for two weeks'] }),
    start: isoMoment('When it began.').nullable(),
    end: isoMoment('When it ended; null while it lasts.').nullable(),
    lastUpdated: isoMoment('When the record changed last.'),
  })
  .meta({ description: 'An encounter of a patient with the practice.' })
  .register(components, { id: 'Encounter' })

export type EncounterRecord = z.output<typeof encounterSchema>

export const documentSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the document, the same as in FHIR.', examples: ['doc-1'] }),
    patientId: z.string().meta({ description: 'Whom it is about.', examples: ['pt-wren-testwell'] }),
    encounterId: z.string().nullable().meta({ description: 'The encounter it belongs to.' }),
    title: z
      .string()
      .nullable()
      .meta({ description: 'Title, for people.', examples: ['Letter of referral, dermatology'] }),
    type: codingSchema,
    contentType: z
      .string()
      .nullable()
      .meta({ description: 'Media type of the bytes.', examples: ['application/pdf'] }),
    size: z
      .int()
      .nullable()
      .meta({ description: 'Number of bytes.', examples: [48_213] }),
    sha256: z.string().nullable().meta({ description: 'SHA-256 of the bytes, in hexadecimal digits.' }),
    authoredAt: isoMoment('When it was written.').nullable(),
    authorId: z
      .string()
      .nullable()
      .meta({ description: 'The practitioner who wrote it.', examples: ['pr-ines-placeholder'] }),
    status: z.enum(['current', 'superseded', 'entered-in-error']).meta({ description: 'FHIR’s status.' }),
    lastUpdated: isoMoment('When the record changed last.'),
  })
  .meta({
    description:
      'A document that the practice knows of. Its bytes are read through FHIR, at `DocumentReference/{id}/$attachment`, which answers 404 until they are there.',
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

export const contextSchema = z
  .object({
    practice: z
      .object({
        id: z
          .string()
          .meta({ description: 'The practice’s id, its login slug.', examples: ['sandpiper-demonstration'] }),
        name: z
          .string()
          .meta({ description: 'Name of the practice.', examples: ['Sandpiper Demonstration Practice'] }),
        environment: z
          .enum(['sandbox', 'production'])
          .meta({ description: 'Sandbox practices hold synthetic patients only.' }),
      })
      .meta({ description: 'The one practice the key is bound to.' }),
    principal: z
      .object({
        kind: z.literal('api_key').meta({ description: 'Who calls.' }),
        keyPrefix: z.string().meta({
          description: 'Public part of the key; may be quoted to support.',
          examples: ['svc_t3kQ9xZa'],
        }),
        keyName: z
          .string()
          .meta({ description: 'The name its owner gave it.', examples: ['Intake prototype'] }),
        level: z.enum(['read_only', 'full']).meta({ description: 'What the key may do.' }),
        expiresAt: z.string().meta({
          description: 'When the key ends.',
          format: 'date-time',
          examples: ['2026-04-15T09:30:00.000Z'],
        }),
      })
      .meta({ description: 'The key itself.' }),
    limits: z
      .object({
        key: rates('of this key'),
        practice: rates('of all keys and staff sessions of the practice'),
      })
      .meta({ description: 'Both windows apply at once.' }),
  })
  .meta({ description: 'What a key resolves to.' })
  .register(components, { id: 'Context' })

export const errorSchema = z
  .object({
    error: z
      .object({
        code: z.enum(restCodes).meta({
          description: `What kind of refusal it is; stable. The portal explains each at \`${errorPage()}/{code}\`.`,
        }),
        message: z.string().meta({ description: 'What was wrong, for a person. The wording may change.' }),
        correlationId: z
          .uuid()
          .meta({ description: 'Identifies this request to support and in the key’s activity log.' }),
      })
      .meta({ description: 'What was refused, and why.' }),
  })
  .meta({ description: 'Every refusal of this API.' })
  .register(components, { id: 'Error' })
