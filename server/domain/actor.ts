/** The person who makes a request in the portal, and its origin. */
import type { TextReview } from '../contract/text/text-warnings.ts'

/** A request by anyone, signed in or not. */
export type Context = Readonly<{
  ip: string
  userAgent: string
  correlationId: string
}>

/** A signed-in person. */
export type Actor = Context &
  Readonly<{
    accountId: string
    /** The public id of the session. */
    sessionId: string
    /** When the password was last entered, for step-up. */
    authenticatedAt: Date
    /** When the second step was last entered, if ever; `not_asked` for a demonstration account. */
    mfa?: Date | 'not_asked'
    /** The person's overrides of warnings about their texts in this request. */
    textReview?: TextReview
  }>
