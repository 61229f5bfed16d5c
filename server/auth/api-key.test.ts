import { beforeAll, describe, expect, test } from 'vitest'
import { type RestStack, restStack } from '../../tests/support/rest.ts'
import { makeKey } from '../contract/keys/key-format.ts'
import { createApiKeyAuth } from './api-key.ts'
import type { ApiKeyPrincipal } from './principal.ts'

const principal: ApiKeyPrincipal = {
  kind: 'api_key',
  keyId: '019a9f5e-7c1b-7d3e-8f40-5a6b7c8d9e0f',
  keyPrefix: 'svc_t0000000',
  keyName: 'Test key',
  level: 'read_only',
  environment: 'sandbox',
  mcpWrites: false,
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  version: 0,
  access: null,
  narrowedFrom: null,
  caps: null,
  allowedNetworks: [],
  limits: null,
  practice: { id: '019a9f5e-7c1b-7d3e-8f40-5a6b7c8d9e10', slug: 'p', name: 'P', datasetId: 1 },
}

describe('authenticating by key', () => {
  let stack: RestStack

  beforeAll(async () => {
    stack = await restStack()
  })

  test('asks the database once for a key it knows and never for one that cannot be', async () => {
    const { services, issueKey } = stack
    const { key } = await issueKey()
    let asked = 0
    const pool = new Proxy(services.pool, {
      get: (target, name) => {
        if (name === 'query') asked++
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const auth = createApiKeyAuth({ pool, store: services.store, clock: services.clock })

    for (let i = 0; i < 5; i++) await auth.authenticate(`Bearer ${key}`, 'sandbox')
    expect(asked).toBe(1)
    for (const header of [
      null,
      '',
      'Bearer',
      `Bearer ${key} x`,
      `Basic ${key}`,
      `Bearer ${key}0`,
      `Bearer x${key}`,
    ]) {
      expect((await auth.authenticate(header, 'sandbox')).kind).toBe('refused')
    }
    expect(asked).toBe(1)

    services.advance(10 * 60_000 + 1)
    await auth.authenticate(`bearer  ${key}`, 'sandbox')
    expect(asked).toBe(2)
  })

  test('knows whose a refused key is, or what it claims to be', async () => {
    const { services, issueKey } = stack
    const auth = createApiKeyAuth({ pool: services.pool, store: services.store, clock: services.clock })
    const { key, id, practiceId } = await issueKey({ revokedAt: services.clock() })
    const strange = makeKey('sandbox', (size) => Buffer.alloc(size, 4))

    expect(await auth.authenticate(`Bearer ${key}`, 'sandbox')).toEqual({
      kind: 'refused',
      reason: 'key_revoked',
      keyId: id,
      practiceId,
      claimedPrefix: null,
    })
    expect(await auth.authenticate(`Bearer ${strange}`, 'sandbox')).toMatchObject({
      reason: 'unknown_key',
      keyId: null,
      claimedPrefix: strange.slice(0, 12),
    })
  })
})

describe('asking whether a key lives', () => {
  test('is one statement at a time, and nobody is told what was read before he asked', async () => {
    const answers: ((alive: boolean) => void)[] = []
    const auth = createApiKeyAuth({
      pool: undefined as never,
      store: { isAlive: () => new Promise((resolve) => answers.push(resolve)) },
      clock: () => new Date(),
    })

    const first = auth.isAlive(principal)
    const later = [auth.isAlive(principal), auth.isAlive(principal), auth.isAlive(principal)]
    expect(answers).toHaveLength(1)
    answers[0]?.(true)
    expect(await first).toBe(true)
    expect(answers).toHaveLength(2)
    answers[1]?.(false)

    expect(await Promise.all(later)).toEqual([false, false, false])
  })
})
