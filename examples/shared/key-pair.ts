/** A key pair of one's own for `private_key_jwt`. The private key never leaves this machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as oauth from 'openid-client'
import { explain } from './explain.ts'

/** Reads the key pair of the folder; the first time it makes one and prints the public key set. */
export async function ownKeyPair(folder: string) {
  const file = join(folder, 'private-key.json')
  const isNew = !existsSync(file)
  if (isNew) {
    mkdirSync(folder, { recursive: true })
    const { privateKey } = await generateKeyPair('ES384', { extractable: true })
    writeFileSync(file, JSON.stringify(await exportJWK(privateKey)), { mode: 0o600, flag: 'wx' })
  }
  const jwk = JSON.parse(readFileSync(file, 'utf8')) as JWK
  const { kty, crv, x, y } = jwk
  const kid = await calculateJwkThumbprint(jwk)
  const publicKeys = JSON.stringify({ keys: [{ kty, crv, x, y, kid, use: 'sig', alg: 'ES384' }] })
  if (isNew)
    console.log(
      `A new key pair is in ${file}.\nRegister its public key set (Apps, Sample apps):\n${publicKeys}\n`,
    )
  return { isNew, kid, key: (await importJWK(jwk, 'ES384')) as CryptoKey }
}

/** Reads the server's SMART configuration, for a client that signs its requests. */
export async function discover(
  base: string,
  clientId: string,
  keyPair: { key: CryptoKey; kid: string },
): Promise<oauth.Configuration> {
  const authentication = oauth.PrivateKeyJwt(keyPair, {
    // SMART wants the token endpoint as the audience; the library names the issuer.
    [oauth.modifyAssertion]: (_header, claims) => {
      claims.aud = config.serverMetadata().token_endpoint ?? ''
    },
  })
  const config = await oauth
    .discovery(
      new URL(`${base}/.well-known/smart-configuration`),
      clientId,
      undefined,
      authentication,
      // For a sandbox on this machine; the library refuses http otherwise.
      base.startsWith('http:') ? { execute: [oauth.allowInsecureRequests] } : {},
    )
    .catch((error) => {
      console.error(`No SMART configuration at ${base}. ${explain(error)}`)
      process.exit(1)
    })
  return config
}
