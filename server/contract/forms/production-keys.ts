/** Forms of production keys, for developers, practices and reviewers: one per step, distinguished by its intent. */
import { z } from 'zod'
import { dataClassNames } from '../keys/data-classes.ts'
import { purposeNames } from '../rest/purposes.ts'
import { publicName } from '../text/public-name.ts'
import { paragraphText } from '../text/typed-text.ts'
import { productionKeyTimes } from '../workflows/production-key-workflow.ts'
import { mailAddress, securityProfile, typedParty } from '../workflows/security-questions.ts'
import { stepTarget, stepText } from './step-forms.ts'

const words = stepText({ min: 10, max: 2_000 })
const target = stepTarget

const account = z.uuid({ error: 'Choose a person.' })

const signatory = {
  signatoryId: account,
  signatoryName: publicName({ missing: 'Enter the legal name.', min: 2, max: 120 }),
  signatoryTitle: publicName({ missing: 'Enter the title.', min: 2, max: 120, official: true }),
}

const justificationMin = 40

/** What is asked for, as it has to be when it is sent. */
export const productionDraft = z.object({
  name: publicName({ missing: 'Enter a name for the key.', min: 2, max: 80 }),
  practiceSlug: z
    .string({ error: 'Fill in this field.' })
    .trim()
    .toLowerCase()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/,
      'A login slug contains lowercase letters, digits and hyphens.',
    ),
  level: z.enum(['read_only', 'full'], { error: 'Choose an access level.' }),
  justification: paragraphText({
    missing: 'Describe the purpose.',
    min: justificationMin,
    short: `Describe the purpose and why it needs this access level, in at least ${justificationMin} characters.`,
    max: 2_000,
  }),
  purposes: z.array(z.enum(purposeNames)).min(1, 'Select at least one purpose.'),
  dataClasses: z.array(z.enum(dataClassNames)).min(1, 'Select at least one data class.'),
  termDays: z.coerce
    .number({ error: 'Enter a number of days.' })
    .int()
    .min(1, 'Enter at least one day.')
    .max(productionKeyTimes.termDaysMax, `Enter at most ${productionKeyTimes.termDaysMax} days.`)
    .default(productionKeyTimes.defaultTermDays),
  ...signatory,
})
export type ProductionDraft = z.output<typeof productionDraft>

/** An empty field is kept as it is; anything else has to be sound. */
function emptyOr<Empty, S extends z.ZodType>(empty: Empty, sound: S) {
  return z
    .string()
    .default('')
    .transform((typed, context): Empty | z.output<S> => {
      if (typed.trim() === '') return empty
      const read = sound.safeParse(typed)
      if (read.success) return read.data
      context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? 'This cannot be kept.' })
      return z.NEVER
    })
}

/** What a draft holds while it is being written: the practice, and as much of the rest as there is. */
export const productionPartial = z.object({
  practiceSlug: productionDraft.shape.practiceSlug,
  name: emptyOr('', publicName({ missing: '', max: 80 })),
  level: productionDraft.shape.level.default('read_only'),
  justification: paragraphText({ max: 2_000 }).default(''),
  purposes: z.array(z.enum(purposeNames)).default([]),
  dataClasses: z.array(z.enum(dataClassNames)).default([]),
  termDays: emptyOr(productionKeyTimes.defaultTermDays, productionDraft.shape.termDays),
  signatoryId: emptyOr(null, account),
  signatoryName: emptyOr('', publicName({ missing: '', max: 120 })),
  signatoryTitle: emptyOr('', publicName({ missing: '', max: 120, official: true })),
})
export type ProductionPartial = z.output<typeof productionPartial>

/** The steps of the form: a practice is chosen, a step is saved as it stands, and the last one sends it. */
export const productionStepForms = {
  choose: z.object({
    ...target,
    practice: productionDraft.shape.practiceSlug,
    /** Another request, to copy from. */
    from: z.string().max(64).optional(),
  }),
  save: z.looseObject(target),
  autosave: z.looseObject(target),
  send: z.looseObject(target),
} as const

/** A developer's steps besides the draft. */
export const productionForms = {
  submit: z.object(target),
  withdraw: z.object(target),
  reinvite: z.object(target),
  resubmit: z.object({ ...target, answers: z.array(z.object({ id: z.uuid(), text: words })) }),
  appeal: z.object({ ...target, text: words }),
  reissue: z.object(target),
  renew: z.object(target),
  revoke: z.object({ ...target, reason: words }),
} as const

/** A practice's steps. */
export const sponsorForms = {
  confirm: z.object({
    ...target,
    ...typedParty,
    ...signatory,
  }),
  decline: z.object({ ...target, reason: words }),
  notUs: z.object({ ...target, reason: words }),
  endSponsorship: z.object({ ...target, reason: words }),
  takeOver: z.object(target),
  reconfirm: z.object(target),
  suspend: z.object({ ...target, reason: words }),
  reinstate: z.object({ ...target, reason: words }),
  revoke: z.object({ ...target, reason: words }),
  recertify: z.object(target),
} as const

/** An admin's steps from the list of who has access: one press each, for all keys of a request. */
export const accessForms = {
  suspend: z.object({ ...target, request: z.uuid() }),
  reinstate: z.object({ ...target, request: z.uuid() }),
} as const

/** What the developers are notified of such a step. With words of their own, an admin makes it on the key's page. */
export const accessReasons: Readonly<Record<keyof typeof accessForms, string>> = {
  suspend: 'The practice stopped it on its access page. Ask the practice for the reason.',
  reinstate: 'The practice resumed it on its access page.',
}

/** What reviewers and operations do. */
export const productionReviewForms = {
  claim: z.object(target),
  ask: z.object({ ...target, items: z.array(z.object({ code: z.string(), text: words })) }),
  approve: z.object(target),
  propose: z.object({ ...target, codes: z.array(z.string()), text: words }),
  dismiss: z.object({ ...target, text: words }),
  reject: z.object(target),
  suspend: z.object({ ...target, reason: words }),
  reinstate: z.object({ ...target, reason: words }),
  revoke: z.object({ ...target, reason: words }),
  release: z.object({ ...target, reason: words }),
  close: z.object({ ...target, reason: words }),
} as const

export const profileForm = securityProfile.extend({ ...typedParty, version: z.coerce.number().int().min(0) })

export const practiceRoleNames = {
  admin: 'Admin: decides on requests, stops access and manages staff',
  signatory: 'Signatory: signs agreements for the practice',
  clinician: 'Clinician: signs in to apps that read their patients’ records',
} as const

/** People of a practice. */
export const staffForms = {
  invite: z.object({
    email: mailAddress,
    role: z.enum(['admin', 'signatory', 'clinician'], { error: 'Choose a role.' }),
  }),
  give: z.object({ account, role: z.enum(['admin', 'signatory', 'clinician']) }),
  take: z.object({ account, role: z.enum(['admin', 'signatory', 'clinician']) }),
  cancel: z.object({ invitation: z.uuid() }),
} as const
