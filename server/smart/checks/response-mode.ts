/** Only `query` is supported. https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html#ResponseModes */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkResponseMode: AuthorizeCheck = ({ parameters }) => {
  if ((parameters.get('response_mode') ?? 'query') !== 'query') throw refuse('response_mode')
}
