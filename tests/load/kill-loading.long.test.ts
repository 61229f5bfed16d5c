/** kill -9 in the middle of a seed and of an import: run again, it ends as an undisturbed one. */
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

/** Kills the program as soon as so many rows stand in datasets of a state. */
async function killAt(
  rows: number,
  state: 'loading' | 'ready',
  ...args: Parameters<typeof start>
): Promise<void> {
  const database = args[2]
  const child = start(...args)
  const exited = once(child, 'exit')
  while ((await countRows(database, state)) < rows && child.exitCode === null) {
    // asked again at once
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

/** Of every practice what it holds, whatever the numbers of the datasets; and how many datasets there are. */
async function contents({ pool }: TestDatabase): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT p.slug, r.type, count(*)::int AS n, md5(string_agg(r.id || coalesce(r.patient_id, '') || r.version, ',' ORDER BY r.id)) AS ids,
       (SELECT count(*)::int FROM clinical.dataset) AS datasets,
       (SELECT count(*)::int FROM clinical.binary) AS documents
     FROM portal.practice p JOIN clinical.resource r USING (dataset_id) GROUP BY p.slug, r.type ORDER BY 1, 2`,
  )
  return rows
}

test('a seed killed three times ends as an undisturbed one', async () => {
  const options = ['--patients', '12', '--practice', 'harbor-family']
  const [clean, killed] = [await testDatabase('schema'), await testDatabase('schema')]
  expect(await run('seed/cli.ts', options, clean)).toBe(0)

  for (const rows of [1, 200, 700]) await killAt(rows, 'loading', 'seed/cli.ts', options, killed)
  expect(await run('seed/cli.ts', options, killed)).toBe(0)

  expect(await contents(killed)).toEqual(await contents(clean))
})

test('an import killed three times goes on with what is missing and ends as an undisturbed one', async () => {
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
  const [clean, killed] = [await office(), await office()]
  expect(await run('seed/import/cli.ts', options, clean)).toBe(0)

  for (const rows of [2, 5_000, 12_000]) {
    const before = await countRows(killed, 'ready')
    await killAt(rows, 'ready', 'seed/import/cli.ts', options, killed)
    expect(await countRows(killed, 'ready')).toBeGreaterThan(before)
  }
  expect(await run('seed/import/cli.ts', options, killed)).toBe(0)

  expect(await contents(killed)).toEqual(await contents(clean))
})

/** A database with one practice of one record. */
async function office(): Promise<TestDatabase> {
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
