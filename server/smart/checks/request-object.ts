/** Refuses parameters inside of a JWT. https://openid.net/specs/openid-connect-core-1_0.html#JWTRequests */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkRequestObject: AuthorizeCheck = ({ parameters }) => {
  if (parameters.has('request') || parameters.has('request_uri')) throw refuse('request_object')
}
