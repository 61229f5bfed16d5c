/** What a registration must be like. https://www.rfc-editor.org/rfc/rfc9700 and RFC 8252 for redirect addresses. */
import { Problem } from '../../contract/http/problems.ts'
import { formatScopes, parseScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { NewClient } from './client-types.ts'
import { checkPublicJwks } from './public-jwks.ts'

const redirectUrisMax = 20
const uriCharactersMax = 1_000
export const clientIdPattern = /^[A-Za-z0-9._~-]{1,128}$/

/** @throws Problem `validation` naming the field at fault */
export function checkNewClient(input: NewClient): { scope: string } {
  if (input.clientId !== undefined && !clientIdPattern.test(input.clientId))
    throw invalid('clientId', 'A client_id has 1 to 128 letters, digits, and . _ ~ -')
  const name = input.name.trim()
  if (name.length < 2 || name.length > 100) throw invalid('name', 'The name has 2 to 100 characters.')
  if ((input.description ?? '').length > 2_000)
    throw invalid('description', 'The description is longer than 2,000 characters.')
  checkAddress('homepage', input.homepage)
  checkAddress('logoUrl', input.logoUrl)
  checkAddress('launchUrl', input.launchUrl)
  checkAuthentication(input)
  checkRedirects(input)
  return { scope: formatScopes(checkScope(input)) }
}

function checkAuthentication({ audience, authentication, jwks, jwksUrl }: NewClient): void {
  if (audience === 'backend' && authentication !== 'private_key_jwt')
    throw invalid('authentication', 'A backend system signs its requests (private_key_jwt).')
  const hasKeys = Boolean(jwks) || Boolean(jwksUrl)
  if (authentication !== 'private_key_jwt') {
    if (hasKeys) throw invalid('jwks', 'Only an app that signs its requests has public keys.')
    return
  }
  if (Boolean(jwks) === Boolean(jwksUrl))
    throw invalid('jwks', 'Give either the public keys themselves or the address they are fetched from.')
  if (jwks) checkPublicJwks(jwks)
  if (jwksUrl) checkJwksUrl(jwksUrl)
}

/** Only the form; where it leads is looked at when it is fetched. */
function checkJwksUrl(text: string): void {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.hash !== '')
    throw invalid(
      'jwksUrl',
      'The address of the keys is an https URL on port 443, without credentials or fragment.',
    )
}

function checkRedirects({ audience, redirectUris = [] }: NewClient): void {
  if (audience === 'backend') {
    if (redirectUris.length > 0) throw invalid('redirectUris', 'A backend system has no redirect address.')
    return
  }
  if (redirectUris.length === 0) throw invalid('redirectUris', 'Give at least one redirect address.')
  if (redirectUris.length > redirectUrisMax)
    throw invalid('redirectUris', `Give ${redirectUrisMax} redirect addresses at most.`)
  for (const uri of redirectUris) {
    const fault = faultOfRedirect(uri)
    if (fault) throw invalid('redirectUris', fault)
  }
}

/** What is wrong with a redirect address, as a sentence; null when it may be registered. */
export function faultOfRedirect(text: string): string | null {
  const url = parseUrl(text)
  if (!url || text.length > uriCharactersMax || /[\s<>"\\^`{|}*]/.test(text))
    return 'A redirect address is a complete URL without wildcards.'
  if (url.hash !== '' || text.includes('#')) return 'A redirect address has no fragment.'
  if (url.username !== '' || url.password !== '') return 'A redirect address holds no credentials.'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:')
    return isLoopback(url) ? null : 'Plain http is for this machine only: 127.0.0.1, [::1] or localhost.'
  // A private-use scheme is a domain name backwards: https://www.rfc-editor.org/rfc/rfc8252#section-7.1
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
    ? null
    : 'The scheme of a native app is a domain name of yours backwards, such as com.example.app.'
}

export function isLoopback(url: URL): boolean {
  return url.hostname === '127.0.0.1' || url.hostname === '[::1]' || url.hostname === 'localhost'
}

function checkScope({ audience, scope }: NewClient): readonly Scope[] {
  const { scopes, refused } = parseScopes(scope)
  const [first] = refused
  if (first) throw invalid('scope', `${first.text.slice(0, 100)}: ${first.reason}`)
  if (scopes.length === 0) throw invalid('scope', 'Name at least one scope.')
  const fits = (each: Scope) =>
    audience === 'backend'
      ? each.kind === 'resource' && each.context === 'system'
      : each.kind === 'launch' || each.context !== 'system'
  if (!scopes.every(fits))
    throw invalid(
      'scope',
      audience === 'backend'
        ? 'A backend system has system/ scopes only.'
        : 'Only backend systems have system/ scopes.',
    )
  return scopes
}

function checkAddress(field: string, text: string | null | undefined): void {
  if (!text) return
  const url = parseUrl(text)
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
  if (!allowed || text.length > uriCharactersMax) throw invalid(field, 'Give a complete https URL.')
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function invalid(field: string, message: string): Problem {
  return new Problem('validation', { field, message })
}
