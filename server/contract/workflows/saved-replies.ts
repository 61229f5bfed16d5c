/** Replies that reviewers keep: what they are for, and the fields that are filled in when one is used. */
import { registrationTimes } from './registration-workflow.ts'

export const replyPurposes = { question: 'Questions', rejection: 'Rejections' } as const
export type ReplyPurpose = keyof typeof replyPurposes

/** Written in braces: `{app}`. */
export const replyFields = {
  app: 'The app’s name',
  organization: 'The organization’s name',
  'due date': `The last day to answer or to appeal, ${registrationTimes.silentDaysMax} days from now`,
} as const
type ReplyField = keyof typeof replyFields
export type ReplyFacts = Readonly<Record<ReplyField, string>>

/** Of an answer and of an appeal alike. */
export const replyDays = registrationTimes.silentDaysMax
export const savedRepliesMax = 200
export const replyTitleLength = { min: 3, max: 80 } as const

const field = /\{([^{}\n]*)\}/g

/** The first field of a text that is none of the table; null when each is. */
export function findUnknownField(text: string): string | null {
  for (const [, name = ''] of text.matchAll(field)) if (!Object.hasOwn(replyFields, name)) return name
  return null
}

/** The text with the facts in place of its fields. What a fact says is not read again. */
export function fillReply(text: string, facts: ReplyFacts): string {
  return text.replace(field, (whole, name: string) =>
    Object.hasOwn(replyFields, name) ? facts[name as ReplyField] : whole,
  )
}
