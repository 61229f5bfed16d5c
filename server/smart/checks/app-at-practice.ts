/** Checks that the practice allows the app. */
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkAppAtPractice: AuthorizeCheck = (context, { checkClientAtPractice }) =>
  checkClientAtPractice(clientOf(context), context.practice)
