/** Forms about keys: one schema for the page and for the server. */
import { z } from 'zod'
import { networksMax, parseNetwork } from '../http/networks.ts'
import { grantedLimitsMax, isGraceHours, loggedMethods, logTimes, statusClasses } from '../keys/key-life.ts'
import { emailAddress } from '../text/email-address.ts'
import { publicName } from '../text/public-name.ts'
import { lineText, noControl, noControlInLines, tidyParagraphs } from '../text/typed-text.ts'
import { declineCodes, infoCodes, reviewNoteMax } from '../workflows/key-review.ts'
import { displayName } from './account.ts'
import { stepTarget } from './step-forms.ts'

export const projectDescriptionLength = { min: 50, max: 2_000 } as const

/** Counted in characters as people count them, without the spaces around. */
const description = z
  .string({ error: 'Describe what you are building.' })
  .transform(tidyParagraphs)
  .pipe(
    z
      .string()
      .refine((value) => [...value].length >= projectDescriptionLength.min, {
        error: `Use at least ${projectDescriptionLength.min} characters. Describe what it does, and for whom.`,
      })
      .refine((value) => [...value].length <= projectDescriptionLength.max, {
        error: `Use at most ${projectDescriptionLength.max.toLocaleString('en-US')} characters.`,
      })
      .regex(...noControlInLines),
  )

const keyLevels = ['read_only', 'full'] as const

export const keyRequestForm = z.object({
  name: publicName({ missing: 'Enter a name for the key.', max: 60 }),
  projectDescription: description,
  technicalContact: emailAddress,
  level: z.enum(keyLevels, { error: 'Choose an access level.' }),
  acceptTerms: z.literal('on', { error: 'Accept the sandbox terms to continue.' }),
  /** The exact text that was shown. */
  termsVersion: z.string().min(1).max(20),
  termsSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Made with the page: the same form sent twice is one request. */
  idempotencyKey: stepTarget.idempotencyKey,
})

/** The organization and the key of a person who has neither. The key's name comes from the description. */
export const firstKeyForm = keyRequestForm
  .omit({ name: true, technicalContact: true })
  .extend({ organizationName: displayName('a name for the organization') })

export const revokeReasonMax = 200

export const revokeKeyForm = z.object({
  reason: lineText({ max: revokeReasonMax, only: noControl }).optional(),
})

/** Filters of a key's activity. */
export const activityFilter = z.object({
  status: z
    .union([z.enum([...statusClasses, 'refused']), z.coerce.number().int().min(100).max(599)])
    .optional()
    .catch(undefined),
  method: z.enum(loggedMethods).optional().catch(undefined),
  refusal: z.string().trim().max(60).optional().catch(undefined),
  within: z.enum(logTimes).optional().catch(undefined),
  /** `key:` and its id, or `app:` and its client ID. */
  caller: z
    .string()
    .trim()
    .regex(/^(?:key|app):.{1,200}$/u)
    .optional()
    .catch(undefined),
  route: z.string().trim().max(120).optional().catch(undefined),
  correlationId: z.string().trim().max(64).optional().catch(undefined),
})

const graceHours = z.coerce
  .number({ error: 'Choose how long the old key keeps working.' })
  .refine(isGraceHours, { error: 'Choose how long the old key keeps working.' })

export const rotateKeyForm = z.object({ graceHours })

const networkFaults = {
  malformed: 'is not a network. Use a form such as 203.0.113.0/24 or 2001:db8::/32.',
  too_wide: 'is too wide to protect anything. Use /8 or narrower for IPv4, /16 or narrower for IPv6.',
  host_bits: 'has host bits set. You probably mean',
} as const

/** One network a line, or separated by spaces or commas. */
export const networksForm = z.object({
  networks: z
    .string()
    .max(2_000, 'Use at most 2,000 characters.')
    .default('')
    .transform((text, context) => {
      const words = text.split(/[\s,;]+/).filter(Boolean)
      if (words.length > networksMax)
        context.addIssue({ code: 'custom', message: `Enter at most ${networksMax} networks.` })
      const found = new Set<string>()
      for (const word of words.slice(0, networksMax)) {
        const parsed = parseNetwork(word)
        if ('network' in parsed) found.add(parsed.network)
        else {
          const meant = parsed.meant ? ` ${parsed.meant}.` : ''
          const message = `“${word.slice(0, 50)}” ${networkFaults[parsed.fault]}${meant}`
          context.addIssue({ code: 'custom', message })
        }
      }
      return [...found]
    }),
})

export const mcpWritesForm = z.object({ writes: z.enum(['on', 'off']) })

/** The SHA-256 of a found key; the key itself never leaves the browser. */
export const reportKeyForm = z.object({
  sha256: z
    .string({ error: 'Paste the key, or its SHA-256.' })
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 characters, 0 to 9 and a to f.'),
})

const limitNumber = (most: number) =>
  z.coerce
    .number({ error: 'Enter a whole number.' })
    .int('Enter a whole number.')
    .min(1, 'Enter 1 or more.')
    .max(most, `Enter at most ${most.toLocaleString('en-US')}. A key can’t exceed its practice’s limit.`)

export const limitGrantForm = z.object({
  prefix: z
    .string({ error: 'Enter the key’s first twelve characters.' })
    .trim()
    .length(12, 'Enter twelve characters.'),
  burst: limitNumber(grantedLimitsMax.burst),
  sustained: limitNumber(grantedLimitsMax.sustained),
  reason: z.string({ error: 'Enter a reason.' }).trim().min(10, 'Use at least 10 characters.').max(500),
})

const note = z.string().max(reviewNoteMax, `Use at most ${reviewNoteMax} characters.`).default('')
const version = z.coerce.number().int().min(0)
const codesOf = (codes: readonly [string, ...string[]]) =>
  z.array(z.enum(codes)).min(1, 'Choose at least one reason.')
const namesOf = (codes: object) => Object.keys(codes) as [string, ...string[]]

export const reviewDecisionForms = {
  approve: z.object({ version }),
  request_info: z.object({ version, note, codes: codesOf(namesOf(infoCodes)) }),
  decline: z.object({ version, note, codes: codesOf(namesOf(declineCodes)) }),
}

export const answerReviewForm = z.object({ projectDescription: description })

/** What confirms a draft by mail: a request, and for whom. A draft makes one request, so that it needs no name of its own. */
export const keyDraftForm = keyRequestForm
  .omit({ idempotencyKey: true })
  .extend({ organization: z.string({ error: 'Choose the organization.' }).min(1).max(100) })
