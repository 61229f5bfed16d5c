/**
 * What a registration of an app says: one schema for the page, for JSON in and out, and for the reviewer. It bounds
 * and tidies; whether what it says is complete and right is the linter's to judge, so that a draft can always be kept.
 */
import { z } from 'zod'
import { lineText, noControl, noControlInLines, paragraphText } from '../text/typed-text.ts'

export const appAudiences = ['patient', 'clinician', 'backend'] as const
export type AppAudience = (typeof appAudiences)[number]

const clientTypes = ['none', 'client_secret_basic', 'private_key_jwt'] as const

/** What the requester declares; each has to be true before a registration is complete. */
export const attestations = {
  attestAuthority: 'I may speak for this organization, and what this request says is true.',
  attestPatients: 'The app reads what a person or a practice allowed, and uses it for what it told them.',
  attestSecrets: 'This request holds no patient records, no private key and no client secret.',
  attestChanges: 'I will say so here when the addresses, the keys or the purpose of the app change.',
} as const
export type Attestation = keyof typeof attestations

const formLimits = {
  nameCharacters: 100,
  descriptionCharacters: 2_000,
  addressCharacters: 1_000,
  redirectUris: 20,
  jwksCharacters: 32_768,
  scopeCharacters: 8_192,
} as const

/** Of an uploaded picture; what is kept is a PNG of at most `side` by `side`. */
export const logoLimits = {
  pixelsMax: 4_096 * 4_096,
  side: 256,
  perOrganization: 100,
} as const

/** One line of text, tidied; empty when it is not said yet. */
const line = (max: number) => lineText({ max, only: noControl }).default('')
const paragraphs = (max: number) => paragraphText({ max, only: noControlInLines }).default('')

const address = () => line(formLimits.addressCharacters)

/** In a form one a line, in JSON a list. */
const addressList = z
  .union([z.string().max(formLimits.redirectUris * formLimits.addressCharacters), z.array(z.string())], {
    error: 'Enter one URI per line.',
  })
  .transform((value) => [
    ...new Set(
      (typeof value === 'string' ? value.split(/[\r\n]+/) : value)
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    ),
  ])
  .pipe(
    z
      .array(
        z
          .string()
          .max(formLimits.addressCharacters, 'A URI can have at most 1,000 characters.')
          .regex(...noControl),
      )
      .max(formLimits.redirectUris, `Enter at most ${formLimits.redirectUris} redirect URIs.`),
  )
  .default([])

/** A checkbox sends `on`, or nothing. */
const ticked = z.preprocess((value) => value === true || value === 'on', z.boolean()).default(false)

export const registrationForm = z.object({
  name: line(formLimits.nameCharacters),
  description: paragraphs(formLimits.descriptionCharacters),
  website: address(),
  privacyUrl: address(),
  termsUrl: address(),
  /** SHA-256 of an uploaded picture; the file itself is kept beside. Empty: none. */
  logo: z
    .string()
    .regex(/^([0-9a-f]{64})?$/, 'Upload an image.')
    .default(''),
  /** Who is asked about the request, and who is called when something about security cannot wait. */
  technicalContact: line(254),
  securityContact: line(254),
  audience: z.enum(appAudiences, { error: 'Choose who uses the app.' }).default('patient'),
  clientType: z.enum(clientTypes, { error: 'Choose the client authentication.' }).default('none'),
  redirectUris: addressList,
  launchUrl: address(),
  jwksUrl: address(),
  /** A JWKS as text, as it was pasted; checked by the linter, parsed when the app is registered. */
  jwks: paragraphs(formLimits.jwksCharacters),
  /** In the words of the grammar, separated by spaces. */
  scope: z
    .string()
    .max(formLimits.scopeCharacters, 'The list of scopes is too long.')
    .transform((text) => [...new Set(text.split(/\s+/).filter(Boolean))].join(' '))
    .default(''),
  attestAuthority: ticked,
  attestPatients: ticked,
  attestSecrets: ticked,
  attestChanges: ticked,
})

export type RegistrationForm = Readonly<z.output<typeof registrationForm>>
export type RegistrationField = keyof RegistrationForm

/** What each field is called, in the order of the page. */
export const fieldLabels: Readonly<Record<RegistrationField, string>> = {
  name: 'App name',
  description: 'Description',
  website: 'Website',
  privacyUrl: 'Privacy policy',
  termsUrl: 'Terms of use',
  logo: 'Logo',
  technicalContact: 'Technical contact',
  securityContact: 'Security contact',
  audience: 'Who uses the app?',
  clientType: 'Client authentication',
  redirectUris: 'Redirect URIs',
  launchUrl: 'Launch URL',
  jwksUrl: 'Key set URL (JWKS)',
  jwks: 'Key set (JWKS)',
  scope: 'Scopes',
  attestAuthority: 'Authority',
  attestPatients: 'Use of records',
  attestSecrets: 'No secrets',
  attestChanges: 'Changes',
}

export const registrationFields = Object.keys(fieldLabels) as readonly RegistrationField[]

/**
 * May be changed on an enabled app at once; anything else is reviewed while the old configuration serves. Name, logo and
 * website are what a person recognizes on the consent page, so an enabled app cannot turn into another one unseen.
 */
export const lowRiskFields = [
  'description',
  'privacyUrl',
  'termsUrl',
  'technicalContact',
  'securityContact',
] as const satisfies readonly RegistrationField[]

export const emptyRegistration: RegistrationForm = registrationForm.parse({})

/** One field that reads differently in two versions. */
export type FieldChange = Readonly<{
  field: RegistrationField
  label: string
  before: string
  after: string
}>

/** What changed between two versions, in the order of the page; empty when nothing did. */
export function diffRegistrations(before: RegistrationForm, after: RegistrationForm): readonly FieldChange[] {
  return registrationFields.flatMap((field) => {
    const [one, other] = [toText(before[field]), toText(after[field])]
    return one === other ? [] : [{ field, label: fieldLabels[field], before: one, after: other }]
  })
}

/** A field as a person reads it. */
export function toText(value: RegistrationForm[RegistrationField]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' ? value : value.join('\n')
}
