/** A keyring is proven against the database before anything is served, sealed or sent. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { createKeyring, KeyringError } from '../keyring.ts'
import { rootDir } from '../root-dir.ts'
import { programFile } from '../threads.ts'
import { proveKeyring, retireKeys, usedSealColumns } from './keyring-proof.ts'

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const services = await testServices({ template: 'schema', environment: { ENCRYPTION_KEYS: key('k1', 1) } })
beforeEach(async () => {
  const { keyringCanary, outboxMail, signingKey } = services.prisma
  await keyringCanary.deleteMany()
  await outboxMail.deleteMany()
  await signingKey.deleteMany()
})

const prove = (...keys: string[]) =>
  proveKeyring({ pool: services.pool, keyring: createKeyring(keys.join(',')), clock: services.clock })

const canaries = async () =>
  (await services.prisma.keyringCanary.findMany({ orderBy: { keyId: 'asc' } })).map(({ keyId }) => keyId)

const enqueue = () =>
  services.prisma.$transaction((tx) =>
    services.mail.enqueue(tx, {
      template: 'verify-email',
      to: 'robin@samplewood.example',
      props: { name: 'Robin Testwell', expiresAt: '2026-11-21T17:00:00.000Z' },
      links: { verifyUrl: `/verify-email#token=${'S'.repeat(43)}` },
    }),
  )

describe('a keyring', () => {
  test('is accepted by a new database, and from then on only with that key', async () => {
    await prove(key('k1', 1))
    await prove(key('k1', 1))

    await expect(prove(key('k1', 2))).rejects.toThrow(
      'ENCRYPTION_KEYS is not usable:\n  - the key k1 is not the key k1 that encrypted data in this database',
    )
    await expect(prove(key('k2', 2))).rejects.toThrow(
      'ENCRYPTION_KEYS is not usable:\n  - the key k1 is missing, and it encrypted data in this database',
    )
    expect(await canaries()).toEqual(['k1'])
  })

  test('may get a new first key, whose absence is refused from then on', async () => {
    await prove(key('k1', 1))
    await prove(key('k2', 2), key('k1', 1))

    await expect(prove(key('k1', 1))).rejects.toThrow('the key k2 is missing')
    await prove(key('k1', 1), key('k2', 2))
  })

  test('is held against what is sealed already, where an earlier release sealed without a proof', async () => {
    await services.signingKeys.ensure()

    await expect(prove(key('k1', 2))).rejects.toThrow('the key k1 is not the key k1')
    await expect(prove(key('k2', 2))).rejects.toThrow('the key k1 is missing')
    expect(await canaries()).toEqual([])
    await prove(key('k2', 2), key('k1', 1))
    expect(await canaries()).toEqual(['k1', 'k2'])
  })

  test('of two processes that start at once with different keys under one id, one is refused', async () => {
    const both = await Promise.allSettled([prove(key('k1', 1)), prove(key('k1', 2))])

    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: expect.any(KeyringError),
    })
  })

  test('keeps an older key until nothing is sealed with it', async () => {
    await prove(key('k1', 1))
    await enqueue()
    const both = createKeyring([key('k2', 2), key('k1', 1)].join(','))
    await prove(key('k2', 2), key('k1', 1))

    const kept = await retireKeys({ pool: services.pool, keyring: both })
    await services.prisma.outboxMail.updateMany({ data: { sealedLinks: null, state: 'sent' } })
    const freed = await retireKeys({ pool: services.pool, keyring: both })

    expect(kept).toEqual([{ keyId: 'k1', uses: [{ what: 'links in emails', count: 1 }] }])
    expect(freed).toEqual([{ keyId: 'k1', uses: [] }])
    await prove(key('k2', 2))
  })
})

test('every column that is sealed or keyed is counted, or its value is made anew when its key is gone', () => {
  const schema = readFileSync(join(rootDir, 'prisma/schema.prisma'), 'utf8')
  const sealed = [...schema.matchAll(/^model (\w+) \{[\s\S]*?^\}/gm)].flatMap(([model]) => {
    const table = /@@map\("(\w+)"\)/.exec(model)?.[1]
    const columns = [...model.matchAll(/^ {2}(sealed\w*)\s+Bytes\??(?:.*@map\("(\w+)"\))?/gm)]
    return columns.map(([, field, column]) => `${table}.${column ?? field}`)
  })

  expect(sealed.filter((column) => !usedSealColumns.includes(column)).sort()).toEqual([
    'explorer_key.sealed',
    'explorer_token.sealed',
    'keyring_canary.sealed',
    'launch_example_key.sealed',
    'probe_credential.sealed',
  ])
})

test('the server refuses to start on another key, with a sentence and no stack', async () => {
  await prove(key('k1', 1))

  const { code, errors } = await start(key('k1', 2))

  expect(code).toBe(2)
  expect(errors).toBe(
    'ENCRYPTION_KEYS is not usable:\n' +
      '  - the key k1 is not the key k1 that encrypted data in this database. Use the original key\n',
  )
}, 60_000)

function start(keys: string): Promise<{ code: number | null; errors: string }> {
  const { appUrl } = services.database
  const child = spawn(process.execPath, [programFile('server/index.ts')], {
    cwd: rootDir,
    env: {
      ...process.env,
      SANDPIPER_EMBEDDED: '1',
      ROLE: 'worker',
      DATABASE_URL: appUrl,
      DATA_DIR: services.env.DATA_DIR,
      SMTP_URL: 'smtp://127.0.0.1:9',
      ENCRYPTION_KEYS: keys,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 50_000,
  })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })))
}
