/** The Assertion Doctor says what is wrong with the assertion of a backend system. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { firstPage } from '../../server/contract/portal/paging.ts'
import { backendStack } from '../support/backend-systems.ts'
import { demonstration } from '../support/smart.ts'

const hour = 3_600

const { stack, keys, system, createSystem, sign, ask, seconds } = await backendStack()

describe('the Assertion Doctor', () => {
  test('finds nothing wrong with a good assertion and does not use it up', async () => {
    const assertion = await sign(system.client)
    const input = { clientId: system.client.clientId, practiceSlug: demonstration, assertion }

    const report = await stack.services.assertionDoctor.check(input, system.developer)

    expect(report.accepted).toBe(true)
    expect(report.claims.iss).toBe(system.client.clientId)
    expect((await ask(assertion)).status).toBe(200)
    const after = await stack.services.assertionDoctor.check(input, system.developer)
    expect(after.findings.find(({ outcome }) => outcome === 'failed')?.check).toBe('jti used')
  })

  test('keeps what was refused, without the assertion, for the app’s own developers', async () => {
    const { client, developer } = await createSystem()
    const assertion = await sign(client, { claims: { exp: seconds() - hour } })
    await ask(assertion)

    const attempts = await stack.services.assertionDoctor.listAttempts(client.clientId, developer)

    expect(attempts).toHaveLength(1)
    expect(attempts[0]?.report.findings.find(({ outcome }) => outcome === 'failed')?.check).toBe('expiry')
    expect(JSON.stringify(attempts)).not.toContain(assertion.split('.')[2])
    const call = { clientId: client.clientId, correlationId: attempts[0]?.correlationId ?? '' }
    expect(await stack.services.assertionDoctor.findAttempt(call, developer)).toEqual(attempts[0])
    await expect(stack.services.assertionDoctor.findAttempt(call, system.developer)).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(
      stack.services.assertionDoctor.listAttempts(client.clientId, system.developer),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('keeps of what an assertion holds known fields only, cut short, whatever they hold', async () => {
    const { client, developer } = await createSystem()
    const odd = `\ud800\u0000${'x'.repeat(1_000)}`
    const assertion = await sign(client, { claims: { aud: [odd, { odd }], jti: odd, ssn: 'never kept' } })

    const answer = await ask(assertion)

    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    const { clientId } = client
    const [row] = await stack.services.prisma.assertionAttempt.findMany({ where: { clientId } })
    expect(JSON.stringify(row?.report)).not.toContain('never kept')
    expect(JSON.stringify(row?.report).length).toBeLessThan(8_000)
    const [attempt] = await stack.services.assertionDoctor.listAttempts(clientId, developer)
    expect(attempt?.report.claims.jti).toMatch(/^ {2}x+$/)
  })

  test('keeps the last fifty only', async () => {
    const { client, developer } = await createSystem()
    const report = { accepted: false, findings: [], header: {}, claims: {} }
    await stack.services.prisma.assertionAttempt.createMany({
      data: Array.from({ length: 55 }, (_, index) => ({
        clientId: client.clientId,
        at: new Date(stack.services.clock().getTime() - index - 1),
        correlationId: randomUUID(),
        report,
      })),
    })
    await ask(await sign(client, { claims: { jti: '' } }))

    const kept = await stack.services.assertionDoctor.listAttempts(client.clientId, developer)

    expect(kept).toHaveLength(50)
    expect(kept[0]?.report.findings.length).toBeGreaterThan(0)
    expect(await stack.services.prisma.assertionAttempt.count({ where: { clientId: client.clientId } })).toBe(
      50,
    )
  })
})

test('a production system whose assertion was refused is in its developers’ inbox until it gets a token', async () => {
  const practice = 'juniper-point'
  const { client, developer } = await createSystem({ practice })
  const askAs = async (key = keys.ec) => {
    stack.services.advance(1_000)
    const assertion = await sign(client, { key, audience: stack.at('token', practice) })
    return (await ask(assertion, {}, practice)).status
  }
  const todos = async () => {
    await stack.services.recorder.flush()
    const { rows } = await stack.services.inbox.list({ ask: firstPage }, developer)
    return rows.map((entry) => [entry.kind, entry.clientId])
  }

  expect(await askAs(keys.stranger)).toBe(401)
  expect(await todos()).toEqual([['app_token_errors', client.clientId]])
  expect(await askAs()).toBe(200)
  expect(await todos()).toEqual([])
})
