/** A seed or an import that is killed and run again ends with the same records as one that was never killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { createStore } from '../../server/store/store.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { exampleOrganization, examplePatient } from '../support/example-resources.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

function start(program: string, options: string[], { appUrl, ownerUrl }: TestDatabase) {
  return spawn(process.execPath, ['--import', 'tsx', join(rootDir, program), ...options], {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      SANDPIPER_EMBEDDED: '1',
      PUBLIC_ORIGIN: 'https://portal.example',
      MAIL_FROM: 'no-reply@portal.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATABASE_URL: appUrl,
      DATABASE_MIGRATION_URL: ownerUrl,
      DATA_DIR: folder,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  })
}

async function run(...args: Parameters<typeof start>): Promise<number> {
  const [code] = await once(start(...args), 'exit')
  return code as number
}

/** Kills the program once datasets of the state have this many rows. */
async function killAt(
  rows: number,
  state: 'loading' | 'ready',
  ...args: Parameters<typeof start>
): Promise<void> {
  const database = args[2]
  const child = start(...args)
  const exited = once(child, 'exit')
  while ((await countRows(database, state)) < rows && child.exitCode === null) {
    // No pause between the counts: a load takes only seconds.
  }
  child.kill('SIGKILL')
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
}

async function countRows({ pool }: TestDatabase, state: 'loading' | 'ready'): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM clinical.resource r JOIN clinical.dataset d ON d.id = r.dataset_id
     WHERE d.state = $1`,
    [state],
  )
  return rows[0]?.n ?? 0
}

/** What each practice holds, whatever its dataset's id, and how many datasets and documents there are. */
async function contents({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT p.slug, r.type, count(*)::int AS n, md5(string_agg(r.id || coalesce(r.patient_id, '') || r.version, ',' ORDER BY r.id)) AS ids,
       (SELECT count(*)::int FROM clinical.dataset) AS datasets,
       (SELECT count(*)::int FROM clinical.binary) AS documents
     FROM portal.practice p JOIN clinical.resource r USING (dataset_id) GROUP BY p.slug, r.type ORDER BY 1, 2`,
  )
  return rows
}

test('a seed killed three times ends like one that was never killed', async () => {
  const options = ['--patients', '12', '--practice', 'harbor-family']
  const [clean, killed] = [await testDatabase('schema'), await testDatabase('schema')]
  expect(await run('seed/cli.ts', options, clean)).toBe(0)

  for (const rows of [1, 200, 700]) await killAt(rows, 'loading', 'seed/cli.ts', options, killed)
  expect(await run('seed/cli.ts', options, killed)).toBe(0)

  expect(await contents(killed)).toEqual(await contents(clean))
})

test('an import killed three times continues where it stopped and ends like one that was never killed', async () => {
  const path = join(folder, 'many.ndjson')
  const observation = (patient: number, at: number) => ({
    resourceType: 'Observation',
    id: `ob-${patient}-${at}`,
    status: 'final',
    subject: { reference: `Patient/new-${patient}` },
  })
  writeFileSync(
    path,
    Array.from({ length: 2_000 }, (_, patient) =>
      [
        examplePatient({ id: `new-${patient}`, family: `Testwell${patient}` }),
        ...Array.from({ length: 9 }, (_each, at) => observation(patient, at)),
      ]
        .map((resource) => `${JSON.stringify(resource)}\n`)
        .join(''),
    ).join(''),
  )
  const options = ['--practice', 'office', '--synthetic', path]
  const [clean, killed] = [await officeDatabase(), await officeDatabase()]
  expect(await run('seed/import/cli.ts', options, clean)).toBe(0)

  for (const rows of [2, 5_000, 12_000]) {
    const before = await countRows(killed, 'ready')
    await killAt(rows, 'ready', 'seed/import/cli.ts', options, killed)
    expect(await countRows(killed, 'ready')).toBeGreaterThan(before)
  }
  expect(await run('seed/import/cli.ts', options, killed)).toBe(0)

  expect(await contents(killed)).toEqual(await contents(clean))
})

/** A database with the practice `office`, which has one record. */
async function officeDatabase(): Promise<TestDatabase> {
  const database = await testDatabase('schema')
  const createdAt = new Date('2026-11-20T12:00:00.000Z')
  const store = createStore({ pool: database.pool, clock: () => createdAt })
  const datasetId = await store.datasets.create({ name: 'office', kind: 'practice', source: 'test' })
  await store.bulkLoad(datasetId, [exampleOrganization('org-1', 'Example')])
  await store.datasets.markReady(datasetId)
  await database.prisma.practice.create({
    data: {
      slug: 'office',
      name: 'Office',
      environment: 'production',
      fhirEnabled: true,
      inDirectory: true,
      purpose: 'office',
      datasetId,
      createdAt,
    },
  })
  return database
}
