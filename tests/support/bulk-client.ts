/**
 * A client of Bulk Data 2.0.0, written from https://hl7.org/fhir/uv/bulkdata/STU2/export.html and
 * https://hl7.org/fhir/smart-app-launch/STU2.2/backend-services.html alone: it knows a base, an id and a key.
 */
import { type AssertionKey, signAssertion } from './assertion.ts'

type BulkClientOptions = {
  base: string
  clientId: string
  key: AssertionKey
  scope: string
  fetch: (request: Request) => Promise<Response>
  now: () => Date
  sleep: (seconds: number) => Promise<void>
}

type BulkResult = {
  transactionTime: string
  resources: Map<string, unknown[]>
  tokens: number
  polls: number
}

/** A token is renewed before it is this old, however long the server lets it live. */
const tokenSeconds = 300

export function createBulkClient({ base, clientId, key, scope, fetch, now, sleep }: BulkClientOptions) {
  let token: { text: string; until: number } | null = null
  let tokens = 0

  async function authorization(): Promise<string> {
    if (token === null || now().getTime() > token.until - 10_000) {
      const discovery = await fetch(new Request(`${base}/.well-known/smart-configuration`))
      const { token_endpoint: endpoint } = await discovery.json()
      const assertion = await signAssertion({ key, clientId, audience: endpoint, now: now() })
      const answer = await fetch(
        new Request(endpoint, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            scope,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: assertion,
          }),
        }),
      )
      if (answer.status !== 200) throw new Error(`the token endpoint answers ${answer.status}`)
      const { access_token: text, expires_in: seconds } = await answer.json()
      token = { text, until: now().getTime() + Math.min(seconds, tokenSeconds) * 1_000 }
      tokens += 1
    }
    return `Bearer ${token.text}`
  }

  async function get(url: string, headers: Record<string, string>): Promise<Response> {
    const answer = await fetch(
      new Request(url, { headers: { ...headers, authorization: await authorization() } }),
    )
    if (answer.status >= 400) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer
  }

  async function exportAll(): Promise<BulkResult> {
    return finish(await kickOff())
  }

  /** @returns the status URL */
  async function kickOff(): Promise<string> {
    const json = { accept: 'application/fhir+json' }
    const groups = await (await get(`${base}/Group`, json)).json()
    const group = groups.entry[0].resource.id
    const begun = await get(`${base}/Group/${group}/$export`, { ...json, prefer: 'respond-async' })
    return begun.headers.get('content-location') ?? ''
  }

  function look(statusUrl: string): Promise<Response> {
    return get(statusUrl, { accept: 'application/json' })
  }

  /** Waits for the manifest and reads every file of it. */
  async function finish(statusUrl: string): Promise<BulkResult> {
    let polls = 0
    let status = await look(statusUrl)
    while (status.status === 202) {
      polls += 1
      await sleep(Number(status.headers.get('retry-after') ?? 1))
      status = await look(statusUrl)
    }
    const manifest = await status.json()
    if (manifest.error.length > 0) throw new Error('the export has errors')
    const resources = new Map<string, unknown[]>()
    for (const { type, url, count } of manifest.output) {
      const file = await get(url, { accept: 'application/fhir+ndjson' })
      const found = (await file.text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      if (found.length !== count) throw new Error(`${type}: ${found.length} of ${count}`)
      if (found.some((each) => each.resourceType !== type)) throw new Error(`a line is no ${type}`)
      resources.set(type, [...(resources.get(type) ?? []), ...found])
    }
    return { transactionTime: manifest.transactionTime, resources, tokens, polls }
  }

  return { exportAll, kickOff, look, finish }
}
