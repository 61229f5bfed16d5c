/** Validates the fields of a client. https://www.rfc-editor.org/rfc/rfc9700, and RFC 8252 for redirect URIs. */
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { findRedirectUriFault, isLoopback } from '../../contract/smart/redirect-uris.ts'
import { formatScopes, type ParsedScopes, parseScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { NewClient } from './client-types.ts'
import { findJwksFault } from './jwks-source.ts'

const redirectUrisMax = 20
const uriCharactersMax = 1_000
export const clientIdPattern = /^[A-Za-z0-9._~-]{1,128}$/

type ClientFault = Readonly<{ field: string; message: string }>

/** @throws Problem `validation` naming the first field at fault */
export function checkNewClient(input: NewClient): { scope: string } {
  const [fault] = findClientFaults(input)
  if (fault) throw new Problem('validation', fault)
  return { scope: formatScopes(parseScopes(input.scope).scopes) }
}

/** All errors that prevent an app's registration, in field order; empty if it is valid. */
export function findClientFaults(input: NewClient): readonly ClientFault[] {
  const name = input.name.trim()
  const { homepage, logoUrl, launchUrl } = input
  return [
    ...(input.clientId !== undefined && !clientIdPattern.test(input.clientId)
      ? [fault('clientId', 'A client_id has 1 to 128 letters, digits, and . _ ~ -')]
      : []),
    ...(name.length < 2 || name.length > 100
      ? [fault('name', 'The name must have 2 to 100 characters.')]
      : []),
    ...((input.description ?? '').length > 2_000
      ? [fault('description', 'The description is longer than 2,000 characters.')]
      : []),
    ...Object.entries({ homepage, logoUrl, launchUrl }).flatMap(([field, text]) =>
      isAddress(text) ? [] : [fault(field, 'Enter a complete https URL.')],
    ),
    ...findAuthenticationFaults(input),
    ...findRedirectFaults(input),
    ...findScopeFaults(input),
  ]
}

function findAuthenticationFaults({ audience, authentication, jwks, jwksUrl }: NewClient): ClientFault[] {
  const method =
    audience === 'backend' && authentication !== 'private_key_jwt'
      ? [fault('authentication', 'A backend system must sign its requests (private_key_jwt).')]
      : []
  if (authentication !== 'private_key_jwt')
    return jwks || jwksUrl
      ? [
          ...method,
          fault(jwks ? 'jwks' : 'jwksUrl', 'Only an app that signs its requests can have public keys.'),
        ]
      : method
  if (Boolean(jwks) === Boolean(jwksUrl))
    return [fault(jwks ? 'jwks' : 'jwksUrl', 'Enter either the public keys or the URL that serves them.')]
  const keys = jwks ? findJwksFault(jwks) : null
  if (keys !== null) return [fault('jwks', keys)]
  // Only the syntax is checked here; the host is checked when the URL is fetched.
  const url = jwksUrl ? parseUrl(jwksUrl) : null
  return jwksUrl && (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.hash !== '')
    ? [fault('jwksUrl', 'The key set URL must be an https URL on port 443, without credentials or fragment.')]
    : []
}

function findRedirectFaults({ audience, redirectUris = [] }: NewClient): ClientFault[] {
  const field = 'redirectUris'
  if (audience === 'backend')
    return redirectUris.length > 0 ? [fault(field, 'A backend system can’t have a redirect URI.')] : []
  if (redirectUris.length === 0) return [fault(field, 'Add a redirect URI.')]
  if (redirectUris.length > redirectUrisMax)
    return [fault(field, `Enter at most ${redirectUrisMax} redirect URIs.`)]
  return redirectUris.flatMap((uri) => {
    const wrong = findRedirectUriFault(uri)
    return wrong === null ? [] : [fault(field, wrong)]
  })
}

function findScopeFaults({ audience, scope }: NewClient): ClientFault[] {
  const field = 'scope'
  const parsed = parse(scope)
  if (typeof parsed === 'string') return [fault(field, parsed)]
  const { scopes, refused } = parsed
  const [first] = refused
  if (first) return [fault(field, `${first.text.slice(0, 100)}: ${first.reason}`)]
  if (scopes.length === 0) return [fault(field, 'Enter at least one scope.')]
  const isForBackends = (item: Scope) => item.kind === 'resource' && item.context === 'system'
  if (audience === 'backend')
    return scopes.every(isForBackends) ? [] : [fault(field, 'A backend system can have system/ scopes only.')]
  return scopes.some(isForBackends) ? [fault(field, 'Only backend systems can have system/ scopes.')] : []
}

function parse(text: string): ParsedScopes | string {
  try {
    return parseScopes(text)
  } catch (error) {
    if (isProblem(error)) return error.message
    throw error
  }
}

function isAddress(text: string | null | undefined): boolean {
  if (!text) return true
  const url = parseUrl(text)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  return isAllowed && text.length <= uriCharactersMax
}

const parseUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

const fault = (field: string, message: string): ClientFault => ({ field, message })
