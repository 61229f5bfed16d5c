/**
 * The checks of a client assertion, in order. The token endpoint and the Assertion Doctor share them.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html
 */
import { compactVerify, importJWK, type JWK } from 'jose'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'

export const assertionAlgorithms = ['RS384', 'ES384'] as const

/** A parsed assertion, and the values that it is checked against. */
export type AssertionCase = Readonly<{
  text: string
  header: Readonly<Record<string, unknown>> | null
  claims: Readonly<Record<string, unknown>> | null
  clientId: string
  /** The URL that a `jku` must have. */
  jwksUrl: string | null
  keys: readonly Readonly<Record<string, unknown>>[]
  keysFailure: string | null
  tokenUrl: string
  issuer: string
  now: Date
  /** Whether this app has used the jti before. */
  jtiUsed: boolean
}>

type CheckResult =
  | Readonly<{ outcome: 'passed'; found: string | null }>
  | Readonly<{ outcome: 'failed'; found: string | null; fix: string }>

type AssertionCheck = Readonly<{
  name: string
  title: string
  /** The checks that must have passed before this one can run. */
  needs?: readonly string[]
  run(context: AssertionCase): CheckResult | Promise<CheckResult>
}>

const skew = smartLifetimes.clockSkewSeconds

export const assertionChecks: readonly AssertionCheck[] = [
  {
    name: 'form',
    title: 'It is a signed JWT: three parts, two of which are JSON objects.',
    run: ({ header, claims }) =>
      header && claims
        ? passed(null)
        : failed(null, 'Send the compact form, header.payload.signature, each part in base64url.'),
  },
  {
    name: 'type',
    title: 'The header’s typ is JWT or missing.',
    needs: ['form'],
    run: ({ header }) => {
      const typ = header?.typ
      const isJwt = typ === undefined || (typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ))
      return isJwt ? passed(truncate(typ)) : failed(truncate(typ), 'Set typ to JWT in the header.')
    },
  },
  {
    name: 'algorithm',
    title: 'The algorithm is RS384 or ES384.',
    needs: ['form'],
    run: ({ header }) =>
      isAlgorithm(header?.alg)
        ? passed(truncate(header?.alg))
        : failed(truncate(header?.alg), 'Sign with RS384 or ES384, and set alg in the header.'),
  },
  {
    name: 'key address',
    title: 'If jku is present, it is the registered key set URL.',
    needs: ['form'],
    run: ({ header, jwksUrl }) =>
      header?.jku === undefined || (jwksUrl !== null && header.jku === jwksUrl)
        ? passed(truncate(header?.jku))
        : failed(truncate(header.jku), 'Remove jku, or set it to the key set URL registered for the app.'),
  },
  {
    name: 'issuer',
    title: 'iss and sub are the client_id.',
    needs: ['form'],
    run: ({ claims, clientId }) =>
      claims?.iss === clientId && claims.sub === clientId
        ? passed(truncate(claims.iss))
        : failed(
            `iss ${truncate(claims?.iss)}, sub ${truncate(claims?.sub)}`,
            `Set both iss and sub to ${clientId}.`,
          ),
  },
  {
    name: 'audience',
    title: 'aud names the token endpoint or the issuer.',
    needs: ['form'],
    // SMART requires the token endpoint; many OpenID Connect libraries send the issuer, or both.
    run: ({ claims, tokenUrl, issuer }) => {
      const aud = claims?.aud
      const isRight = [aud].flat().some((audience) => audience === tokenUrl || audience === issuer)
      return isRight ? passed(truncate(aud)) : failed(truncate(aud), `Set aud to ${tokenUrl}`)
    },
  },
  {
    name: 'expiry',
    title: 'exp is in the future, by five minutes at most.',
    needs: ['form'],
    run: ({ claims, now }) => checkExpiry(claims?.exp, seconds(now)),
  },
  {
    name: 'issued',
    title: 'iat and nbf, if present, are not in the future.',
    needs: ['form'],
    run: ({ claims, now }) => {
      const ahead = (['iat', 'nbf'] as const).find((name) => {
        const value = claims?.[name]
        return value !== undefined && (typeof value !== 'number' || value > seconds(now) + skew)
      })
      return ahead
        ? failed(
            `${ahead} ${truncate(claims?.[ahead])}`,
            `Set ${ahead} to the current time, and synchronize the clock by NTP.`,
          )
        : passed(truncate(claims?.iat))
    },
  },
  {
    name: 'jti form',
    title: 'jti is a string of 1 to 255 characters.',
    needs: ['form'],
    run: ({ claims }) =>
      isJti(claims?.jti)
        ? passed(truncate(claims?.jti))
        : failed(truncate(claims?.jti), 'Give every assertion its own jti, such as a random UUID.'),
  },
  {
    name: 'key',
    title: 'kid names one of the app’s public keys that fits the algorithm.',
    needs: ['algorithm'],
    run: (context) => {
      const { header, keys, keysFailure } = context
      if (keyOf(context)) return passed(truncate(header?.kid))
      const known = keys.map(({ kid }) => String(kid).slice(0, 60)).join(', ') || 'none'
      const why = keysFailure ? `${keysFailure} ` : ''
      return failed(
        truncate(header?.kid),
        `${why}Set kid in the header to the kid of a key published for the app (known here: ${known}), RSA for RS384, EC P-384 for ES384.`,
      )
    },
  },
  {
    name: 'signature',
    title: 'The signature was made with this key.',
    needs: ['key'],
    run: async (context) => {
      const key = keyOf(context)
      const alg = context.header?.alg
      try {
        if (!key || !isAlgorithm(alg)) throw new Error('no key')
        await compactVerify(context.text, await importJWK(key as JWK, alg), { algorithms: [alg] })
        return passed(null)
      } catch {
        return failed(null, 'Sign exactly these bytes with the private key that belongs to kid.')
      }
    },
  },
  {
    name: 'jti used',
    title: 'jti was not used before.',
    needs: ['jti form', 'signature'],
    run: ({ jtiUsed }) =>
      jtiUsed ? failed(null, 'Create a new assertion with a new jti for every request.') : passed(null),
  },
]

function checkExpiry(exp: unknown, now: number): CheckResult {
  if (typeof exp !== 'number' || !Number.isFinite(exp))
    return failed(truncate(exp), 'Set exp to a number: seconds since 1970, at most five minutes from now.')
  if (exp + skew <= now)
    return failed(
      `${Math.round(now - exp)} s ago`,
      'Create the assertion right before you send it, and check the clock.',
    )
  if (exp > now + smartLifetimes.assertionSecondsMax + skew)
    return failed(`${Math.round(exp - now)} s ahead`, 'Set exp to at most five minutes from now.')
  return passed(`${Math.round(exp - now)} s ahead`)
}

function keyOf({ header, keys }: AssertionCase): Readonly<Record<string, unknown>> | undefined {
  const kty = header?.alg === 'RS384' ? 'RSA' : 'EC'
  return keys.find(
    (key) => key.kid === header?.kid && key.kty === kty && (key.alg === undefined || key.alg === header?.alg),
  )
}

export function isJti(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 255 && !value.includes('\0')
}

function isAlgorithm(value: unknown): value is (typeof assertionAlgorithms)[number] {
  return assertionAlgorithms.some((name) => name === value)
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
const passed = (found: string | null): CheckResult => ({ outcome: 'passed', found })
const failed = (found: string | null, fix: string): CheckResult => ({ outcome: 'failed', found, fix })

/** Only these fields of an assertion are shown and stored, truncated, because an assertion may contain anything. */

const headerFields = ['alg', 'kid', 'typ', 'jku'] as const
const claimFields = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'] as const
const valueMax = 200

type JsonFields = Readonly<Record<string, unknown>>

export const shownHeader = (header: JsonFields | null) => pick(header, headerFields)
export const shownClaims = (claims: JsonFields | null) => pick(claims, claimFields)

/**
 * Shortens a value to one line, without control characters and lone surrogates, which the database rejects.
 */
function truncate(value: unknown): string {
  if (value === undefined) return 'missing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Array.from(text.replace(/[\p{Cc}\p{Cs}]/gu, ' '))
    .slice(0, valueMax)
    .join('')
}

function pick(values: JsonFields | null, names: readonly string[]): Record<string, string> {
  const found = names.filter((name) => values !== null && Object.hasOwn(values, name))
  return Object.fromEntries(found.map((name) => [name, truncate(values?.[name])]))
}
