/** Each way in which requests could not work by way of PgBouncer is said at the start, with what to do. */
import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeStartFault, isSettingsFault } from '../../server/start/start-fault.ts'
import { APP_ROLE, prepareDatabaseUrls } from '../../server/store/roles.ts'
import { servingUrls } from '../../server/store/serving-urls.ts'
import {
  createDebianPostgres,
  type DebianPostgres,
  fillDebianPostgres,
  ownerRole,
} from '../support/debian-postgres.ts'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'

let postgres: DebianPostgres
let direct: string
const bouncers: Pgbouncer[] = []

beforeAll(async () => {
  postgres = await createDebianPostgres()
  await fillDebianPostgres(postgres)
  direct = postgres.url(APP_ROLE)
})
afterEach(async () => {
  for (const bouncer of bouncers.splice(0)) await bouncer.remove()
})
afterAll(() => postgres.remove())

async function bounce(options: Parameters<typeof startPgbouncer>[1] = {}): Promise<string> {
  const bouncer = await startPgbouncer(
    { host: '127.0.0.1', port: postgres.port, database: 'sandpiper' },
    options,
  )
  bouncers.push(bouncer)
  return bouncer.url
}

/** What a person is shown; every one of them ends with exit code 2. */
async function refusal(DATABASE_URL: string, DATABASE_DIRECT_URL?: string): Promise<string> {
  const error: unknown = await servingUrls({ DATABASE_URL, DATABASE_DIRECT_URL }).then(
    () => 'it started',
    (thrown) => thrown,
  )
  const sentence = describeStartFault(error)
  expect(sentence, String(error)).not.toBeNull()
  expect(isSettingsFault(error), String(error)).toBe(true)
  expect(sentence).not.toContain('of-this-test')
  return sentence as string
}

test('as the page sets it up it is used for requests, and PostgreSQL for the rest', async () => {
  const urls = await servingUrls({ DATABASE_URL: await bounce(), DATABASE_DIRECT_URL: direct })

  expect(urls.appUrl).toContain('sandpiper_pooled=1')
  expect(urls.directUrl).toBe(direct)
})

test('1.18, which keeps no prepared statements', async () => {
  const url = await bounce({ version: 'old', settings: { max_prepared_statements: '' } })

  const said = await refusal(url, direct)

  expect(said).toContain('does not keep prepared statements: use PgBouncer 1.21 or newer')
})

test.each([
  [
    'max_prepared_statements = 0',
    { settings: { max_prepared_statements: '0' } },
    'max_prepared_statements = 1000',
  ],
  ['session mode', { settings: { pool_mode: 'session' } }, 'with pool_mode = transaction'],
  [
    'statement pooling',
    { settings: { pool_mode: 'statement' } },
    'takes no transactions: set pool_mode = transaction',
  ],
  [
    'statements without a limit',
    { connectQuery: '' },
    `run without end: the pooler does not pass a limit on: set connect_query='SET statement_timeout = 5000'`,
  ],
  ['a limit that is too long', { connectQuery: 'SET statement_timeout = 60000' }, 'run for 60000 ms'],
])('%s', async (_, options, said) => {
  expect(await refusal(await bounce(options), direct)).toContain(said)
})

test('no DATABASE_DIRECT_URL, or one that leads to PgBouncer, too', async () => {
  const url = await bounce()

  expect(await refusal(url)).toContain('DATABASE_DIRECT_URL is missing')
  expect(await refusal(url, url)).toContain('DATABASE_DIRECT_URL leads to a connection pooler (PgBouncer)')
})

test('another database, another user, options, and the owner of the tables', async () => {
  const url = await bounce()
  await postgres.asAdmin(async (client) => {
    await client.query('CREATE DATABASE other')
    await client.query('CREATE ROLE other LOGIN')
  })

  expect(await refusal(url, direct.replace(/\/sandpiper$/, '/other'))).toContain(
    'lead to different databases',
  )
  expect(await refusal(url, direct.replace(APP_ROLE, 'other'))).toContain(
    `DATABASE_URL connects as ${APP_ROLE} and DATABASE_DIRECT_URL as other`,
  )
  expect(await refusal(`${url}?options=-c%20jit%3Doff`, direct)).toContain('options')
})

test('a setting of the database that connections would have to change for themselves', async () => {
  await postgres.asAdmin((client) => client.query('ALTER DATABASE sandpiper SET jit TO on'))

  const said = await refusal(await bounce(), direct)

  await postgres.asAdmin((client) => client.query("ALTER DATABASE sandpiper SET jit TO 'off'"))
  expect(said).toContain("Let its owner run: ALTER DATABASE sandpiper SET jit TO 'off'")
})

test('migrations connect to PostgreSQL itself', async () => {
  const url = await bounce()
  const migrating = (migrationUrl?: string) =>
    prepareDatabaseUrls({ databaseUrl: url, migrationUrl }).then(
      ({ ownerUrl }) => ownerUrl,
      (error: Error) => error.message,
    )

  expect(await migrating(postgres.url(ownerRole))).toBe(postgres.url(ownerRole))
  expect(await migrating(url)).toContain('DATABASE_MIGRATION_URL leads to a connection pooler')
  expect(await migrating()).toContain('in place of DATABASE_MIGRATION_URL, leads to a connection pooler')
})

test('the server itself ends with exit code 2 and one sentence', async () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/sandpiper.cjs', 'serve'], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: 'http://localhost:9',
      SMTP_URL: 'smtp://127.0.0.1:9',
      ENCRYPTION_KEYS: `load:${Buffer.alloc(32, 7).toString('base64')}`,
      DATA_DIR: postgres.folder,
      DATABASE_URL: await bounce(),
    },
  })

  expect([status, stderr]).toEqual([2, expect.stringMatching(/^DATABASE_DIRECT_URL is missing: .*\n$/)])
})
