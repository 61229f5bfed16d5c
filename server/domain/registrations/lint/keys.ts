/** Public keys, in the form or at the app's key set URL. https://www.rfc-editor.org/rfc/rfc7517 */
import { parseBoundedJson } from '../../../contract/http/json-bounds.ts'
import type { RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import { findJwksFault, secretMembers } from '../../clients/jwks-source.ts'
import { type Fault, type LintRule, parseHttps, shorten } from './lint-rule.ts'

type KeyField = 'jwks' | 'jwksUrl'

const algorithms = ['RS384', 'ES384']

export const keys: LintRule = {
  id: 'keys',
  check: 'keys',
  passed: ({ clientType, jwks }, opened) => {
    if (clientType !== 'private_key_jwt') return 'No public keys are needed.'
    if (jwks !== '') return 'The pasted keys have a usable type, size and key ID.'
    return opened
      ? 'The keys at the key set URL have a usable type, size and key ID.'
      : 'The key set URL is an https URL. We have not fetched its keys yet.'
  },
  find,
  fetch: {
    fields: (form) => (isFetched(form) ? ['jwksUrl'] : []),
    find: async (form, outbound) => {
      const field = 'jwksUrl'
      if (!isFetched(form)) return []
      const response = await outbound.get(form.jwksUrl).catch(() => null)
      if (response === null)
        return [
          {
            field,
            reason: 'The key set URL could not be fetched.',
            fix: 'Serve it publicly on https, within 3 seconds and 256 kB.',
          },
        ]
      if (response.status !== 200)
        return [
          {
            field,
            reason: `The key set URL responded with ${response.status}.`,
            fix: 'It must respond with 200 to anyone.',
          },
        ]
      return faultsOfText(Buffer.from(response.body).toString('utf8'), field)
    },
  },
}

function isFetched(form: RegistrationForm): boolean {
  return form.clientType === 'private_key_jwt' && form.jwksUrl !== '' && find(form).length === 0
}

function find({ clientType, jwks, jwksUrl }: RegistrationForm): readonly Fault[] {
  if (clientType !== 'private_key_jwt')
    return jwks === '' && jwksUrl === ''
      ? []
      : [
          {
            field: jwks === '' ? 'jwksUrl' : 'jwks',
            reason: 'Only an app that signs its requests can have public keys.',
            fix: 'Remove the keys, or choose “Signs its requests”.',
          },
        ]
  if (jwks === '' && jwksUrl === '')
    return [
      {
        field: 'jwksUrl',
        reason: 'Add the public keys.',
        fix: 'Enter the URL that serves them, or paste the key set.',
      },
    ]
  if (jwks !== '' && jwksUrl !== '')
    return [
      {
        field: 'jwks',
        reason: 'You entered both a key set and a key set URL. Use only one.',
        fix: 'Keep the URL and remove the pasted keys.',
      },
    ]
  if (jwks !== '') return faultsOfText(jwks, 'jwks')
  const url = parseHttps(jwksUrl)
  return url && url.port === '' && url.hash === ''
    ? []
    : [
        {
          field: 'jwksUrl',
          reason: 'The key set URL isn’t an https URL on port 443.',
          fix: 'Enter the complete https URL, without port, credentials or #.',
        },
      ]
}

/** The errors of a key set. They repeat only the kid of a key. */
function faultsOfText(text: string, field: KeyField): readonly Fault[] {
  const keys = parseKeys(text)
  if (keys === null)
    return [
      { field, reason: 'This is not a JWKS.', fix: 'A JWKS is JSON: an object with an array named keys.' },
    ]
  if (keys.some((key) => secretMembers.some((name) => name in key)))
    return [
      {
        field,
        reason: 'A key contains its private part.',
        fix: 'Stop using this key, create a new one, and publish only its public part (kty, kid, use, alg, and n, e or crv, x, y).',
      },
    ]
  const fault = findJwksFault({ keys })
  if (fault !== null)
    return [
      {
        field,
        reason: fault,
        fix: 'Publish RSA keys of at least 2,048 bits, or EC keys with the curve P-384.',
      },
    ]
  const kids = keys.map(({ kid }) => String(kid))
  const twice = kids.find((kid, index) => kids.indexOf(kid) !== index)
  if (twice !== undefined)
    return [
      {
        field,
        reason: `Two keys have the kid ${shorten(twice, 40)}.`,
        fix: 'Give every key a unique kid.',
      },
    ]
  const other = keys.find(({ alg }) => alg !== undefined && !algorithms.includes(String(alg)))
  if (other)
    return [
      {
        field,
        reason: `The key ${shorten(String(other.kid), 40)} is for ${shorten(String(other.alg), 20)}.`,
        fix: 'Sign with RS384 or ES384. Set alg accordingly or omit it.',
      },
    ]
  return []
}

function parseKeys(text: string): readonly Record<string, unknown>[] | null {
  try {
    const value: unknown = parseBoundedJson(text)
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : null
    const areObjects = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)
    return areObjects ? (keys as Record<string, unknown>[]) : null
  } catch {
    return null
  }
}
