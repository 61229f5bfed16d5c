/** With `state`, an app can tell its own requests from forged ones. SMART requires it. */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkState: AuthorizeCheck = ({ parameters }) => {
  if (!parameters.has('state')) throw refuse('state_missing')
}
