/** Replies that reviewers keep: what they are for, and the fields that are filled in when one is used. */
import { declineCodes, infoCodes } from './key-review.ts'
import { productionInfoReasons, productionRejectionReasons } from './production-key-review.ts'
import { infoReasons, rejectionReasons } from './registration-checks.ts'
import { registrationTimes } from './registration-workflow.ts'

type Sentences = Readonly<Record<string, string>>

const sentencesOf = (reasons: Readonly<Record<string, { sentence: string }>>): Sentences =>
  Object.fromEntries(Object.entries(reasons).map(([code, { sentence }]) => [code, sentence]))

/** By what a reviewer writes: its name, and the sentence of each reason that it may be written for. */
export const replyPurposes = {
  question: { title: 'Questions', reasons: sentencesOf(infoReasons) },
  rejection: { title: 'Rejections', reasons: sentencesOf(rejectionReasons) },
  key_question: { title: 'Production key questions', reasons: sentencesOf(productionInfoReasons) },
  key_rejection: { title: 'Production key rejections', reasons: sentencesOf(productionRejectionReasons) },
  sandbox_question: { title: 'Sandbox key questions', reasons: infoCodes },
  sandbox_decline: { title: 'Sandbox key rejections', reasons: declineCodes },
} as const satisfies Readonly<Record<string, { title: string; reasons: Sentences }>>
export type ReplyPurpose = keyof typeof replyPurposes

/** Nothing ends a request for a sandbox key that no one answers. */
const undated: readonly string[] = ['sandbox_question', 'sandbox_decline'] satisfies ReplyPurpose[]

/** Written in braces: `{app}`. */
export const replyFields = {
  app: 'The name of the app or key',
  organization: 'The organization’s name',
  'due date': `The last day to answer or to appeal, ${registrationTimes.silentDaysMax} days from now; not for sandbox keys`,
} as const
type ReplyField = keyof typeof replyFields
export type ReplyFacts = Readonly<Record<ReplyField, string>>

/** Of an answer and of an appeal alike. */
export const replyDays = registrationTimes.silentDaysMax
export const savedRepliesMax = 200
export const replyTitleLength = { min: 3, max: 80 } as const

const field = /\{([^{}\n]*)\}/g

/** The first field of a text that is none of the table, or has no value for this purpose; null when each has. */
export function findUnknownField(purpose: string, text: string): string | null {
  for (const [, name = ''] of text.matchAll(field))
    if (!Object.hasOwn(replyFields, name) || (name === 'due date' && undated.includes(purpose))) return name
  return null
}

/** The text with the facts in place of its fields. What a fact says is not read again. */
export function fillReply(text: string, facts: ReplyFacts): string {
  return text.replace(field, (whole, name: string) =>
    Object.hasOwn(replyFields, name) ? facts[name as ReplyField] : whole,
  )
}
