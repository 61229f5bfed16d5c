/** Faults that are switched on: in order, for one key or app, for a while, at every process. */
import { describe, expect, test } from 'vitest'
import { injectedHeader } from '../../server/contract/lab/faults.ts'
import { faultLab } from '../support/fault-lab.ts'
import { smartSupport } from '../support/smart.ts'

const lab = faultLab()

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
    expect(shown?.report.find(({ question }) => question === 'waited')?.answer).toBe('no')
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
