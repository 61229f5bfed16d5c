/** Who does something in the portal, and from where. */
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
    /** Public id of the session row. */
    sessionId: string
    /** When the password was last given, for step-up. */
    authenticatedAt: Date
    /** When the second step was last given; `not_asked` for a demonstration sign-in; left out: never. */
    mfa?: Date | 'not_asked'
    /** What the person says of warnings about their text in this request. */
    textReview?: TextReview
  }>
