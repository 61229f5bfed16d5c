/**
 * Bodies of the REST API's writes. Strict: a field that is not listed is refused by its name. Messages say what
 * a field must be and never repeat what was sent.
 */
import { z } from 'zod'
import { parseDateInterval } from '../fhir/date-interval.ts'
import { limits } from '../http/limits.ts'
import { findNameFault, hasInvisible, tidyName } from '../text/public-name.ts'
import {
  codesOf,
  documentContentTypes,
  documentTypes,
  encounterClasses,
  encounterTypes,
} from './record-codes.ts'

/** Schemas of bodies that are components of the OpenAPI document, under these names. */
export const bodyComponents = z.registry<{ id: string }>()

/** A schema with its description, and an example if there is one. */
export const described = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema => schema.meta({ description, ...(example !== undefined && { examples: [example] }) })

/** One line, no space at either end. */
const linePattern = /^\S(?:.*\S)?$/

const line = (max: number) => {
  const error = `must be a text of 1 to ${max} characters in one line, without leading or trailing spaces or invisible characters`
  return z
    .string({ error })
    .max(max, { error, abort: true })
    .regex(linePattern, { error })
    .refine((text) => !hasInvisible(text), { error })
}

/** Of a person, by the rule of every name in the portal. */
const name = () =>
  line(limits.nameMax).superRefine((text, context) => {
    const fault = findNameFault(tidyName(text), { official: true })
    if (fault !== null) context.addIssue({ code: 'custom', message: fault.replace(/\.$/, '') })
  })

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const list = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item, { error: `must be a list of at most ${max}` })
    .max(max, { error: `must be a list of at most ${max}` })

const record = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  // The own sentence is for what is no object; an unknown field keeps its issue, which has its name.
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined),
  })

const idError = 'must be an id: 1 to 64 letters, digits, “-” and “.”'
const id = () => z.string({ error: idError }).regex(/^[A-Za-z0-9\-.]{1,64}$/, { error: idError })

const dateError = 'must be a real date: yyyy-mm-dd, or yyyy-mm or yyyy if that is all that is known'
const date = z
  .string({ error: dateError })
  .regex(/^(18|19|20)\d{2}(-\d{2}(-\d{2})?)?$/, { error: dateError })
  .refine((text) => parseDateInterval(text) !== null, { error: dateError })

const instantError = 'must be a timestamp with its offset, such as 2026-11-20T09:30:00-05:00'
const instant = z
  .string({ error: instantError })
  .regex(/^(19|20)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/, {
    error: instantError,
  })
  .refine((text) => isRealInstant(text), { error: instantError })

/** A day that the calendar has and a time that the clock shows; `Date` would roll over. */
function isRealInstant(text: string): boolean {
  const [day = '', time = ''] = text.split('T')
  return parseDateInterval(day) !== null && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d/.test(time)
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const languageError = 'must be a BCP 47 language without script or region, such as en'

/** The English name of a language tag, or undefined. */
export const languageName = (tag: string): string | undefined =>
  /^[a-z]{2,3}$/.test(tag) ? languageNames.of(tag) : undefined

export const newPatientSchema = record({
  mrn: line(limits.mrnMax)
    .optional()
    .meta({
      description: 'Medical record number. Must be unique in the practice; assigned if omitted.',
      examples: ['SYN-104733'],
    }),
  name: record({
    family: name().meta({ description: 'Family name.', examples: ['Samplewood'] }),
    given: described(list(name(), limits.givenNamesMax).default([]), 'Given names, first one first.', [
      'Juniper',
      'Mae',
    ]),
  }).meta({ description: 'The current name.' }),
  birthDate: date.meta({
    description: 'Date of birth: a day, or a month or year if that is all that is known. Not in the future.',
    examples: ['1988-02-17'],
  }),
  sex: described(oneOf(['male', 'female', 'other', 'unknown']).default('unknown'), 'Administrative sex.'),
  telecom: list(
    record({
      system: oneOf(['phone', 'email', 'fax', 'pager', 'url', 'sms', 'other']).meta({
        description: 'Kind of contact.',
      }),
      value: line(limits.nameMax).meta({ description: 'Number or address.', examples: ['(207) 555-0177'] }),
      use: described(oneOf(['home', 'work', 'temp', 'old', 'mobile']).optional(), 'Use, such as home.'),
    }),
    limits.telecomMax,
  )
    .default([])
    .meta({ description: 'Contact details, preferred one first.' }),
  address: list(
    record({
      use: described(oneOf(['home', 'work', 'temp', 'old', 'billing']).optional(), 'Use, such as home.'),
      line: described(list(line(limits.nameMax), 3).default([]), 'Street lines.', ['7 Sample Street']),
      city: described(line(limits.nameMax).optional(), 'City.', 'Samplehaven'),
      state: described(line(limits.nameMax).optional(), 'State or region; in the US two letters.', 'ME'),
      postalCode: described(line(20).optional(), 'Postal code.', '04999'),
      country: described(line(limits.nameMax).optional(), 'Country.', 'US'),
    }),
    limits.addressesMax,
  )
    .default([])
    .meta({ description: 'Addresses, current one first.' }),
  language: z
    .string({ error: languageError })
    .regex(/^[a-z]{2,3}$/, { error: languageError })
    .refine((tag) => languageName(tag) !== undefined, { error: languageError })
    .optional()
    .meta({ description: 'Preferred language, a BCP 47 tag without script or region.', examples: ['en'] }),
  active: described(
    z.boolean({ error: 'must be true or false' }).default(true),
    'False if the record is not in use.',
  ),
})
  .meta({ description: 'A patient to be created.' })
  .register(bodyComponents, { id: 'NewPatient' })

export const newEncounterSchema = record({
  patientId: id().meta({ description: 'Patient of the encounter.', examples: ['pt-wren-testwell'] }),
  practitionerId: described(id().optional(), 'Practitioner who sees the patient.', 'pr-ines-placeholder'),
  locationId: described(id().optional(), 'Location.', 'loc-main'),
  class: oneOf(codesOf(encounterClasses))
    .default('AMB')
    .meta({ description: codeLines('Care setting, an HL7 v3 ActCode.', encounterClasses) }),
  type: oneOf(codesOf(encounterTypes)).meta({
    description: codeLines('Type of encounter, a SNOMED CT code.', encounterTypes),
    examples: ['185345009'],
  }),
  reason: described(
    line(limits.reasonMax).optional(),
    'Reason for the visit, as text.',
    'Cough for two weeks',
  ),
  start: instant.optional().meta({
    description: 'Start; now if omitted. Not in the future.',
    format: 'date-time',
    examples: ['2026-11-20T09:30:00-05:00'],
  }),
})
  .meta({ description: 'A new encounter.' })
  .register(bodyComponents, { id: 'NewEncounter' })

const sizeError = `must be a whole number from 1 to ${limits.documentBytesMax}`
const sha256Error = 'must be the SHA-256 of the bytes: 64 lowercase hexadecimal digits'

export const newDocumentSchema = record({
  patientId: id().meta({ description: 'Patient of the document.', examples: ['pt-wren-testwell'] }),
  encounterId: described(id().optional(), 'Encounter of the same patient that the document belongs to.'),
  title: line(limits.titleMax).meta({
    description: 'Title for display.',
    examples: ['Letter of referral, dermatology'],
  }),
  type: oneOf(codesOf(documentTypes)).meta({
    description: codeLines('Document type, a LOINC code.', documentTypes),
    examples: ['57133-1'],
  }),
  contentType: oneOf(documentContentTypes).meta({
    description: 'Media type of the bytes.',
    examples: ['application/pdf'],
  }),
  size: z
    .int({ error: sizeError })
    .min(1, { error: sizeError })
    .max(limits.documentBytesMax, { error: sizeError })
    .meta({ description: 'Number of bytes.', examples: [48_213] }),
  sha256: z
    .string({ error: sha256Error })
    .regex(/^[0-9a-f]{64}$/, { error: sha256Error })
    .meta({
      description: 'SHA-256 of the bytes, in hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  authoredAt: instant.meta({
    description: 'When it was written. Not in the future.',
    format: 'date-time',
    examples: ['2026-11-19T16:05:00-05:00'],
  }),
  authorId: described(id().optional(), 'The practitioner who wrote it.', 'pr-ines-placeholder'),
})
  .meta({ description: 'Metadata of a new document, without its bytes.' })
  .register(bodyComponents, { id: 'NewDocument' })

export type NewPatient = z.output<typeof newPatientSchema>
export type NewEncounter = z.output<typeof newEncounterSchema>
export type NewDocument = z.output<typeof newDocumentSchema>

function codeLines(sentence: string, table: Readonly<Record<string, string>>): string {
  const lines = Object.entries(table).map(([code, display]) => `- \`${code}\`: ${display}`)
  return `${sentence}\n\n${lines.join('\n')}`
}
