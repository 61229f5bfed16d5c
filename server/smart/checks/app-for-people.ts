/** Backend systems are authorized by the practice, not at this address. */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkAppForPeople: AuthorizeCheck = (context) => {
  if (clientOf(context).audience === 'backend') throw refuse('backend_at_authorize')
}
