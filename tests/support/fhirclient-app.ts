/** An app on a server of its own, built on the client library that most SMART apps use; tells what became of a launch. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import smart from 'fhirclient'

export type LaunchOutcome = {
  error: string | null
  patient: string | null
  /** Of the token answer. */
  scope: string
  idToken: string | null
  /** What the library read with the token. */
  read: string | null
  /** Whether more than Patient may be read. */
  mayReadAll: boolean
  /** What came of a refresh; null: there was no refresh token. */
  refresh: string | null
}

type AppSettings = { clientId: string; clientSecret: string; scope: string; iss?: string }

export async function startFhirclientApp() {
  let settings: AppSettings = { clientId: '', clientSecret: '', scope: '' }
  let store = new Map<string, unknown>()
  const storage = {
    get: async (name: string) => store.get(name),
    set: async (name: string, value: unknown) => void store.set(name, value),
    unset: async (name: string) => store.delete(name),
  }
  const server = createServer((request, response) => {
    const client = smart(request as never, response as never, storage as never)
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const work =
      path === '/launch'
        ? client.authorize({ ...settings, redirectUri: '/callback', pkceMode: 'required' } as never)
        : finish(client)
    work.then(
      (outcome) => response.headersSent || response.end(JSON.stringify(outcome ?? null)),
      (error: Error) => response.end(JSON.stringify({ error: error.message })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Opens the app as a browser would, and follows it to the end. */
  async function open(app: AppSettings, address = `${origin}/launch`): Promise<Partial<LaunchOutcome>> {
    settings = app
    store = new Map()
    const shown = await fetch(address)
    // A refusal at authorize is a page; the person follows its link back to the app.
    const back = /<a href="([^"]+)" rel="noreferrer">Go back/.exec(await shown.clone().text())?.[1]
    const answer = back === undefined ? shown : await fetch(back.replaceAll('&amp;', '&'))
    return (await answer.json()) as Partial<LaunchOutcome>
  }

  return {
    launchUrl: `${origin}/launch`,
    redirectUri: `${origin}/callback`,
    open,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

async function finish(api: ReturnType<typeof smart>): Promise<LaunchOutcome> {
  const client = await api.ready()
  const answer = client.state.tokenResponse ?? {}
  const patient = client.patient.id
  const read = await client.request(patient === null ? 'Patient?_count=1' : `Patient/${patient}`).then(
    (resource: { resourceType: string }) => resource.resourceType,
    (error: Error) => error.message,
  )
  const mayReadAll = await client.request(`Condition?patient=${patient ?? 'nobody'}`).then(
    () => true,
    () => false,
  )
  return {
    error: null,
    patient,
    scope: answer.scope ?? '',
    idToken: answer.id_token ?? null,
    read,
    mayReadAll,
    refresh:
      answer.refresh_token === undefined
        ? null
        : await client.refresh().then(
            () => 'good',
            (error: Error) => error.message,
          ),
  }
}

/** A token that came another way, in the hands of the library: it has no flow for systems. */
export async function readWithFhirclient(serverUrl: string, token: string, path: string): Promise<string> {
  const storage = { get: async () => null, set: async () => null, unset: async () => true }
  const client = smart({} as never, {} as never, storage as never).client({
    serverUrl,
    tokenResponse: { access_token: token, token_type: 'Bearer' },
  })
  const resource = await client.request<{ resourceType: string }>(path)
  return resource.resourceType
}
