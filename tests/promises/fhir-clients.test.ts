/** Programs that others wrote read and page through the interface, over a real connection. */
import { Client as KitClient } from 'fhir-kit-client'
import smart from 'fhirclient'
import { afterAll, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { listen } from '../../server/start/listen.ts'
import { defaultPractice, fhirStack } from '../support/fhir.ts'
import { redirectUri, smartSupport } from '../support/smart.ts'

const patientId = 'pt-wren-testwell'

const port = await findFreePort()
const origin = `http://127.0.0.1:${port}`
const stack = await fhirStack({ environment: { PUBLIC_ORIGIN: origin, PORT: String(port) } })
const { env } = stack.services
const server = await listen({ env, app: stack.app, portal: { handler: async () => new Response() } })
const base = `${origin}/r4/${defaultPractice}`
const token = (await stack.issueToken({ audience: 'patient', patientId })).token

afterAll(() => server.close(1_000))

/** How many there are, by the server’s own count. */
async function totalOf(type: string): Promise<number> {
  return (await stack.call(`${type}?_count=0`, { token })).body.total
}

test('fhirclient reads a patient, follows every page and resolves references', async () => {
  const storage = { get: async () => null, set: async () => null, unset: async () => true }
  const client = smart({} as never, {} as never, storage as never).client({
    serverUrl: base,
    tokenResponse: { access_token: token, token_type: 'Bearer', patient: patientId, expires_in: 3600 },
  })

  const patient = await client.patient.read()
  const observations = await client.request<{ id: string }[]>(`Observation?patient=${patientId}&_count=40`, {
    pageLimit: 0,
    flat: true,
  })
  const request = await client.request('MedicationRequest?_count=1', {
    flat: true,
    resolveReferences: ['requester'],
  })

  expect(patient.id).toBe(patientId)
  expect(observations).toHaveLength(await totalOf('Observation'))
  expect(new Set(observations.map(({ id }) => id)).size).toBe(observations.length)
  expect(JSON.stringify(request)).toContain('"resourceType":"Practitioner"')
  await expect(client.request('Patient/nobody')).rejects.toThrow(/404/)
})

test('fhirclient with its defaults gets a public app’s token, and refreshes it on its own', async () => {
  const scope = 'openid fhirUser launch/patient offline_access patient/*.rs'
  const { services } = stack
  const support = smartSupport(services)
  const { client: app } = await support.createClient({ scope })
  const practice = await services.prisma.practice.findUniqueOrThrow({ where: { slug: defaultPractice } })
  const person = await support.createPatientPerson(practice.id, patientId)
  const store = new Map<string, unknown>()
  const storage = {
    get: async (name: string) => store.get(name),
    set: async (name: string, value: unknown) => void store.set(name, value),
    unset: async (name: string) => store.delete(name),
  }
  const opened = (url: string) =>
    smart({ url, headers: { host: 'app.example' }, socket: {} } as never, {} as never, storage as never)

  const authorizeUrl = await opened('/launch').authorize({
    clientId: app.clientId,
    scope,
    iss: base,
    redirectUri,
    noRedirect: true,
  })
  const asked = await fetch(String(authorizeUrl), { redirect: 'manual' })
  const handle = {
    id: asked.headers.get('location')?.split('/').at(-1) ?? '',
    cookieHeader: asked.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  }
  const { scopes } = await services.authorizations.get(handle)
  const { redirectTo } = await services.authorizations.approve(handle, person, {
    patientId,
    scopes,
    offlineAccess: true,
  })
  const client = await opened(redirectTo).ready()
  const first = client.state.tokenResponse?.access_token
  client.state.expiresAt = 1
  const patient = await client.patient.read()

  expect(first).toMatch(/^spa_/)
  expect(client.state.tokenResponse?.access_token).toMatch(/^spa_/)
  expect(client.state.tokenResponse?.access_token).not.toBe(first)
  expect(patient.id).toBe(patientId)
})

test('fhir-kit-client reads the statement, searches by GET and POST, and pages to the end', async () => {
  const client = new KitClient({ baseUrl: base, bearerToken: token })

  const statement = await client.capabilityStatement()
  const read = await client.read({ resourceType: 'Patient', id: patientId })
  const byPost = await client.search({
    resourceType: 'Condition',
    searchParams: { patient: patientId },
    options: { postSearch: true } as never,
  })
  let page: unknown = await client.search({ resourceType: 'Observation', searchParams: { _count: '50' } })
  let seen = 0
  while (page) {
    const bundle = page as { entry?: unknown[] }
    seen += bundle.entry?.length ?? 0
    page = await client.nextPage({ bundle: bundle as never })
  }

  expect(statement).toMatchObject({ resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' })
  expect(read).toMatchObject({ id: patientId })
  expect((byPost as { total?: number }).total).toBe(await totalOf('Condition'))
  expect(seen).toBe(await totalOf('Observation'))
  await expect(client.read({ resourceType: 'Patient', id: 'nobody' })).rejects.toMatchObject({
    response: { status: 404 },
  })
})

test('a document of five megabytes and a compressed page arrive whole over the wire', async () => {
  const backend = (await stack.issueToken({ audience: 'backend' })).token
  const authorization = `Bearer ${backend}`
  const list = await fetch(`${base}/DocumentReference?patient=pt-cal-notareal`, {
    headers: { authorization },
  })
  const { entry } = (await list.json()) as {
    entry: { resource: { content: { attachment: { url?: string; size: number } }[] } }[]
  }
  const attachment = entry
    .map(({ resource }) => resource.content[0]?.attachment)
    .find((each) => each?.url !== undefined)

  const whole = await fetch(attachment?.url ?? '', { headers: { authorization } })
  const part = await fetch(attachment?.url ?? '', { headers: { authorization, range: 'bytes=0-9' } })

  expect(list.headers.get('content-encoding')).toBe('gzip')
  expect((await whole.arrayBuffer()).byteLength).toBe(attachment?.size)
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
})
