/** How a request says which app it is from: by header, by assertion, or by name alone. */
import { refuse } from '../contract/smart/oauth-errors.ts'
import type { ClientCredentials } from '../domain/clients/client-authentication.ts'
import type { Parameters } from './parameters.ts'

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.2 */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** @throws Problem `client_missing`, `client_ambiguous`, `secret_in_body`, `malformed_basic`, `wrong_assertion_type` */
export function parseCredentials(authorization: string | null, form: Parameters): ClientCredentials {
  const clientId = form.get('client_id') ?? null
  const assertion = form.get('client_assertion') ?? null
  const hasAssertion = assertion !== null || form.has('client_assertion_type')
  const hasHeader = authorization !== null && authorization.trim() !== ''
  if (hasHeader && hasAssertion) throw refuse('client_ambiguous')
  if (form.has('client_secret'))
    throw refuse(hasHeader || hasAssertion ? 'client_ambiguous' : 'secret_in_body')
  if (hasHeader) return parseBasic(authorization, clientId)
  if (hasAssertion) {
    if (form.get('client_assertion_type') !== assertionType || assertion === null)
      throw refuse('wrong_assertion_type')
    return { kind: 'assertion', assertion, clientId }
  }
  if (clientId === null) throw refuse('client_missing')
  return { kind: 'none', clientId }
}

/** Both parts are form-encoded: https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function parseBasic(authorization: string, clientId: string | null): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]{1,2000})$/i.exec(authorization.trim()) ?? []
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const separator = text.indexOf(':')
  if (separator < 1) throw refuse('malformed_basic')
  const named = decodePart(text.slice(0, separator))
  if (clientId !== null && clientId !== named) throw refuse('client_ambiguous')
  return { kind: 'secret', clientId: named, secret: decodePart(text.slice(separator + 1)) }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refuse('malformed_basic')
  }
}
