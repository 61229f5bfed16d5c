/**
 * Redirect URIs are compared as strings, so each must be registered exactly as the app uses it.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7
 */
import { findRedirectUriFault, isLoopback } from '../../../contract/smart/redirect-uris.ts'
import { fieldLabels, type RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { type Fault, type LintRule, parseHttps, shorten } from './lint-rule.ts'

const redirectField = 'redirectUris'

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
        : [
            {
              field: redirectField,
              reason: 'A backend system can’t have a redirect URI.',
              fix: 'Clear this field.',
            },
          ]
    if (redirectUris.length === 0)
      return [
        { field: redirectField, reason: 'Add a redirect URI.', fix: 'People return to it after signing in.' },
      ]
    return redirectUris.flatMap((uri, index) => {
      const which = redirectUris.length === 1 ? 'The redirect URI' : `Redirect URI ${index + 1}`
      return faultsOf(uri, which, clientType)
    })
  },
}

function faultsOf(uri: string, which: string, clientType: string): Fault[] {
  const fault = findRedirectUriFault(uri)
  if (fault !== null)
    return [
      {
        field: redirectField,
        reason: which === 'The redirect URI' ? fault : `${which}: ${fault}`,
        fix: fixOf(uri),
      },
    ]
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && clientType === 'client_secret_basic')
    return [
      {
        field: redirectField,
        reason: `${which} points to a person’s device, where an app can’t keep a secret.`,
        fix: 'In production, use an https URL of your server, or make it a public app with PKCE.',
      },
    ]
  if (protocol === 'http:' && hostname === 'localhost')
    return [
      {
        field: redirectField,
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

// The launch URL, which an EHR opens. https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch

const launchField = 'launchUrl'

export const launchAddress: LintRule = {
  id: 'launch-address',
  check: 'redirects',
  passed: ({ audience, launchUrl }) => {
    if (launchUrl !== '')
      return 'The launch URL is complete, and the app requests the scope launch. We did not open it.'
    return audience === 'backend'
      ? 'A backend system needs no launch URL.'
      : 'The app doesn’t request the scope launch, so it needs no launch URL.'
  },
  find: ({ audience, launchUrl, scope }) => {
    const scopes = scope.split(' ')
    if (audience === 'backend')
      return launchUrl === ''
        ? []
        : [
            {
              field: launchField,
              reason: 'A backend system can’t have a launch URL.',
              fix: 'Clear this field.',
            },
          ]
    if (launchUrl === '')
      return scopes.includes('launch')
        ? [
            {
              field: launchField,
              reason: 'Add a launch URL because the app requests the scope launch.',
              fix: 'Enter the URL that an EHR opens, or remove the scope launch.',
            },
          ]
        : []
    const url = URL.canParse(launchUrl) ? new URL(launchUrl) : null
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
    if (!url || !isSafe || url.hash !== '' || url.username !== '')
      return [
        {
          field: launchField,
          reason: 'The launch URL isn’t a complete https URL.',
          fix: 'Enter it without credentials and without #. On your own machine, you can use http://localhost.',
        },
      ]
    return scopes.includes('launch')
      ? []
      : [
          {
            field: launchField,
            severity: 'hint',
            reason: 'Without the scope launch, the app can’t know which patient is open in the EHR.',
            fix: 'Add the scope launch in the scope studio.',
          },
        ]
  },
}

// The website, the privacy policy and the terms of use must be publicly readable.

const fields = ['website', 'privacyUrl', 'termsUrl'] as const

/** Statuses that a server may send to a program but not to a browser. */
const botStatuses = new Set([401, 403, 405, 406, 429])

export const links: LintRule = {
  id: 'links',
  check: 'links',
  passed: (_, opened) =>
    opened
      ? 'Website, privacy policy and terms of use opened successfully.'
      : 'Website, privacy policy and terms of use are https URLs. We have not opened them yet.',
  find: (form) =>
    fields.flatMap((field): Fault[] => {
      if (form[field] === '')
        return [
          {
            field,
            reason: `Add the ${fieldLabels[field].toLowerCase()}.`,
            fix: 'Enter its complete https URL.',
          },
        ]
      return parseHttps(form[field])
        ? []
        : [
            {
              field,
              reason: `${fieldLabels[field]}: this isn’t an https URL.`,
              fix: 'Enter the complete URL, starting with https:// and without credentials.',
            },
          ]
    }),
  fetch: {
    fields: addressesOf,
    find: async (form, outbound) => {
      const found = await Promise.all(
        addressesOf(form).map(async (field) =>
          faultOfStatus(form, field, await statusOf(form[field], outbound)),
        ),
      )
      return found.filter((fault) => fault !== null)
    },
  },
}

function addressesOf(form: RegistrationForm): readonly (typeof fields)[number][] {
  return fields.filter((field) => parseHttps(form[field]))
}

function faultOfStatus(
  form: RegistrationForm,
  field: (typeof fields)[number],
  status: number | null,
): Fault | null {
  if (status !== null && status < 400) return null
  const what = `${fieldLabels[field]}: ${shorten(form[field])}`
  if (status !== null && botStatuses.has(status))
    return {
      field,
      severity: 'hint',
      reason: `${what} responded with ${status}.`,
      fix: 'Make sure it opens in a browser without signing in. A reviewer opens it that way.',
    }
  return {
    field,
    reason: status === null ? `${what} could not be reached.` : `${what} responded with ${status}.`,
    fix: 'Publish the page at a public https URL on port 443, or correct the URL.',
  }
}

/** Null when there is no response. */
async function statusOf(address: string, outbound: Outbound): Promise<number | null> {
  try {
    return (await outbound.get(address, { accept: 'text/html, */*;q=0.1', readsBody: false })).status
  } catch {
    return null
  }
}
