/** The Fault Lab at every door: by header, by switch, over a real connection; nothing read that is not served. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { faultCodes, faultHeader, faultRow, injectedHeader } from '../../server/contract/faults.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { listen } from '../../server/listen.ts'
import { type IssuedKey, type RestStack, restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'

const patientId = 'pt-wren-testwell'

let stack: RestStack
let origin: string
let server: Awaited<ReturnType<typeof listen>>
let developer: Actor
let organizationId: string
let practiceSlug: string
let key: IssuedKey
let clientId: string
let token: string
/** Who waits because of a fault; ends when the test says so. */
const waiting: { milliseconds: number; end: () => void }[] = []

beforeAll(async () => {
  const port = await findFreePort()
  origin = `http://127.0.0.1:${port}`
  stack = await restStack({
    environment: { PUBLIC_ORIGIN: origin, PORT: String(port), DATABASE_POOL: '2' },
    pause: (milliseconds) => new Promise((end) => void waiting.push({ milliseconds, end })),
  })
  const { services, app } = stack
  server = await listen({
    env: services.env,
    log: services.log,
    app,
    portal: { handler: async () => new Response() },
  })
  const support = smartSupport(services)
  const made = await support.createOrganization()
  developer = made.developer
  organizationId = made.organizationId
  const practice = await services.sandboxes.ensure(organizationId, { writable: true })
  practiceSlug = practice.slug
  const { client } = await support.createClient({
    scope: 'user/*.rs patient/*.rs',
    audience: 'clinician',
    organizationId,
    everyPractice: false,
  })
  clientId = client.clientId
  token = (
    await support.issueToken({ practice: practiceSlug, scope: 'user/*.rs', audience: 'clinician', client })
  ).access_token
})

afterAll(() => server.close(1_000))

beforeEach(async () => {
  // A budget of its own for every test, and no switch of the one before.
  stack.services.advance(120_000)
  key = await ownKey()
})

async function ownKey(level: 'full' | 'read_only' = 'full'): Promise<IssuedKey> {
  const issued = await stack.issueKey({ practice: practiceSlug, level })
  await stack.services.prisma.apiKey.update({ where: { id: issued.id }, data: { organizationId } })
  return issued
}

const rest = (path: string, fault: string | null = null, more: Record<string, string> = {}) =>
  fetch(`${origin}/sandbox/api/v1${path}`, {
    headers: { authorization: `Bearer ${key.key}`, ...(fault !== null && { [faultHeader]: fault }), ...more },
  })
const fhir = (path: string, fault: string | null = null) =>
  fetch(`${origin}/r4/${practiceSlug}/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(fault !== null && { [faultHeader]: fault }) },
  })

/** What was written down, newest first. */
async function logged(whose: { keyId: string } | { clientId: string }, limit = 10) {
  const { services } = stack
  await services.recorder.flush()
  return (await services.activityLog.page({ ...whose, limit })).rows
}
async function accessed(limit = 1) {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.pool.query(
    'SELECT outcome, count, patient_id FROM log.phi_audit WHERE principal_id = $1 ORDER BY at DESC, id DESC LIMIT $2',
    [key.id, limit],
  )
  return rows
}

const switchOn = (script: string, { repeats = false, target = `key:${key.id}`, minutes = 60 } = {}) =>
  stack.services.faultDesk.switchOn({ organizationId, target, script, minutes, repeats }, developer)

describe('a fault by header', () => {
  const answers = faultCodes.filter(
    (code) => faultRow(code).kind === 'answer' && faultRow(code).occasion === 'call',
  )

  test.each(answers)(
    '%s is answered in the shape of each door, reads nothing and is written down',
    async (code) => {
      const one = await rest(`/patients/${patientId}`, code)
      const other = await fhir(`Patient/${patientId}`, code)
      const [oneBody, otherBody] = [await one.text(), await other.text()]

      expect([one.status, other.status]).toEqual([Number(code), Number(code)])
      expect(JSON.parse(oneBody)).toEqual({
        error: {
          code: expect.any(String),
          message: expect.any(String),
          correlationId: one.headers.get('x-correlation-id'),
        },
      })
      expect(JSON.parse(otherBody).resourceType).toBe('OperationOutcome')
      expect(oneBody + otherBody).not.toMatch(/testwell/i)
      const value = faultRow(code).value
      const text = value ? `${code};${value.name}=${value.usual}` : code
      expect([one.headers.get(injectedHeader), other.headers.get(injectedHeader)]).toEqual([text, text])
      expect(one.headers.get('retry-after')).toBe(value ? String(value.usual) : null)
      const [row] = await logged({ keyId: key.id })
      expect(row).toMatchObject({
        status: Number(code),
        fault: text,
        refusalReason: `Injected by the Fault Lab: ${text}.`,
      })
      expect((await logged({ clientId }))[0]).toMatchObject({ status: Number(code), fault: text })
      expect(await accessed()).toEqual([
        { outcome: Number(code) >= 500 ? 'failed' : 'refused', count: 0, patient_id: null },
      ])
    },
  )

  test('one that is not known, or not for this request, is a 400 that says so', async () => {
    for (const text of ['418', 'ok', '', '429;retry-after=0', 'next-repeats', 'bulk-partial', '429, 500']) {
      const answer = await rest('/context', text)

      expect([text, answer.status]).toEqual([text, 400])
      expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('validation')
    }
    expect((await fhir(`Patient/${patientId}`, 'next-repeats')).status).toBe(400)
    expect((await fhir('Patient', 'link-expired')).status).toBe(400)
    expect(
      (await fetch(`${origin}/r4/${practiceSlug}/metadata`, { headers: { [faultHeader]: '500' } })).status,
    ).toBe(400)
    expect(
      (await fetch(`${origin}/sandbox/api/v1/openapi.json`, { headers: { [faultHeader]: '500' } })).status,
    ).toBe(400)
  })

  test('a dead credential stays a 401 without a mark, whatever was asked', async () => {
    await stack.services.prisma.apiKey.update({ where: { id: key.id }, data: { revokedAt: new Date(0) } })

    for (const text of ['500', '404', 'cut', 'nonsense']) {
      const answer = await rest('/context', text)

      expect([answer.status, answer.headers.get(injectedHeader)]).toEqual([401, null])
    }
  })

  test('a write that a 500 answers has made nothing; one whose answer is cut has', async () => {
    const post = (fault: string, name: string) =>
      fetch(`${origin}/sandbox/api/v1/patients`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key.key}`,
          'content-type': 'application/json',
          'idempotency-key': name,
          [faultHeader]: fault,
        },
        body: JSON.stringify({ name: { family: 'Faultwell', given: [name] }, birthDate: '1980-01-01' }),
      })
    const found = async () =>
      ((await (await rest('/patients?q=Faultwell')).json()) as { data: unknown[] }).data.length

    expect((await post('500', 'one')).status).toBe(500)
    expect(await found()).toBe(0)
    await expect(post('cut', 'two').then((answer) => answer.text())).rejects.toThrow()
    expect(await found()).toBe(1)
    expect(
      (
        await fetch(`${origin}/sandbox/api/v1/patients`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key.key}`,
            'content-type': 'application/json',
            'idempotency-key': 'two',
          },
          body: JSON.stringify({ name: { family: 'Faultwell', given: ['two'] }, birthDate: '1980-01-01' }),
        })
      ).status,
    ).toBe(201)
    expect(await found()).toBe(1)
  })
})

describe('over a real connection', () => {
  test('a cut one ends in the middle, after headers that say which fault it was', async () => {
    for (const ask of [
      () => rest('/patients', 'cut'),
      () => fhir('Observation?patient=pt-wren-testwell&_count=50', 'cut'),
      () => rest(`/patients/${patientId}/ccda`, 'cut'),
    ]) {
      const answer = await ask()

      expect([answer.status, answer.headers.get(injectedHeader)]).toEqual([200, 'cut'])
      await expect(answer.text()).rejects.toThrow(/terminated|aborted|hang up|ECONNRESET/i)
    }
    expect((await accessed())[0]).toMatchObject({ outcome: 'served' })
    // The next one is served by the same process as ever.
    expect((await rest('/context')).status).toBe(200)
  })

  test('truncated JSON comes as if it were whole, and does not parse', async () => {
    for (const ask of [
      () => rest('/patients', 'truncated'),
      () => fhir('Observation?patient=pt-wren-testwell&_count=50', 'truncated'),
    ]) {
      const answer = await ask()
      const text = await answer.text()

      expect(answer.status).toBe(200)
      expect(text.length).toBeGreaterThan(50)
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
    }
  })

  test('a next link that repeats leads to the page itself, for as long as it is switched on', async () => {
    await switchOn('next-repeats', { target: `client:${clientId}`, repeats: true })
    const ask = async (url: string) =>
      (await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json()) as {
        link: { relation: string; url: string }[]
      }
    const next = (bundle: Awaited<ReturnType<typeof ask>>) =>
      bundle.link.find(({ relation }) => relation === 'next')?.url ?? ''
    const first = next(
      await ask(`${origin}/r4/${practiceSlug}/Observation?patient=pt-wren-testwell&_count=5`),
    )
    const second = next(await ask(first))

    expect(second).toBe(first)
    // A read is no search: the step goes on waiting.
    expect((await fhir(`Patient/${patientId}`)).headers.get(injectedHeader)).toBeNull()
    const [shown] = await stack.services.faultDesk.list({ organizationId }, developer)
    expect(shown).toMatchObject({ on: true, taken: 2 })
    await stack.services.faultDesk.switchOff({ organizationId, id: shown?.id ?? '' }, developer)
    expect(
      (await fetch(first, { headers: { authorization: `Bearer ${token}` } })).headers.get(injectedHeader),
    ).toBeNull()
  })

  test('a slow answer holds no connection to the database', async () => {
    const slow = [1, 2, 3].map(() => rest('/context', 'latency;ms=2500'))
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(3)

    // The pool has two connections, and three requests wait.
    expect((await rest('/patients')).status).toBe(200)
    expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([2_500, 2_500, 2_500])
    for (const { end } of waiting.splice(0)) end()
    const answers = await Promise.all(slow)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await logged({ keyId: key.id })).filter(({ fault }) => fault !== null)).toHaveLength(3)
  })

  test('a key that is revoked while it waits gets no answer for it', async () => {
    const slow = rest('/patients', 'latency')
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(1)
    await stack.services.prisma.apiKey.update({
      where: { id: key.id },
      data: { revokedAt: stack.services.clock() },
    })
    waiting.splice(0)[0]?.end()

    expect((await slow).status).toBe(401)
  })
})

describe('a switch', () => {
  test('a script is met in order, by this key alone, and then over', async () => {
    await switchOn('429*2, ok, 503;retry-after=9')
    const other = await ownKey()
    const seen: [number, string | null][] = []
    for (let call = 0; call < 6; call++) {
      const answer = await rest('/context')
      seen.push([answer.status, answer.headers.get(injectedHeader)])
      const neighbour = await stack.call('/context', { key: other.key })
      expect([neighbour.status, neighbour.headers.get(injectedHeader)]).toEqual([200, null])
    }

    expect(seen).toEqual([
      [429, '429;retry-after=5'],
      [429, '429;retry-after=5'],
      [200, null],
      [503, '503;retry-after=9'],
      [200, null],
      [200, null],
    ])
    const [shown] = await stack.services.faultDesk.list({ organizationId }, developer)
    expect(shown).toMatchObject({ on: false, taken: 4 })
    expect(shown?.report.find(({ question }) => question === 'waited')?.answer).toBe('no')
  })

  test('of many requests at once each takes a step of its own', async () => {
    await switchOn('429*7, ok')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => stack.call('/context', { key: key.key })),
    )

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })

  test('it ends by time, by hand and by the next one; a header goes before it', async () => {
    await switchOn('500', { repeats: true, minutes: 5 })
    expect((await rest('/context')).status).toBe(500)
    expect((await rest('/context', '404')).status).toBe(404)
    stack.services.advance(5 * 60_000)
    expect((await rest('/context')).status).toBe(200)
    await switchOn('500', { repeats: true })
    const { id } = await switchOn('503', { repeats: true })
    expect((await rest('/context')).status).toBe(503)
    await stack.services.faultDesk.switchOff({ organizationId, id }, developer)
    await stack.services.faultDesk.switchOff({ organizationId, id }, developer)
    expect((await rest('/context')).status).toBe(200)
    const audit = await stack.services.prisma.auditEvent.count({ where: { subjectId: id } })
    expect(audit).toBe(2)
  })

  test('the token address answers in the words of OAuth', async () => {
    const { client } = await smartSupport(stack.services).createClient({
      scope: 'patient/*.rs',
      organizationId,
      everyPractice: false,
    })
    await switchOn('401, 429;retry-after=3, 500, 503', { target: `client:${client.clientId}` })
    const seen: unknown[] = []
    for (let call = 0; call < 5; call++) {
      const answer = await fetch(`${origin}/r4/${practiceSlug}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: 'x',
          client_id: client.clientId,
        }),
      })
      seen.push([
        answer.status,
        ((await answer.json()) as { error: string }).error,
        answer.headers.get('retry-after'),
      ])
    }

    expect(seen).toEqual([
      [401, 'invalid_client', null],
      [429, 'temporarily_unavailable', '3'],
      [500, 'server_error', null],
      [503, 'temporarily_unavailable', '5'],
      [400, 'invalid_grant', null],
    ])
  })

  test('is refused for keys and apps that are not the organization’s sandbox ones, and for more than a day', async () => {
    const stranger = await stack.issueKey()
    const production = await stack.issueKey({
      environment: 'production',
      practice: 'sandpiper-demonstration',
    })
    await stack.services.prisma.apiKey.update({ where: { id: production.id }, data: { organizationId } })

    for (const target of [
      `key:${stranger.id}`,
      `key:${production.id}`,
      'key:1',
      'client:nobody',
      '',
      `client:${key.id}`,
    ])
      await expect(switchOn('500', { target })).rejects.toMatchObject({ kind: 'not_found' })
    for (const minutes of [0, -1, 1.5, 24 * 60 + 1, Number.NaN])
      await expect(switchOn('500', { minutes })).rejects.toMatchObject({ kind: 'validation' })
    const somebody = await smartSupport(stack.services).createOrganization()
    await expect(stack.services.faultDesk.list({ organizationId }, somebody.developer)).rejects.toMatchObject(
      { kind: 'not_found' },
    )
  })

  test('another process hears of it within a second', async () => {
    const { createApp } = await import('../../server/app.ts')
    const { createServices } = await import('../../server/services.ts')
    const { env, log, clock, appUrl } = stack.services
    const second = createServices({ env, log, appUrl, clock })
    const app = createApp(second)
    const ask = async () =>
      (
        await app.fetch(
          new Request(`${origin}/sandbox/api/v1/context`, {
            headers: { authorization: `Bearer ${key.key}` },
          }),
        )
      ).status

    expect(await ask()).toBe(200)
    await switchOn('503', { repeats: true })
    stack.services.advance(1_000)

    expect(await ask()).toBe(503)
    await second.close()
  })
})
