/**
 * Redirect URIs are compared as they stand, so they are written as they are used.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7
 */
import { findRedirectUriFault } from '../../../contract/smart/redirect-uris.ts'
import { type Fault, type LintRule, shorten } from './lint-rule.ts'

const field = 'redirectUris'

export const redirects: LintRule = {
  id: 'redirects',
  check: 'redirects',
  passed: ({ audience }) =>
    audience === 'backend'
      ? 'A backend system needs no redirect URI.'
      : 'Every redirect URI has an allowed form. We did not open any.',
  find: ({ audience, clientType, redirectUris }) => {
    if (audience === 'backend')
      return redirectUris.length === 0
        ? []
        : [{ field, reason: 'A backend system can’t have a redirect URI.', fix: 'Clear this field.' }]
    if (redirectUris.length === 0)
      return [{ field, reason: 'Add a redirect URI.', fix: 'People return to it after signing in.' }]
    return redirectUris.flatMap((uri, index) => {
      const which = redirectUris.length === 1 ? 'The redirect URI' : `Redirect URI ${index + 1}`
      return faultsOf(uri, which, clientType)
    })
  },
}

function faultsOf(uri: string, which: string, clientType: string): Fault[] {
  const fault = findRedirectUriFault(uri)
  if (fault !== null)
    return [{ field, reason: which === 'The redirect URI' ? fault : `${which}: ${fault}`, fix: fixOf(uri) }]
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && clientType === 'client_secret_basic')
    return [
      {
        field,
        reason: `${which} points to a person’s device, where an app can’t keep a secret.`,
        fix: 'In production, use an https URL of your server, or make it a public app with PKCE.',
      },
    ]
  if (protocol === 'http:' && hostname === 'localhost')
    return [
      {
        field,
        severity: 'hint',
        reason: `${which} uses localhost, so the port must match, and another program could receive the response.`,
        fix: `Prefer ${shorten(uri.replace('//localhost', '//127.0.0.1'))}, which works with any port.`,
      },
    ]
  return []
}

function fixOf(uri: string): string {
  if (/^http:\/\//i.test(uri)) return `Change it to ${shorten(uri.replace(/^http:/i, 'https:'))}`
  if (uri.includes('#')) return `Remove everything from # on: ${shorten(uri.slice(0, uri.indexOf('#')))}`
  if (uri.includes('*')) return 'Enter one URI per line.'
  return 'Enter the exact URI, such as https://app.example.com/callback.'
}
