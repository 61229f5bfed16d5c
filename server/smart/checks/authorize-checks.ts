/**
 * The checks of an authorize request, in their order of security. First who asks and where an answer may go: until
 * both are known a refusal is a page, never a redirect. Then what makes the exchange safe, then whether the practice
 * lets the app in, and last what it asks for: a refusal tells nothing that an earlier one keeps.
 */
import { checkAppAtPractice } from './app-at-practice.ts'
import { checkAppForPeople } from './app-for-people.ts'
import { checkAudience } from './audience.ts'
import type { AuthorizeCheck } from './authorize-check.ts'
import { checkClient } from './client.ts'
import { checkLaunch } from './launch.ts'
import { checkPkce } from './pkce.ts'
import { checkPracticePolicy } from './practice-policy.ts'
import { checkPrompt } from './prompt.ts'
import { checkRedirectUri } from './redirect-uri.ts'
import { checkRequestObject } from './request-object.ts'
import { checkResponseMode } from './response-mode.ts'
import { checkResponseType } from './response-type.ts'
import { checkScope } from './scope.ts'
import { checkState } from './state.ts'

export const authorizeChecks: readonly AuthorizeCheck[] = [
  checkClient,
  checkRedirectUri,
  // From here on a refusal goes back to the app.
  checkRequestObject,
  checkResponseType,
  checkResponseMode,
  checkState,
  checkPkce,
  checkAudience,
  checkPrompt,
  checkAppForPeople,
  checkPracticePolicy,
  checkAppAtPractice,
  checkScope,
  checkLaunch,
]
