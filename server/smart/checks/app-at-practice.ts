/** The app may be used at this practice. */
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkAppAtPractice: AuthorizeCheck = (context, { checkClientAtPractice }) =>
  checkClientAtPractice(clientOf(context), context.practice)
