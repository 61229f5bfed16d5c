/** docs/operations/backup.md: backups in object storage, by the commands of an installation, on a real S3 server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { createS3Client, type S3Client } from '../../server/store/s3-client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { startS3, type TestS3 } from '../support/swift.ts'

/** Of a process that backs up or restores 200 MB, with Node itself. */
const megabytesMax = 360

let s3: TestS3
let source: TestDatabase
let folder: string
let recipient: string
let client: S3Client
const address = 's3://sandpiper-exports/backups'
const own = `k1:${Buffer.alloc(32, 7).toString('base64')}`

type Ended = { code: number | null; output: string; peakMegabytes: number }
type Running = { child: ChildProcess; ended: Promise<Ended> }

function command(words: string, environment: Record<string, string> = {}): Running {
  const [name = '', ...options] = words.split(' ')
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', join(rootDir, 'build/server/cli/backup.js'), name, ...options],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: join(folder, 'tmp'),
        MALLOC_ARENA_MAX: '2',
        NODE_ENV: 'production',
        DATABASE_URL: source.appUrl,
        PUBLIC_ORIGIN: 'http://localhost:3000',
        SMTP_URL: 'smtp://127.0.0.1:9',
        ENCRYPTION_KEYS: own,
        DATA_DIR: join(folder, 'data'),
        BACKUP_URL: address,
        BACKUP_RECIPIENT: recipient,
        BACKUP_S3_ENDPOINT: s3.settings.endpoint,
        BACKUP_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
        BACKUP_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
        S3_ENCRYPTION: 'none',
        ...environment,
      },
    },
  )
  let output = ''
  let peakMegabytes = 0
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const timer = setInterval(() => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
      peakMegabytes = Math.max(peakMegabytes, Number(peak ?? 0) / 1024)
    } catch {
      // It has ended.
    }
  }, 20)
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(timer)
    return { code: code as number | null, output, peakMegabytes }
  })
  return { child, ended }
}

const run = (words: string, environment?: Record<string, string>) => command(words, environment).ended
const identity = () => ({ BACKUP_IDENTITY_FILE: join(folder, 'key.txt') })
const into = ({ appUrl, ownerUrl }: TestDatabase) => ({
  DATABASE_URL: appUrl,
  DATABASE_MIGRATION_URL: ownerUrl,
  ...identity(),
})

async function backUp(environment?: Record<string, string>): Promise<string> {
  const { code, output } = await run('backup', environment)
  expect([code, output]).toEqual([0, expect.stringContaining('rows in')])
  return /(\d{4}-[\dTZ-]+): /.exec(output)?.[1] ?? ''
}

async function completeBackups(): Promise<string[]> {
  const keys = await client.list('')
  return keys.filter((key) => key.endsWith('/manifest.json.age')).map((key) => key.split('/')[0] ?? '')
}

async function rowsOf({ ownerUrl }: TestDatabase): Promise<Record<string, string>> {
  const pool = new pg.Client({ connectionString: ownerUrl })
  await pool.connect()
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('portal', 'clinical', 'log') ORDER BY 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await pool.query(
        `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS sum FROM ${name} t`,
      )
      found[name] = rows[0].sum
    }
    return found
  } finally {
    await pool.end()
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-backup-'))
  for (const name of ['tmp', 'data']) mkdirSync(join(folder, name))
  s3 = await startS3()
  client = createS3Client({ ...s3.settings, prefix: 'backups/' })
  source = await testDatabase('cast')
  // 200 MB that hardly compress.
  await source.ownerPool.query(
    `INSERT INTO portal.outbox_mail (id, template, to_address, props, message_id, next_attempt_at, created_at)
     SELECT gen_random_uuid(), 'a', 'a@people.example', to_jsonb(l.text), 'm' || g, now(), now()
     FROM generate_series(1, 2000) g,
       LATERAL (SELECT string_agg(md5(g || '.' || i || random()), '') AS text FROM generate_series(1, 3200) i) l`,
  )
  recipient = ''
  const { code, output } = await run(`key --out ${join(folder, 'key.txt')}`)
  expect([code, output]).toEqual([0, expect.stringContaining('BACKUP_RECIPIENT=age1')])
  recipient = /=(age1\S+)/.exec(output)?.[1] ?? ''
  await run(`key --out ${join(folder, 'other.txt')}`)
}, 120_000)

afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

let first: string

test('200 MB go there and back in little memory, without a file on the disk, and are the same', async () => {
  const copied = await run('backup')
  expect([copied.code, copied.output]).toEqual([0, expect.stringContaining('portable format')])
  expect(copied.peakMegabytes).toBeLessThan(megabytesMax)
  first = (await completeBackups())[0] ?? ''
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])

  const target = await testDatabase('empty')
  const restored = await run(`restore --from ${address}/${first}`, into(target))

  expect([restored.code, restored.output]).toEqual([
    0,
    expect.stringContaining('restored and verified by hash'),
  ])
  expect(restored.peakMegabytes).toBeLessThan(megabytesMax)
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
  expect(await rowsOf(target)).toEqual(await rowsOf(source))
  console.log(
    `memory at most: backup ${Math.round(copied.peakMegabytes)} MB, restore ${Math.round(restored.peakMegabytes)} MB`,
  )
  await target.close()
})

test('the program age decrypts its files, and sandpiper restores the folder', async () => {
  const copy = join(folder, 'by-age')
  mkdirSync(copy)
  for (const key of await client.list(`${first}/`)) {
    if (!key.endsWith('.age')) continue
    const bytes = Buffer.concat((await (await client.get(key))?.toArray()) ?? [])
    const name = key.slice(first.length + 1, -'.age'.length)
    execFileSync('age', ['-d', '-i', join(folder, 'key.txt'), '-o', join(copy, name)], { input: bytes })
  }
  const target = await testDatabase('empty')

  const restored = await run(`restore --from ${copy}`, into(target))

  expect([restored.code, restored.output]).toEqual([
    0,
    expect.stringContaining('restored and verified by hash'),
  ])
  await target.close()
})

test('a backup that is cut off, changed, another’s or not complete leaves an empty database', async () => {
  const target = await testDatabase('schema')
  const empty = await rowsOf(target)
  const refused = async (reason: RegExp, environment: Record<string, string> = {}) => {
    const { code, output } = await run(`restore --from ${address}/${first}`, {
      ...into(target),
      ...environment,
    })
    expect([code, output]).toEqual([2, expect.stringMatching(reason)])
    expect(output).not.toMatch(/\n {4}at /)
    expect(await rowsOf(target)).toEqual(empty)
  }
  const spoiled = async (file: string, change: (bytes: Buffer) => Buffer | null, reason: RegExp) => {
    const key = `${first}/${file}`
    const bytes = Buffer.concat((await (await client.get(key))?.toArray()) ?? [])
    const changed = change(Buffer.from(bytes))
    if (changed) await client.put(key, changed)
    else await client.remove(key)
    await refused(reason)
    await client.put(key, bytes)
  }

  await refused(/BACKUP_IDENTITY_FILE is missing: .* Set it to/, { BACKUP_IDENTITY_FILE: '' })
  await refused(/encrypted for another key/, { BACKUP_IDENTITY_FILE: join(folder, 'other.txt') })
  const otherKeyring = `k2:${randomBytes(32).toString('base64')}`
  await refused(/sealed with the key k1, which ENCRYPTION_KEYS does not hold/, {
    ENCRYPTION_KEYS: otherKeyring,
  })
  await refused(/or made by another installation/, {
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  })
  const resource = 'clinical.resource.ndjson.gz.age'
  await spoiled(resource, (bytes) => bytes.subarray(0, bytes.length - 5_000), /was cut off or changed/)
  await spoiled(resource, (bytes) => bytes.fill(0, 70_000, 70_001), /was cut off or changed/)
  await spoiled(resource, () => null, /lacks clinical\.resource\.ndjson\.gz\.age/)
  await spoiled('manifest.json.age', () => null, /it was never completed. There is none below/)
  await spoiled('seal', () => null, /lacks seal/)
  // The public key is enough to encrypt, but not to sign.
  const forge = () => execFileSync('age', ['-r', recipient], { input: '{"kind":"sandpiper backup"}' })
  await spoiled('manifest.json.age', forge, /was changed, or made by another installation/)
  const forgedTable = () => execFileSync('age', ['-r', recipient], { input: Buffer.alloc(0) })
  await spoiled('portal.account.ndjson.gz.age', forgedTable, /is not what|cannot be read/)
  await target.close()
})

test('without a key to encrypt for nothing is stored', async () => {
  const before = await client.list('')

  const missing = await run('backup', { BACKUP_RECIPIENT: '' })
  const mistyped = await run('backup', {
    BACKUP_RECIPIENT: `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`,
  })

  expect([missing.code, missing.output]).toEqual([2, expect.stringContaining('BACKUP_RECIPIENT is missing')])
  expect([mistyped.code, mistyped.output]).toEqual([2, expect.stringContaining('is not a public key of age')])
  expect(await client.list('')).toEqual(before)
})

test('kill -9 at any moment leaves no half backup that counts, and the next run clears up', async () => {
  const before = await completeBackups()
  let interrupted = 0
  for (const afterMs of [900, 1_500, 2_200, 3_000, 4_000, 5_500]) {
    const { child, ended } = command('backup')
    await sleep(afterMs)
    child.kill('SIGKILL')
    if ((await ended).code === null) interrupted += 1
  }
  const counted = await completeBackups()
  expect(interrupted).toBeGreaterThan(3)
  expect(counted.length - before.length).toBe(6 - interrupted)
  // The database notices at once that a client is gone.
  await expect.poll(async () => (await run('backup')).code, { timeout: 120_000 }).toBe(0)
  const left = new Set((await client.list('')).map((key) => key.split('/')[0] ?? ''))
  expect([...left].sort()).toEqual((await completeBackups()).sort())
  expect(await client.listUploads('')).toEqual([])
})

test('a restore that is killed leaves an empty database, and the next one succeeds', async () => {
  const target = await testDatabase('schema')
  const empty = await rowsOf(target)
  let interrupted = 0
  for (const afterMs of [1_500, 3_000, 5_000]) {
    const { child, ended } = command(`restore --from ${address}/${first}`, into(target))
    await sleep(afterMs)
    child.kill('SIGKILL')
    if ((await ended).code === null) interrupted += 1
    else break
    await expect.poll(() => rowsOf(target), { timeout: 30_000 }).toEqual(empty)
  }
  expect(interrupted).toBeGreaterThan(1)
  await expect
    .poll(async () => (await run(`restore --from ${address}/${first} --replace`, into(target))).code, {
      timeout: 120_000,
    })
    .toBe(0)
  expect(await rowsOf(target)).toEqual(await rowsOf(source))
  await target.close()
})

test('of two at once the second is refused', async () => {
  const one = command('backup')
  const locked = async () =>
    (
      await source.ownerPool.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rowCount
  await expect.poll(locked, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)

  const two = await run('backup')

  expect([two.code, two.output]).toEqual([
    2,
    expect.stringContaining('another backup of this database is under way'),
  ])
  expect((await one.ended).code).toBe(0)
})

test('older ones are removed, never the last one', async () => {
  for (const key of await client.list('')) await client.remove(key)
  await client.put('2020-01-01T00-00-00Z/manifest.json.age', Buffer.from('old'))
  await client.put('2020-01-01T00-00-00Z/seal', Buffer.from('old'))
  await client.put('somebody-elses/file', Buffer.from('kept'))
  const failing = await run('backup --keep 30', {
    ENCRYPTION_KEYS: own,
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/x',
  })
  expect(failing.code).not.toBe(0)
  expect(await completeBackups()).toEqual(['2020-01-01T00-00-00Z'])

  const made = await backUp({ BACKUP_KEEP_DAYS: '30' })

  expect(await completeBackups()).toEqual([made])
  expect((await client.list('')).filter((key) => !key.startsWith(made))).toEqual(['somebody-elses/file'])
  await backUp({ BACKUP_KEEP_DAYS: '30' })
  expect((await completeBackups()).length).toBe(2)
})

test('a proof says by its exit code whether the newest backup is good, and empties its database', async () => {
  const scratch = await testDatabase('empty')
  const elsewhere = {
    ...identity(),
    BACKUP_PROOF_URL: scratch.ownerUrl,
    DATABASE_URL: '',
    PUBLIC_ORIGIN: '',
    SMTP_URL: '',
    BACKUP_RECIPIENT: '',
  }
  const made = await backUp()
  // A connection that stays would keep a restore from its database.
  const tables = async () => {
    const looking = new pg.Client({ connectionString: scratch.ownerUrl })
    await looking.connect()
    const found = await looking.query(`SELECT 1 FROM pg_tables WHERE schemaname !~ '^pg_|^information'`)
    await looking.end()
    return found.rowCount
  }
  const good = await run('prove', elsewhere)
  expect([good.code, good.output]).toEqual([0, expect.stringContaining(`${made} is good`)])
  expect(await tables()).toBe(0)

  // Killed halfway, it leaves rows of ours, which the next one removes.
  const { child, ended } = command('prove', elsewhere)
  await expect.poll(tables, { timeout: 60_000, interval: 20 }).toBeGreaterThan(20)
  const second = await run('prove', elsewhere)
  expect([second.code, second.output]).toEqual([
    2,
    expect.stringContaining('another proof uses the database'),
  ])
  child.kill('SIGKILL')
  await ended
  expect(await tables()).toBeGreaterThan(20)
  await expect.poll(async () => (await run('prove', elsewhere)).code, { timeout: 180_000 }).toBe(0)
  expect(await tables()).toBe(0)

  const key = `${made}/clinical.resource.ndjson.gz.age`
  const bytes = Buffer.concat((await (await client.get(key))?.toArray()) ?? [])
  await client.put(key, bytes.subarray(0, bytes.length - 1_000))
  const bad = await run('prove', elsewhere)
  expect([bad.code, bad.output]).toEqual([3, expect.stringContaining('was cut off or changed')])
  expect(await tables()).toBe(0)
  await scratch.close()
})

test('a proof refuses the database of the service, and every other that is not its own', async () => {
  const before = await rowsOf(source)
  const foreign = await testDatabase('empty')
  await foreign.ownerPool.query('CREATE TABLE letters (id int); INSERT INTO letters VALUES (1)')

  for (const [database, table] of [
    [source, 'clinical'],
    [foreign, 'public.letters'],
  ] as const) {
    const refused = await run('prove', { ...identity(), BACKUP_PROOF_URL: database.ownerUrl })
    expect([refused.code, refused.output]).toEqual([
      2,
      expect.stringMatching(`holds ${table}.* a proof empties`),
    ])
  }
  const missing = await run('prove', { ...identity() })
  expect([missing.code, missing.output]).toEqual([2, expect.stringContaining('BACKUP_PROOF_URL is missing')])
  expect(await rowsOf(source)).toEqual(before)
  expect((await foreign.ownerPool.query('SELECT * FROM letters')).rowCount).toBe(1)
  await foreign.close()
})
