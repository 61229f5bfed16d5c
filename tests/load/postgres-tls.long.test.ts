/** A PostgreSQL that speaks TLS only: every connection is checked, and one that cannot be is refused with the reason. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { parseEnv } from '../../server/env.ts'
import { createServices } from '../../server/services.ts'
import { migrate } from '../../server/store/migrations.ts'
import { APP_ROLE } from '../../server/store/roles.ts'
import { loadCast } from '../support/cast.ts'
import { makeCertificate } from '../support/certificate.ts'
import {
  createDebianPostgres,
  type DebianPostgres,
  findPrograms,
  ownerRole,
} from '../support/debian-postgres.ts'
import { startPatientWriters } from './patient-writers.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-tls-'))
const authority = {
  ...makeCertificate([], { subject: 'Sandpiper tests: authority' }),
  subject: 'Sandpiper tests: authority',
}
const stranger = makeCertificate([], { subject: 'Sandpiper tests: another authority' })
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text, { mode: 0o600 })
  return encodeURIComponent(join(folder, name))
}
const ca = file('ca.pem', authority.cert)
const otherCa = file('other-ca.pem', stranger.cert)
const person = makeCertificate([], { subject: ownerRole, issuer: authority })
const ownCertificate = `sslcert=${file('client.pem', person.cert)}&sslkey=${file('client.key', person.key)}`

let postgres: DebianPostgres

beforeAll(async () => {
  const { key, cert } = makeCertificate(['localhost'], { subject: 'localhost', issuer: authority })
  postgres = await createDebianPostgres({
    files: { 'server.key': key, 'server.pem': cert, 'ca.pem': authority.cert },
    settings: [
      'ssl = on',
      `ssl_cert_file = 'FOLDER/server.pem'`,
      `ssl_key_file = 'FOLDER/server.key'`,
      `ssl_ca_file = 'FOLDER/ca.pem'`,
    ],
    access: [
      'local all postgres trust',
      // The owner shows a certificate of its own.
      `hostssl all ${ownerRole} 127.0.0.1/32 cert`,
      'hostssl all all 127.0.0.1/32 trust',
    ],
  })
  process.env.PATH = `${findPrograms()}${delimiter}${process.env.PATH}`
})

afterAll(() => {
  postgres?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const urlOf = (role: string, parameters: string, host = 'localhost') =>
  `postgresql://${role}@${host}:${postgres.port}/sandpiper?${parameters}`
const appUrl = (parameters = `sslmode=verify-full&sslrootcert=${ca}`) => urlOf(APP_ROLE, parameters)
const ownerUrl = () => urlOf(ownerRole, `sslmode=verify-full&sslrootcert=${ca}&${ownCertificate}`)

const environmentFor = (port: number, databaseUrl: string) => ({
  NODE_ENV: 'production',
  SANDPIPER_EMBEDDED: '1',
  PUBLIC_ORIGIN: `http://localhost:${port}`,
  SMTP_URL: 'smtp://127.0.0.1:9',
  ROLE: 'all',
  DATABASE_URL: databaseUrl,
  DATABASE_MIGRATION_URL: '',
  DATA_DIR: folder,
  REDIS_URL: '',
  ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
})

test('migrations, the server with its jobs, threads and exports go through TLS', async () => {
  const logFile = join(folder, 'server.log')
  onTestFailed(() => console.log(execFileSync('tail', ['-c', '6000', logFile], { encoding: 'utf8' })))
  await migrate({ ownerUrl: ownerUrl(), appRole: APP_ROLE })
  await loadCast({ ownerUrl: ownerUrl(), appUrl: appUrl(), appRole: APP_ROLE })
  const port = await findFreePort()
  const environment = environmentFor(port, appUrl())
  const services = createServices({
    env: parseEnv(environment),
    appUrl: environment.DATABASE_URL,
    log: pino({ level: 'silent' }),
  })
  const server = await startServer({ environment, host: '127.0.0.1', port, logFile })
  try {
    const writers = await startPatientWriters(services, { origin: server.origin, count: 2 })
    await expect.poll(() => writers.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(5)
    await writers.stop()
    expect(writers.faults).toEqual([])

    const connections = await postgres.asAdmin(async (client) => {
      const { rows } = await client.query<{ name: string; ssl: boolean; version: string }>(
        `SELECT DISTINCT a.application_name AS name, s.ssl, s.version FROM pg_stat_activity a
         JOIN pg_stat_ssl s USING (pid) WHERE a.usename = $1 ORDER BY 1`,
        [APP_ROLE],
      )
      return rows
    })
    expect(connections.map(({ name, ssl, version }) => [name, ssl, version])).toEqual(
      ['sandpiper', 'sandpiper worker', 'sandpiper worker lock', 'sandpiper-recorder'].map((name) => [
        name,
        true,
        'TLSv1.3',
      ]),
    )
  } finally {
    await server.stop()
    await services.close()
  }
})

test.each([
  [
    'another authority',
    () => appUrl(`sslmode=verify-full&sslrootcert=${otherCa}`),
    'sslrootcert does not name',
  ],
  ['no authority of its own', () => appUrl('sslmode=verify-full'), 'sslrootcert does not name'],
  [
    'sslmode=require and another authority',
    () => appUrl(`sslmode=require&sslrootcert=${otherCa}`),
    'sslrootcert',
  ],
  [
    'another host name',
    () => urlOf(APP_ROLE, `sslmode=verify-full&sslrootcert=${ca}`, '127.0.0.1'),
    'is for another host name',
  ],
  ['no TLS', () => appUrl('sslmode=disable'), 'refused the connection: no pg_hba.conf entry'],
  [
    'a file that is not there',
    () => appUrl('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
    'sslrootcert that cannot be read: /nowhere/ca.pem (ENOENT)',
  ],
])('with %s the server does not start, and says why', async (_, url, reason) => {
  const port = await findFreePort()
  const starting = startServer({
    environment: environmentFor(port, url()),
    host: '127.0.0.1',
    port,
    logFile: join(folder, 'refused.log'),
  })

  const failure = await starting.then(
    async (server) => {
      await server.stop()
      return 'it started'
    },
    (error: Error) => error.message,
  )

  expect(failure).toContain('DATABASE_URL')
  expect(failure).toContain(reason)
  expect(failure).not.toMatch(/\n\s+at /)
})

test('verify-ca asks for the authority alone, and no-verify for nothing', async () => {
  for (const parameters of [`sslmode=verify-ca&sslrootcert=${ca}`, 'sslmode=no-verify']) {
    const services = createServices({
      env: parseEnv(environmentFor(3000, urlOf(APP_ROLE, parameters, '127.0.0.1'))),
      appUrl: urlOf(APP_ROLE, parameters, '127.0.0.1'),
      log: pino({ level: 'silent' }),
    })
    const { rows } = await services.pool.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    )
    await services.close()
    expect(rows).toEqual([{ ssl: true }])
  }
})
