/**
 * Redirect addresses are compared as they stand, so they are written as they are used.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7
 */
import { faultOfRedirect, isLoopback } from '../../clients/client-fields.ts'
import { type Fault, type LintRule, shorten } from './lint-rule.ts'

const field = 'redirectUris'

export const redirects: LintRule = {
  id: 'redirects',
  check: 'redirects',
  passed: 'Every redirect address is exact, and leads back safely.',
  find: ({ audience, clientType, redirectUris }) => {
    if (audience === 'backend')
      return redirectUris.length === 0
        ? []
        : [{ field, reason: 'A backend system has no redirect address.', fix: 'Take the addresses out.' }]
    if (redirectUris.length === 0)
      return [
        {
          field,
          reason: 'There is no redirect address.',
          fix: 'Give the address to which the sign-in sends its answer.',
        },
      ]
    return redirectUris.flatMap((uri, index) => faultsOf(uri, index + 1, clientType))
  },
}

function faultsOf(uri: string, number: number, clientType: string): Fault[] {
  const fault = faultOfRedirect(uri)
  if (fault !== null) return [{ field, reason: `Redirect ${number}: ${fault}`, fix: fixOf(uri) }]
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && clientType === 'client_secret_basic')
    return [
      {
        field,
        reason: `Redirect ${number} leads to a device, and the app has a secret: on a device it is none.`,
        fix: 'Make it a public app with PKCE, or use an https address of your server.',
      },
    ]
  if (isLoopback(new URL(uri)) && hostname === 'localhost' && protocol === 'http:')
    return [
      {
        field,
        severity: 'hint',
        reason: `Redirect ${number} uses the name localhost, which another program may answer.`,
        fix: `Prefer ${shorten(uri.replace('//localhost', '//127.0.0.1'))}`,
      },
    ]
  return []
}

function fixOf(uri: string): string {
  if (/^http:\/\//i.test(uri)) return `Change it to ${shorten(uri.replace(/^http:/i, 'https:'))}`
  if (uri.includes('#')) return `Leave out the part from # on: ${shorten(uri.slice(0, uri.indexOf('#')))}`
  if (uri.includes('*')) return 'Write out each address that is used, one a line.'
  return 'Give the exact address, such as https://app.example.com/callback.'
}
