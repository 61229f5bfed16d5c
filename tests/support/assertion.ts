/** Signed client assertions, right or as wrong as a test wants them. */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export type AssertionKey = { alg: 'RS384' | 'ES384'; kid: string; publicJwk: JWK; privateKey: CryptoKey }

export async function makeAssertionKey(
  alg: 'RS384' | 'ES384',
  kid: string = randomUUID(),
): Promise<AssertionKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  return { alg, kid, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, privateKey }
}

type Options = {
  key: AssertionKey
  clientId: string
  audience: string
  now: Date
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
}

/** @param options claims and header fields given here take the place of the right ones */
export function signAssertion({ key, clientId, audience, now, header, claims }: Options): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT({
    iss: clientId,
    sub: clientId,
    aud: audience,
    exp: seconds + 240,
    iat: seconds,
    jti: randomUUID(),
    ...claims,
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey)
}
