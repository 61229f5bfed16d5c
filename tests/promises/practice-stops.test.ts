/** A practice stops access: every API refuses on the next request in every process, and works again when it resumes. */
import { describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { masked } from '../support/masked.ts'
import { restStack } from '../support/rest.ts'
import { type PersonStack, personStack, standalone } from '../support/smart-person.ts'

type Target = Parameters<PersonStack['stack']['services']['practiceStops']['stop']>[0]['target']

const person = await personStack()
const { stack, practiceId } = person
const admin = await stack.createAdmin(practiceId)
const rest = await restStack({ services: stack.services })
const key = await rest.issueKey()
const processes = [stack.app, createApp(stack.services)]

const stop = (target: Target) =>
  stack.services.practiceStops.stop(
    { practiceId, target, reason: 'We are checking what this access is for.' },
    admin,
  )
const resume = (stopId: string) => stack.services.practiceStops.resume({ practiceId, stopId }, admin)
const { name: confirmName } = await stack.services.prisma.practice.findUniqueOrThrow({
  where: { id: practiceId },
})
const allAccess = { scope: 'everything', confirmName } as const

const api = '/sandbox/api/v1'
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

const ofKey = async ({ key: text } = key) => [
  ...(await ask(text, `${api}/patients/pt-wren-testwell`)),
  ...(await ask(text, `${api}/mcp`, mcpList)),
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

    const stopId = await stop(allAccess)
    const later = await rest.issueKey()

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
      stack.send(`https://elsewhere.example${api}/patients`, {
        headers: { authorization: `Bearer ${credential}` },
      })
    const revoked = await rest.issueKey()
    await stack.services.prisma.apiKey.update({
      where: { id: revoked.id },
      data: { revokedAt: stack.services.clock() },
    })

    const stopId = await stop({ scope: 'key', id: key.id })
    const [stopped, dead] = [await read(key.key), await read(revoked.key)]

    expect([stopped.status, masked(stopped.text)]).toEqual([401, masked(dead.text)])
    expect([...stopped.headers.keys()]).toEqual([...dead.headers.keys()])
    await resume(stopId)
    expect(await ofKey()).toEqual(all(200))
  })
})

test('a stopped app gets no code and no token; its refresh token survives', async () => {
  const { client, publicApp, wren, refresh, launch, codeFor } = person
  const { body } = await launch()
  const code = await codeFor(publicApp)
  const pending = await stack.authorize({ client: publicApp, scope: standalone })

  const stopId = await stop(allAccess)
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
