/** Backend systems do not use the authorization endpoint: practices authorize them in their console. */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkAppForPeople: AuthorizeCheck = (context) => {
  if (clientOf(context).audience === 'backend') throw refuse('backend_at_authorize')
}
