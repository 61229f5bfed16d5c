/** What the forms of agreements take: the fields of each document, and each act of their pages. */
import { z } from 'zod'
import { publicName } from '../text/public-name.ts'
import { lineText, paragraphText } from '../text/typed-text.ts'
import { agreementTimes } from '../workflows/agreements.ts'
import { drawable, mailAddress } from '../workflows/security-questions.ts'
import { stepTarget } from './step-forms.ts'

const missing = 'Fill in this field.'
/** Hour, place and text of what is signed must be drawable: one line without control characters. */
const line = (min: number, max: number) => lineText({ missing, min, max, only: drawable })
/** Other people read it in emails and under the document. A title may be “Head of Security”. */
const typed = publicName({ missing, min: 2, max: 120, official: true })
const [legalName, title] = [typed, typed]
const words = (min: number, max: number) => paragraphText({ missing, min, max })
const day = z.iso.date('Enter a date as year, month, day.')

export const deidentificationRules = {
  none: 'The developer may not de-identify the data.',
  for_services: 'The developer may de-identify data for the services only, by 45 CFR 164.514(b).',
  allowed: 'The developer may de-identify data by 45 CFR 164.514(b) and use the result.',
} as const

export const offshoreRules = {
  none: 'The data stays in the United States.',
  with_consent: 'The data leaves the United States only with the practice’s written consent.',
} as const

const breachNoticeHours = { min: 1, max: 240, default: 48 } as const

/** What a BAA is filled with. Level, data classes and purposes are those of the key request. */
export const baaFields = z
  .object({
    developerLegalName: line(2, 160),
    developerAddress: line(5, 240),
    developerContactName: line(2, 120),
    developerContactEmail: mailAddress,
    practiceLegalName: line(2, 160),
    practiceAddress: line(5, 240),
    practiceContactName: line(2, 120),
    practiceContactEmail: mailAddress,
    services: words(20, 2_000),
    deidentification: z.enum(['none', 'for_services', 'allowed']).default('none'),
    offshore: z.enum(['none', 'with_consent']).default('none'),
    breachNoticeHours: z.coerce
      .number<string>({ error: 'Enter a number of hours.' })
      .int()
      .min(breachNoticeHours.min, 'Enter at least one hour.')
      .max(breachNoticeHours.max, `Enter at most ${breachNoticeHours.max} hours.`)
      .default(breachNoticeHours.default),
    /** Who else touches the data; empty: no one. */
    subcontractors: z.string().trim().max(1_000, 'Use at most 1,000 characters.').default(''),
    effectiveOn: day,
    expiresOn: day,
    terminationNoticeDays: z.coerce.number<string>().int().min(0).max(90).default(30),
  })
  .refine(({ effectiveOn, expiresOn }) => effectiveOn < expiresOn, {
    path: ['expiresOn'],
    message: 'The end must be after the start.',
  })
  .refine(
    ({ effectiveOn, expiresOn }) =>
      Date.parse(expiresOn) - Date.parse(effectiveOn) <= agreementTimes.baaDaysMax * 86_400_000,
    { path: ['expiresOn'], message: 'Choose a term of at most three years.' },
  )
export type BaaFields = z.output<typeof baaFields>

/** The share of the fee that stays with the practice; a merge field of the usage agreement. */
const profitSharePercent = { min: 0, max: 50, default: 10 } as const

export const usageFields = z.object({
  developerLegalName: line(2, 160),
  developerAddress: line(5, 240),
  developerContactName: line(2, 120),
  developerContactEmail: mailAddress,
  profitSharePercent: z.coerce
    .number()
    .min(profitSharePercent.min)
    .max(profitSharePercent.max)
    .default(profitSharePercent.default),
})
export type UsageFields = z.output<typeof usageFields>

export type AgreementFields = BaaFields | UsageFields

const target = stepTarget
const ticked = (message: string) => z.literal('on', { error: message })

/** Forms of the agreement pages, distinguished by their intent. */
export const agreementForms = {
  sign: z.object({
    ...target,
    number: z.coerce.number().int().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    legalName,
    title,
    authority: ticked('Confirm that you are authorized to sign for your side.'),
    consent: ticked('Confirm that you read the document and agree to sign electronically.'),
  }),
  reject: z.object({ ...target, comment: words(10, 2_000) }),
  withdraw: z.object({ ...target, comment: words(10, 2_000) }),
  nameSignatory: z.object({
    ...target,
    accountId: z.guid('Choose a signatory.'),
    legalName,
    title,
  }),
  resume: z.object(target),
  terminate: z.object({
    ...target,
    comment: words(10, 2_000),
    /** Empty: at once. */
    effectiveOn: z.union([z.literal(''), day]).default(''),
  }),
  renew: z.object(target),
  attest: z.object({
    ...target,
    outcome: z.enum(['returned', 'destroyed', 'infeasible'], { error: 'Choose what happened to the data.' }),
    statement: words(20, 2_000),
    legalName,
    title,
  }),
} as const

/** A change proposed to a BAA: all of its fields, and why. */
export const agreementEdit = z.object({ ...target, comment: words(10, 2_000) })
