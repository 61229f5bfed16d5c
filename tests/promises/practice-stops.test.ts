/** A practice stops access: every API refuses on the next request in every process, and works again when it resumes. */
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { type PersonStack, personStack, standalone } from '../support/smart-person.ts'

type Target = Parameters<PersonStack['stack']['services']['practiceStops']['stop']>[0]['target']

const person = await personStack()
const { stack, practiceId } = person
const admin = await stack.createAdmin(practiceId)
const key = await issueKey()
const processes = [stack.app, createApp(stack.services)]

async function issueKey() {
  const { prisma, clock } = person.stack.services
  const text = makeKey('sandbox', randomBytes)
  const { id } = await prisma.apiKey.create({
    data: {
      prefix: prefixOf(text),
      secretHash: createHash('sha256').update(text).digest(),
      name: 'Night count',
      level: 'read_only',
      environment: 'sandbox',
      practiceId: person.practiceId,
      createdById: admin.accountId,
      createdAt: clock(),
      expiresAt: new Date(clock().getTime() + 86_400_000),
    },
  })
  return { id, text }
}

const stop = (target: Target) =>
  person.stack.services.practiceStops.stop(
    { practiceId: person.practiceId, target, reason: 'We are checking what this access is for.' },
    admin,
  )
const resume = (stopId: string) =>
  person.stack.services.practiceStops.resume({ practiceId: person.practiceId, stopId }, admin)
const allAccess = async (): Promise<Target> => ({
  scope: 'everything',
  confirmName: (
    await person.stack.services.prisma.practice.findUniqueOrThrow({ where: { id: person.practiceId } })
  ).name,
})

const rest = '/sandbox/api/v1'
const fhir = '/r4/sandpiper-demonstration'
const mcpList = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** Statuses of one request at each process, with the response of the first. */
async function ask(credential: string, path: string, body?: string) {
  const answers = await Promise.all(
    processes.map((app) =>
      app.fetch(
        new Request(`https://elsewhere.example${path}`, {
          headers: {
            authorization: `Bearer ${credential}`,
            ...(body && {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
            }),
          },
          ...(body && { method: 'POST', body }),
        }),
        { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
      ),
    ),
  )
  return answers.map(({ status }) => status)
}

const ofKey = async ({ text } = key) => [
  ...(await ask(text, `${rest}/patients/pt-wren-testwell`)),
  ...(await ask(text, `${rest}/mcp`, mcpList)),
]
const ofToken = async (token: string) => [
  ...(await ask(token, `${fhir}/Patient/pt-wren-testwell`)),
  ...(await ask(token, `${fhir}/Observation?patient=pt-wren-testwell&_count=1`)),
]
const all = (status: number) => Array(4).fill(status)

describe('a stop holds on the next request in every process, until it ends', () => {
  test('of all access: keys, apps, and what is issued later', async () => {
    const { body } = await person.launch()
    expect([await ofKey(), await ofToken(body.access_token)]).toEqual([all(200), all(200)])

    const stopId = await stop(await allAccess())
    const later = await issueKey()

    expect([await ofKey(), await ofToken(body.access_token)]).toEqual([all(401), all(401)])
    expect(await ofKey(later)).toEqual(all(401))

    await resume(stopId)

    expect([await ofKey(), await ofToken(body.access_token)]).toEqual([all(200), all(200)])
    expect(await ofKey(later)).toEqual(all(200))
  })

  test('of an app: others and keys keep working', async () => {
    const { body } = await person.launch()

    const stopId = await stop({ scope: 'app', id: person.client.clientId })

    expect([await ofKey(), await ofToken(body.access_token)]).toEqual([all(200), all(401)])
    await resume(stopId)
    expect(await ofToken(body.access_token)).toEqual(all(200))
  })

  test('of a key: its 401 has the bytes of every dead key', async () => {
    const read = (credential: string) =>
      person.stack.send(`https://elsewhere.example${rest}/patients`, {
        headers: { authorization: `Bearer ${credential}` },
      })
    const masked = (text: string) => text.replace(/[0-9a-f-]{36}/, '')
    const revoked = await issueKey()
    await person.stack.services.prisma.apiKey.update({
      where: { id: revoked.id },
      data: { revokedAt: person.stack.services.clock() },
    })

    const stopId = await stop({ scope: 'key', id: key.id })
    const [stopped, dead] = [await read(key.text), await read(revoked.text)]

    expect([stopped.status, masked(stopped.text)]).toEqual([401, masked(dead.text)])
    expect([...stopped.headers.keys()]).toEqual([...dead.headers.keys()])
    await resume(stopId)
    expect(await ofKey()).toEqual(all(200))
  })
})

test('a stopped app gets no code and no token; its refresh token survives', async () => {
  const { client, publicApp, wren, stack, refresh, launch } = person
  const { body } = await launch()
  const code = await stack.obtainCode({
    client: publicApp,
    scope: standalone,
    actor: wren,
    patientId: 'pt-wren-testwell',
  })
  const pending = await stack.authorize({ client: publicApp, scope: standalone })

  const stopId = await stop(await allAccess())
  const refused = await refresh(body.refresh_token)

  expect([refused.status, refused.body]).toEqual([
    401,
    { error: 'invalid_client', error_description: 'Client authentication failed.' },
  ])
  expect((await stack.exchange(code, publicApp)).body.error).toBe('invalid_client')
  const page = await stack.authorize({ client, scope: standalone })
  expect([page.status, page.headers.get('location')]).toEqual([400, null])
  await expect(stack.decide(pending, wren, { patientId: 'pt-wren-testwell' })).rejects.toMatchObject({
    kind: 'unauthorized',
  })

  await resume(stopId)
  const renewed = await refresh(body.refresh_token)

  expect(renewed.status).toBe(200)
  expect(await ofToken(renewed.body.access_token)).toEqual(all(200))
})
