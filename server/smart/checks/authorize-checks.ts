/**
 * The checks of an authorize request, in their order of security. First who asks, where an answer may go, and whether
 * the practice lets the app in: until all of that is known, a refusal's page does not even link to the app. Then what
 * makes the exchange safe, and last what the app asks for. No refusal redirects: anybody can register a
 * sandbox app, and this address would send browsers wherever it says.
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
import { checkStateLength } from './state-length.ts'

/** From here on the page of a refusal links back to the app. */
const allowLinkBack: AuthorizeCheck = (request) => {
  request.mayLinkBack = true
}

export const authorizeChecks: readonly AuthorizeCheck[] = [
  checkClient,
  checkStateLength,
  checkRedirectUri,
  checkAppForPeople,
  checkPracticePolicy,
  checkAppAtPractice,
  allowLinkBack,
  checkRequestObject,
  checkResponseType,
  checkResponseMode,
  checkState,
  checkPkce,
  checkAudience,
  checkPrompt,
  checkScope,
  checkLaunch,
]
