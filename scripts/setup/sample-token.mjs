import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { SetupError } from '../setup-error.mjs'

/** The sample app that needs no browser: it signs for itself (seed/demo.ts). */
const clientId = 'sample-backend-system'

/** @param {string} folder of the data */
export const sampleAppsFile = (folder) => path.join(folder, 'demo-apps.json')

/**
 * An access token of the sample backend system, got as any backend system gets one: an assertion signed with its key,
 * handed to the token endpoint that the base names.
 * https://hl7.org/fhir/smart-app-launch/backend-services.html#obtain-access-token
 * @param {{ base: string, folder: string, scope: string, now?: Date, fetch?: typeof globalThis.fetch }} options base:
 *   FHIR base of the practice
 * @returns {Promise<string>}
 * @throws {SetupError} with what to do about it
 */
export async function fetchSampleToken({ base, folder, scope, now = new Date(), fetch = globalThis.fetch }) {
  const privateJwk = readKey(folder)
  const { token_endpoint: endpoint } = await ask(fetch, `${base}/.well-known/smart-configuration`)
  // The key speaks to the server it was made for, not to one that is named in an answer.
  if (typeof endpoint !== 'string' || new URL(endpoint).origin !== new URL(base).origin)
    throw new SetupError(`${base} is not a FHIR base URL of a running Sandpiper.`)
  const { importJWK, SignJWT } = await import('jose')
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iss: clientId, sub: clientId, aud: endpoint, iat: seconds, exp: seconds + 120 }
  const assertion = await new SignJWT({ ...claims, jti: randomUUID() })
    .setProtectedHeader({ alg: privateJwk.alg, kid: privateJwk.kid, typ: 'JWT' })
    .sign(await importJWK(privateJwk))
  const { access_token: token } = await ask(fetch, endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  })
  return token
}

/** @param {string} folder */
function readKey(folder) {
  const file = sampleAppsFile(folder)
  try {
    const { privateJwk } = JSON.parse(fs.readFileSync(file, 'utf8'))[clientId]
    if (privateJwk.alg && privateJwk.kid) return privateJwk
  } catch {
    // Told below, like a file that holds something else.
  }
  throw new SetupError(
    `${file} has no key for ${clientId}. The first npm start creates it. If the server uses another DATA_DIR, set it here too.`,
  )
}

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {RequestInit} [init]
 */
async function ask(fetch, url, init) {
  const answer = await fetch(url, init).catch(() => {
    throw new SetupError(`No server responds at ${new URL(url).origin}. Is npm start running?`)
  })
  const body = await answer.json().catch(() => null)
  if (answer.ok && body !== null) return body
  const said = body?.error_description ?? body?.error ?? `status ${answer.status}`
  throw new SetupError(`${url} refused: ${said}`)
}
