/** Broken settings, each found by its own line with what to do, and nothing secret in any of them. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { makeCertificate } from '../../tests/support/certificate.ts'
import { type MailReceiver, startMailReceiver } from '../../tests/support/mail-receiver.ts'
import { createTestDatabase } from '../../tests/support/test-databases.ts'
import { createPool } from '../store/pool.ts'
import { describe as describeFinding, diagnose } from './doctor-command.ts'

const key = `k1:${Buffer.alloc(32, 9).toString('base64')}`
const servers: Server[] = []

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-doctor-'))
const mails: MailReceiver = await startMailReceiver()
const database = await createTestDatabase(inject('testServer'), 'schema')
const empty = await createTestDatabase(inject('testServer'), 'empty')
const good: Record<string, string> = {
  DATABASE_URL: database.appUrl,
  ENCRYPTION_KEYS: key,
  PUBLIC_ORIGIN: 'http://localhost:9',
  SMTP_URL: mails.url,
  DATA_DIR: folder,
}
afterAll(async () => {
  for (const server of servers) server.close()
  await mails.close()
  await database.drop()
  await empty.drop()
  rmSync(folder, { recursive: true, force: true })
})

const databaseName = () => new URL(database.ownerUrl).pathname.slice(1)

async function withOwner(sql: string): Promise<void> {
  const pool = createPool({ connectionString: database.ownerUrl, max: 1 })
  await pool.query(sql)
  await pool.end()
}

async function examine(change: Record<string, string | undefined>) {
  const findings = await diagnose({ ...good, ...change })
  const text = findings.map(describeFinding).join('\n')
  expect(text).not.toMatch(/hunter2|CQkJ/)
  for (const { state, fix } of findings) expect(Boolean(fix)).toBe(state !== 'ok')
  const of = (name: string) => findings.find((each) => each.name === name)
  return { findings, of, faults: findings.filter(({ state }) => state === 'fault').map(({ name }) => name) }
}

test('a deployment that is right has no fault', async () => {
  const { faults, of } = await examine({})

  expect(faults).toEqual([])
  for (const name of [
    'settings',
    'database',
    'database user',
    'database TLS',
    'database connections',
    'migrations',
    'clock',
    'keyring',
    'mail',
  ])
    expect(of(name)).toMatchObject({ state: 'ok' })
  expect(of('WAL archiving')).toMatchObject({ state: 'ok', finding: 'not expected on localhost' })
})

test('a setting of an earlier release is named, with what holds now', async () => {
  const { faults, findings } = await examine({ EXPORT_GZIP: '0' })

  expect(faults).toEqual([])
  expect(findings[1]).toEqual({
    name: 'settings',
    state: 'warning',
    finding: 'EXPORT_GZIP has no effect any more',
    fix: 'Files are always compressed. Unset it',
  })
})

test.each([
  [
    { ENCRYPTION_KEYS: undefined, SMTP_URL: undefined },
    ['settings', 'settings'],
    'ENCRYPTION_KEYS is missing',
  ],
  [{ ENCRYPTION_KEYS: 'k1:aHVudGVyMg==' }, ['settings'], '7 bytes instead of 32'],
  [{ DATABASE_URL: 'postgresql://app:hunter2@127.0.0.1:1/none' }, ['database'], 'cannot be reached'],
  [{ SMTP_URL: 'smtp://user:hunter2@127.0.0.1:1' }, ['mail'], '127.0.0.1:1 does not accept us'],
  [{ BUSINESS_TZ: 'America/Springfield' }, ['settings'], 'BUSINESS_TZ must be'],
  [{ DATA_DIR: '/dev/null/none' }, ['DATA_DIR', 'EXPORT_DIR', 'AUDIT_HEADS_DIR'], 'cannot be written'],
  // A folder in which nobody can make another one.
  [{ DATA_DIR: '/proc/none' }, ['DATA_DIR', 'EXPORT_DIR', 'AUDIT_HEADS_DIR'], 'cannot be written (ENOENT)'],
])('%j: %j', async (change, expected, words) => {
  const { faults, findings } = await examine(change)

  expect(faults).toEqual(expected)
  expect(findings.map(describeFinding).join('\n')).toContain(words)
})

test('the owner of the tables, a superuser and a database without migrations are found', async () => {
  const superuser = new URL(inject('testServer').adminUrl)
  superuser.pathname = new URL(database.ownerUrl).pathname
  expect((await examine({ DATABASE_URL: superuser.href })).of('database user')).toMatchObject({
    state: 'fault',
  })
  expect((await examine({ DATABASE_URL: database.ownerUrl })).faults).toEqual([
    expect.stringMatching(/^database/),
  ])
  expect((await examine({ DATABASE_MIGRATION_URL: database.ownerUrl })).of('database user')).toMatchObject({
    state: 'warning',
  })
  const { faults, of } = await examine({ DATABASE_URL: empty.appUrl })
  expect(faults).toEqual(['migrations'])
  expect(of('migrations')?.fix).toContain('sandpiper migrate')
  expect(of('keyring')).toMatchObject({ state: 'warning' })
})

test('more connections than PostgreSQL lets this user open are found', async () => {
  const few = await examine({ DATABASE_POOL: '2', ROLE: 'worker' })
  const many = await examine({ DATABASE_POOL: '100', ROLE: 'web' })

  expect(few.of('database connections')).toMatchObject({
    state: 'ok',
    finding: expect.stringMatching(/lets this user open 397; a process with ROLE=worker opens up to 22$/),
  })
  await withOwner(`ALTER DATABASE ${databaseName()} CONNECTION LIMIT 100`)
  const limited = await examine({ DATABASE_POOL: '100', ROLE: 'web' })
  await withOwner(`ALTER DATABASE ${databaseName()} CONNECTION LIMIT -1`)
  expect([many.of('database connections')?.state, limited.of('database connections')]).toEqual([
    'ok',
    expect.objectContaining({ state: 'warning', finding: expect.stringContaining('open 100;') }),
  ])
})

test('a key other than the one that encrypted data is found', async () => {
  const { proveKeyring } = await import('../start/keyring-proof.ts')
  const { createKeyring } = await import('../keyring.ts')
  const pool = createPool({ connectionString: database.appUrl, max: 1 })
  await proveKeyring({ pool, keyring: createKeyring(key), clock: () => new Date() })
  await pool.end()

  const other = `k1:${Buffer.alloc(32, 8).toString('base64')}`
  const { faults, of } = await examine({ ENCRYPTION_KEYS: other })

  expect(faults).toEqual(['keyring'])
  expect(of('keyring')?.finding).toContain('not the key k1')
})

test('behind https a proxy must be named, its certificate be trusted, and the write-ahead log be archived', async () => {
  const { key: privateKey, cert } = makeCertificate(['localhost'])
  const proxy = createTlsServer({ key: privateKey, cert }, (_, response) => response.end('ok'))
  servers.push(proxy)
  await new Promise<void>((done) => proxy.listen(0, 'localhost', done))
  const origin = `https://localhost:${(proxy.address() as AddressInfo).port}`

  const { faults, of } = await examine({ PUBLIC_ORIGIN: origin })

  expect(faults).toEqual(expect.arrayContaining(['TLS', 'proxy']))
  expect(of('WAL archiving')).toMatchObject({
    state: 'warning',
    finding: 'off: a restore loses what was written after the last backup',
  })
  expect(of('TLS')?.finding).toContain('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
  const named = await examine({ PUBLIC_ORIGIN: origin, TRUSTED_PROXY_CIDRS: '127.0.0.1/32' })
  expect(named.of('proxy')).toMatchObject({ state: 'ok' })
})

test('a folder of somebody else is found, and nothing is left in one of our own', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o600)

  const { faults } = await examine({ AUDIT_HEADS_SECOND_DIR: file })

  expect(faults).toEqual(['AUDIT_HEADS_SECOND_DIR'])
})
