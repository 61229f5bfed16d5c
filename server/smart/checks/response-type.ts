/** Only `code` is supported: there is no implicit flow. https://www.rfc-editor.org/rfc/rfc6749#section-3.1.1 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkResponseType: AuthorizeCheck = ({ parameters }) => {
  if (parameters.get('response_type') !== 'code') throw refuse('response_type')
}
