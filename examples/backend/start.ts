/** A backend system: exports a practice in bulk, the first time everything, then what changed since. Nobody signs in. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as oauth from 'openid-client'
import { explain } from '../shared/explain.ts'
import { discover, ownKeyPair } from '../shared/key-pair.ts'
import { readOptions } from '../shared/options.ts'

type Manifest = {
  transactionTime: string
  output: { type: string; url: string; count: number }[]
  error: { url: string }[]
}

const { base, clientId, folder, types } = readOptions()
const keyPair = await ownKeyPair(folder)
const config = await discover(base, clientId, keyPair)

let token: { text: string; expiresAt: number } | undefined

/** A token lives five minutes and has no refresh token: a signed request brings the next one. */
async function currentToken(): Promise<string> {
  if (token === undefined || token.expiresAt < Date.now() + 30_000) {
    const answer = await oauth.clientCredentialsGrant(config, { scope: 'system/*.rs' })
    token = { text: answer.access_token, expiresAt: Date.now() + 1000 * (answer.expiresIn() ?? 0) }
  }
  return token.text
}

/** A request with a current token. When the server is busy it says how long to wait. */
async function call(url: string, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const response = await fetch(url, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${await currentToken()}` },
    })
    if (response.status !== 429) return response
    await pause(response)
  }
}

const pause = (response: Response) => wait(1000 * Number(response.headers.get('retry-after') ?? 1))

async function check(response: Response, status: number): Promise<Response> {
  if (response.status === status) return response
  const text = await response.text()
  throw new Error(`${new URL(response.url).pathname} answers ${response.status}: ${text.slice(0, 500)}`)
}

/** Starts an export of everybody. @returns the address that says how far it is */
async function kickOff(since: string | null): Promise<string> {
  const found = await check(await call(`${base}/Group?_count=1`), 200)
  const group = (await found.json()).entry[0].resource.id
  const query = new URLSearchParams({ _type: types, ...(since && { _since: since }) })
  const started = await call(`${base}/Group/${group}/$export?${query}`, {
    headers: { accept: 'application/fhir+json', prefer: 'respond-async' },
  })
  return (await check(started, 202)).headers.get('content-location') ?? ''
}

async function waitForManifest(statusUrl: string): Promise<Manifest> {
  for (;;) {
    const response = await call(statusUrl, { headers: { accept: 'application/json' } })
    if (response.status !== 202) return (await check(response, 200)).json()
    console.log(`Waiting: ${response.headers.get('x-progress') ?? 'the export runs'}`)
    await pause(response)
  }
}

/** Fetches each file and compares its lines with the manifest, which a cut connection would not. */
async function fetchFiles({ output, transactionTime }: Manifest): Promise<string> {
  const target = join(folder, transactionTime.replaceAll(':', '-'))
  mkdirSync(target, { recursive: true })
  for (const { type, url, count } of output) {
    const lines = (await (await check(await call(url), 200)).text()).trimEnd()
    if (lines.split('\n').length !== count) throw new Error(`${type}: a file is not whole.`)
    appendFileSync(join(target, `${type}.ndjson`), `${lines}\n`)
  }
  return target
}

async function run() {
  const stateFile = join(folder, 'last-export.json')
  const last = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {}
  const since: string | null = last[base] ?? null
  console.log(since ? `Exporting what changed since ${since}.` : 'Exporting everything.')

  const statusUrl = await kickOff(since)
  const manifest = await waitForManifest(statusUrl)
  // Part of an export is no export: nothing of it is used, and the next run asks for the same again.
  if (manifest.error.length > 0) throw new Error('The export is not complete. Run it again.')
  const target = await fetchFiles(manifest)
  await call(statusUrl, { method: 'DELETE' })

  const counts = new Map<string, number>()
  for (const { type, count } of manifest.output) counts.set(type, (counts.get(type) ?? 0) + count)
  for (const [type, count] of counts) console.log(`${type}: ${count}`)
  if (counts.size === 0) console.log('Nothing changed.')
  console.log(`Complete as of ${manifest.transactionTime}, in ${target}`)
  // The server's clock, and only from a run that was complete.
  writeFileSync(stateFile, JSON.stringify({ ...last, [base]: manifest.transactionTime }))
}

async function revoke() {
  if (token) await oauth.tokenRevocation(config, token.text)
}

if (keyPair.isNew) console.log('Then run this again.')
else
  try {
    await run().finally(revoke)
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
