/**
 * The checks of an authorization request, in the order of security. The first ones check the client, its redirect URI and
 * whether the practice allows the app: before that, the error page does not link to the app. Then come the checks of the
 * protocol, and last those of the scopes. No error redirects, because anyone can register a sandbox app, and this endpoint
 * would be an open redirect.
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

/** After this step, error pages link back to the app. */
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
