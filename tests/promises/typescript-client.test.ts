/** The TypeScript client calls the server as a customer's program does. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSandpiperClient, listAll } from '../../clients/typescript/src/client.ts'
import { basePaths } from '../../server/contract/rest/openapi.ts'
import { restStack } from '../support/rest.ts'

const stack = await restStack()
const reader = (await stack.issueKey()).key
const writer = (await stack.issueWriter()).key

const send = async (request: Request) =>
  stack.app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })

const baseUrl = `https://portal.example${basePaths.sandbox}`
const clientOf = (apiKey: string, changes: Partial<Parameters<typeof createSandpiperClient>[0]> = {}) =>
  createSandpiperClient({ baseUrl, apiKey, fetch: send, ...changes })

test('a patient is made, found and read by typed calls', async () => {
  const client = clientOf(writer)

  const made = await client.POST('/patients', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { name: { family: 'Sampleford', given: ['Noa'] }, birthDate: '1990-05-06', sex: 'female' },
  })
  const found = await client.GET('/patients', { params: { query: { q: 'sampleford', limit: 5 } } })
  const read = await client.GET('/patients/{id}', { params: { path: { id: made.data?.id ?? '' } } })

  expect(made.response.status).toBe(201)
  expect(found.data?.data.map(({ id }) => id)).toEqual([made.data?.id])
  expect(read.data).toEqual(made.data)
})

test('a refusal is the envelope, with its correlation id', async () => {
  const { data, error, response } = await clientOf(reader).GET('/patients/{id}', {
    params: { path: { id: 'no-such-patient' } },
  })

  expect(data).toBeUndefined()
  expect(response.status).toBe(404)
  expect(error?.error).toMatchObject({
    code: 'not_found',
    correlationId: response.headers.get('x-correlation-id'),
  })
})

test('a list is read to its end, page by page, in its order', async () => {
  const client = clientOf(reader)
  const whole = await client.GET('/patients', { params: { query: { limit: 100 } } })
  const ids: string[] = []

  for await (const { id } of listAll(
    (page) => client.GET('/patients', { params: { query: { ...page } } }),
    3,
  ))
    ids.push(id)

  expect(ids.length).toBeGreaterThan(6)
  expect(ids).toEqual(whole.data?.data.map(({ id }) => id))
})

test('it waits as long as Retry-After says, then asks again', async () => {
  const waited: number[] = []
  let calls = 0
  const client = clientOf(reader, {
    fetch: async (request) => {
      calls++
      return calls < 3 ? new Response('{}', { status: 429, headers: { 'Retry-After': '7' } }) : send(request)
    },
    wait: async (seconds) => void waited.push(seconds),
  })

  const { data } = await client.GET('/context')

  expect(data?.principal.level).toBe('read_only')
  expect(waited).toEqual([7, 7])
})

test('it gives up after so many times, and sends no write twice without an Idempotency-Key', async () => {
  let calls = 0
  const bodies: string[] = []
  const client = clientOf(writer, {
    fetch: async (request) => {
      calls++
      bodies.push(await request.text())
      return new Response('{}', { status: 503, headers: { 'Retry-After': '0' } })
    },
    retriesMax: 2,
  })
  const body = {
    name: { family: 'Sampleford', given: ['Noa'] },
    birthDate: '1990-05-06',
    sex: 'female' as const,
  }

  await client.GET('/context')
  expect(calls).toBe(3)
  await client.POST('/patients', { body })
  expect(calls).toBe(4)
  await client.POST('/patients', { params: { header: { 'Idempotency-Key': 'once' } }, body })
  expect(calls).toBe(7)
  expect(new Set(bodies.filter(Boolean))).toEqual(new Set([JSON.stringify(body)]))
})

test('it does not wait for hours: an answer that says so is returned at once', async () => {
  const asked: string[] = []
  const waited: number[] = []
  const answers = ['120', '121']
  const client = clientOf(reader, {
    fetch: async ({ url }) => {
      asked.push(url)
      return new Response('{}', { status: 429, headers: { 'Retry-After': answers.shift() ?? '' } })
    },
    wait: async (seconds) => void waited.push(seconds),
  })
  const { response } = await client.GET('/context')
  expect([response.status, asked.length, waited]).toEqual([429, 2, [120]])
})

test('it is not made without a key, nor in a browser', () => {
  expect(() => clientOf('')).toThrow('apiKey is missing')
  expect(() => clientOf(reader, { baseUrl: undefined })).toThrow('baseUrl is missing')
  Object.assign(globalThis, { document: {} })
  try {
    expect(() => clientOf(reader)).toThrow('belongs on a server')
  } finally {
    Reflect.deleteProperty(globalThis, 'document')
  }
})
