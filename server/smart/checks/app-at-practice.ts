/** The app may be used at this practice. */
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkAppAtPractice: AuthorizeCheck = (of, { checkClientAtPractice }) =>
  checkClientAtPractice(clientOf(of), of.practice)
