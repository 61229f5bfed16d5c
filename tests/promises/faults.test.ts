/**
 * Faults by header at every interface, over a real connection, and faults that are switched on: in order, for one key or
 * app, for a while, at every process. Nothing is read that is not served.
 */
import { describe, expect, test } from 'vitest'
import { faultCodes, faultHeader, faultRow, injectedHeader } from '../../server/contract/lab/faults.ts'
import { faultLab } from '../support/fault-lab.ts'
import { smartSupport } from '../support/smart.ts'

const patientId = 'pt-wren-testwell'
const lab = faultLab()

describe('a fault by header', () => {
  const answers = faultCodes.filter(
    (code) => faultRow(code).kind === 'answer' && faultRow(code).occasion === 'call',
  )

  test.each(answers)(
    '%s is answered in the shape of each door, reads nothing and is written down',
    async (code) => {
      const one = await lab.rest(`/patients/${patientId}`, code)
      const other = await lab.fhir(`Patient/${patientId}`, code)
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
      const [row] = await lab.logged({ keyId: lab.key.id })
      expect(row).toMatchObject({
        status: Number(code),
        fault: text,
        refusalReason: `Injected by the Fault Lab: ${text}.`,
      })
      expect((await lab.logged({ clientId: lab.clientId }))[0]).toMatchObject({
        status: Number(code),
        fault: text,
      })
      expect(await lab.accessed()).toEqual([
        { outcome: Number(code) >= 500 ? 'failed' : 'refused', count: 0, patient_id: null },
      ])
    },
  )

  test('what a request was refused for stays its own fault, however slow the refusal was', async () => {
    const slow = lab.rest('/patients/nobody-at-all', 'latency;ms=50')
    await expect.poll(() => lab.waiting.length, { timeout: 10_000 }).toBe(1)
    lab.waiting.splice(0)[0]?.end()
    await slow
    await lab.rest(`/patients/${patientId}`, '404')

    const [injected, own] = await lab.logged({ keyId: lab.key.id })

    expect(injected).toMatchObject({ status: 404, refusalReason: 'Injected by the Fault Lab: 404.' })
    expect(own).toMatchObject({ status: 404, fault: 'latency;ms=50' })
    expect(own?.refusalReason).not.toContain('Fault Lab')
  })

  test('one that is not known, or not for this request, is a 400 that says so', async () => {
    for (const text of ['418', 'ok', '', '429;retry-after=0', 'next-repeats', 'bulk-partial', '429, 500']) {
      const answer = await lab.rest('/context', text)

      expect([text, answer.status]).toEqual([text, 400])
      expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('validation')
    }
    expect((await lab.fhir(`Patient/${patientId}`, 'next-repeats')).status).toBe(400)
    expect((await lab.fhir('Patient', 'link-expired')).status).toBe(400)
    expect(
      (await fetch(`${lab.origin}/r4/${lab.practiceSlug}/metadata`, { headers: { [faultHeader]: '500' } }))
        .status,
    ).toBe(400)
    expect(
      (await fetch(`${lab.origin}/sandbox/api/v1/openapi.json`, { headers: { [faultHeader]: '500' } }))
        .status,
    ).toBe(400)
  })

  test('a dead credential stays a 401 without a mark, whatever was asked', async () => {
    await lab.stack.services.prisma.apiKey.update({
      where: { id: lab.key.id },
      data: { revokedAt: new Date(0) },
    })

    for (const text of ['500', '404', 'cut', 'nonsense']) {
      const answer = await lab.rest('/context', text)

      expect([answer.status, answer.headers.get(injectedHeader)]).toEqual([401, null])
    }
  })

  test('a write that a 500 answers has made nothing; one whose answer is cut has', async () => {
    const post = (fault: string, name: string) =>
      fetch(`${lab.origin}/sandbox/api/v1/patients`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${lab.key.key}`,
          'content-type': 'application/json',
          'idempotency-key': name,
          [faultHeader]: fault,
        },
        body: JSON.stringify({ name: { family: 'Faultwell', given: [name] }, birthDate: '1980-01-01' }),
      })
    const found = async () =>
      ((await (await lab.rest('/patients?q=Faultwell')).json()) as { data: unknown[] }).data.length

    expect((await post('500', 'one')).status).toBe(500)
    expect(await found()).toBe(0)
    await expect(post('cut', 'two').then((answer) => answer.text())).rejects.toThrow()
    expect(await found()).toBe(1)
    expect(
      (
        await fetch(`${lab.origin}/sandbox/api/v1/patients`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${lab.key.key}`,
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
      () => lab.rest('/patients', 'cut'),
      () => lab.fhir('Observation?patient=pt-wren-testwell&_count=50', 'cut'),
      () => lab.rest(`/patients/${patientId}/ccda`, 'cut'),
    ]) {
      const answer = await ask()

      expect([answer.status, answer.headers.get(injectedHeader)]).toEqual([200, 'cut'])
      await expect(answer.text()).rejects.toThrow(/terminated|aborted|hang up|ECONNRESET/i)
    }
    expect((await lab.accessed())[0]).toMatchObject({ outcome: 'served' })
    // The next one is served by the same process as ever.
    expect((await lab.rest('/context')).status).toBe(200)
  })

  test('truncated JSON comes as if it were whole, and does not parse', async () => {
    for (const ask of [
      () => lab.rest('/patients', 'truncated'),
      () => lab.fhir('Observation?patient=pt-wren-testwell&_count=50', 'truncated'),
    ]) {
      const answer = await ask()
      const text = await answer.text()

      expect(answer.status).toBe(200)
      expect(text.length).toBeGreaterThan(50)
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
    }
  })

  test('a next link that repeats leads to the page itself, for as long as it is switched on', async () => {
    await lab.switchOn('next-repeats', { target: `client:${lab.clientId}`, repeats: true })
    const ask = async (url: string) =>
      (await (await fetch(url, { headers: { authorization: `Bearer ${lab.token}` } })).json()) as {
        link: { relation: string; url: string }[]
      }
    const next = (bundle: Awaited<ReturnType<typeof ask>>) =>
      bundle.link.find(({ relation }) => relation === 'next')?.url ?? ''
    const first = next(
      await ask(`${lab.origin}/r4/${lab.practiceSlug}/Observation?patient=pt-wren-testwell&_count=5`),
    )
    const second = next(await ask(first))

    expect(second).toBe(first)
    // A read is no search: the step goes on lab.waiting.
    expect((await lab.fhir(`Patient/${patientId}`)).headers.get(injectedHeader)).toBeNull()
    const [shown] = await lab.stack.services.faultAdmin.list(
      { organizationId: lab.organizationId },
      lab.developer,
    )
    expect(shown).toMatchObject({ on: true, taken: 2 })
    await lab.stack.services.faultAdmin.switchOff(
      { organizationId: lab.organizationId, id: shown?.id ?? '' },
      lab.developer,
    )
    expect(
      (await fetch(first, { headers: { authorization: `Bearer ${lab.token}` } })).headers.get(injectedHeader),
    ).toBeNull()
  })

  test('a slow answer holds no connection to the database', async () => {
    const slow = [1, 2, 3].map(() => lab.rest('/context', 'latency;ms=2500'))
    await expect.poll(() => lab.waiting.length, { timeout: 10_000 }).toBe(3)

    // The pool has two connections, and three requests wait.
    expect((await lab.rest('/patients')).status).toBe(200)
    expect(lab.waiting.map(({ milliseconds }) => milliseconds)).toEqual([2_500, 2_500, 2_500])
    for (const { end } of lab.waiting.splice(0)) end()
    const answers = await Promise.all(slow)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await lab.logged({ keyId: lab.key.id })).filter(({ fault }) => fault !== null)).toHaveLength(3)
  })

  test('a key that is revoked while it waits gets no answer for it', async () => {
    const slow = lab.rest('/patients', 'latency')
    await expect.poll(() => lab.waiting.length, { timeout: 10_000 }).toBe(1)
    await lab.stack.services.prisma.apiKey.update({
      where: { id: lab.key.id },
      data: { revokedAt: lab.stack.services.clock() },
    })
    lab.waiting.splice(0)[0]?.end()

    expect((await slow).status).toBe(401)
  })
})

describe('a switch', () => {
  test('a script is met in order, by this key alone, and then over', async () => {
    await lab.switchOn('429*2, ok, 503;retry-after=9')
    const other = await lab.ownKey()
    const seen: [number, string | null][] = []
    for (let call = 0; call < 6; call++) {
      const answer = await lab.rest('/context')
      seen.push([answer.status, answer.headers.get(injectedHeader)])
      const neighbour = await lab.stack.call('/context', { key: other.key })
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
    const [shown] = await lab.stack.services.faultAdmin.list(
      { organizationId: lab.organizationId },
      lab.developer,
    )
    expect(shown).toMatchObject({ on: false, taken: 4 })
  })

  test('of many requests at once each takes a step of its own', async () => {
    await lab.switchOn('429*7, ok')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => lab.stack.call('/context', { key: lab.key.key })),
    )

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })

  test('it ends by time, by hand and by the next one; a header goes before it', async () => {
    await lab.switchOn('500', { repeats: true, minutes: 5 })
    expect((await lab.rest('/context')).status).toBe(500)
    expect((await lab.rest('/context', '404')).status).toBe(404)
    lab.stack.services.advance(5 * 60_000)
    expect((await lab.rest('/context')).status).toBe(200)
    await lab.switchOn('500', { repeats: true })
    const { id } = await lab.switchOn('503', { repeats: true })
    expect((await lab.rest('/context')).status).toBe(503)
    await lab.stack.services.faultAdmin.switchOff({ organizationId: lab.organizationId, id }, lab.developer)
    await lab.stack.services.faultAdmin.switchOff({ organizationId: lab.organizationId, id }, lab.developer)
    expect((await lab.rest('/context')).status).toBe(200)
    const audit = await lab.stack.services.prisma.auditEvent.count({ where: { subjectId: id } })
    expect(audit).toBe(2)
  })

  test('the token address answers in the words of OAuth', async () => {
    const { client } = await smartSupport(lab.stack.services).createClient({
      scope: 'patient/*.rs',
      organizationId: lab.organizationId,
      everyPractice: false,
    })
    await lab.switchOn('401, 429;retry-after=3, 500, 503', { target: `client:${client.clientId}` })
    const seen: unknown[] = []
    for (let call = 0; call < 5; call++) {
      const answer = await fetch(`${lab.origin}/r4/${lab.practiceSlug}/token`, {
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
    const stranger = await lab.stack.issueKey()
    const production = await lab.stack.issueKey({
      environment: 'production',
      practice: 'sandpiper-demonstration',
    })
    await lab.stack.services.prisma.apiKey.update({
      where: { id: production.id },
      data: { organizationId: lab.organizationId },
    })

    for (const target of [
      `key:${stranger.id}`,
      `key:${production.id}`,
      'key:1',
      'client:nobody',
      '',
      `client:${lab.key.id}`,
    ])
      await expect(lab.switchOn('500', { target })).rejects.toMatchObject({ kind: 'not_found' })
    for (const minutes of [0, -1, 1.5, 24 * 60 + 1, Number.NaN])
      await expect(lab.switchOn('500', { minutes })).rejects.toMatchObject({ kind: 'validation' })
    const somebody = await smartSupport(lab.stack.services).createOrganization()
    await expect(
      lab.stack.services.faultAdmin.list({ organizationId: lab.organizationId }, somebody.developer),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('a key of the explorer is one person’s session: nobody switches a fault on for it', async () => {
    const { faultAdmin, prisma } = lab.stack.services
    await prisma.apiKey.update({ where: { id: lab.key.id }, data: { explorer: true } })

    const targets = await faultAdmin.targets({ organizationId: lab.organizationId }, '', lab.developer)

    expect(targets.rows.map(({ value }) => value)).not.toContain(`key:${lab.key.id}`)
    await expect(lab.switchOn('500')).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('another process hears of it within a second', async () => {
    const { createApp } = await import('../../server/app.ts')
    const { createServices } = await import('../../server/services.ts')
    const { env, log, clock, appUrl } = lab.stack.services
    const second = createServices({ env, log, appUrl, clock })
    const app = createApp(second)
    const ask = async () =>
      (
        await app.fetch(
          new Request(`${lab.origin}/sandbox/api/v1/context`, {
            headers: { authorization: `Bearer ${lab.key.key}` },
          }),
        )
      ).status

    expect(await ask()).toBe(200)
    await lab.switchOn('503', { repeats: true })
    lab.stack.services.advance(1_000)

    expect(await ask()).toBe(503)
    await second.close()
  })
})
