/** What becomes of an export when something breaks, and of changes made while exports run. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BulkStack, bulkStack } from '../support/bulk.ts'
import { defaultPractice, type FhirAnswer } from '../support/fhir.ts'

let stack: BulkStack
let token: string
let datasetId: number

beforeAll(async () => {
  stack = await bulkStack()
  token = (await stack.issueToken({ audience: 'backend' })).token
  const where = { slug: defaultPractice }
  datasetId = (await stack.services.prisma.practice.findUniqueOrThrow({ where })).datasetId
  // Data of one practice alone may be written to.
  await stack.services.database.ownerPool.query(
    `UPDATE clinical.dataset SET kind = 'practice' WHERE id = $1`,
    [datasetId],
  )
})

const lockClass = 727_073_701

/** No export gets past its beginning meanwhile. */
async function holdingWriters<T>(work: () => Promise<T>): Promise<T> {
  const client = await stack.services.database.ownerPool.connect()
  try {
    await client.query('SELECT pg_advisory_lock_shared($1::int, $2::int)', [lockClass, datasetId])
    return await work()
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()')
    client.release()
  }
}

async function exportProcesses(): Promise<number[]> {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/))
  return rows
    .filter(
      ([, parent, ...args]) => parent === String(process.pid) && args.join(' ').includes('bulk/run/child'),
    )
    .map(([pid]) => Number(pid))
}

async function oneProcess(): Promise<number> {
  for (;;) {
    const [pid] = await exportProcesses()
    if (pid !== undefined) return pid
    await sleep(50)
  }
}

test('a run that is killed is taken up again, and ends complete', async () => {
  const { url, killed } = await holdingWriters(async () => {
    const begun = await stack.kickOff(token, '?_type=Patient,Condition')
    await stack.work()
    const pid = await oneProcess()
    process.kill(pid, 'SIGKILL')
    return { url: stack.statusOf(begun), killed: pid }
  })
  const manifest = await stack.wait(url, token)

  expect(killed).toBeGreaterThan(0)
  expect(manifest.body.error).toEqual([])
  const row = await stack.services.prisma.bulkExport.findUniqueOrThrow({
    where: { id: url.split('/').at(-1) ?? '' },
  })
  expect(row.attempt).toBe(2)
  const { Patient = 0 } = await stack.services.store.datasets.counts(datasetId)
  expect(await stack.lines(manifest, 'Patient', token)).toHaveLength(Patient)
})

test('one that is cancelled stops, leaves no file, and the next begins at once', async () => {
  const before = stack.filesLeft()
  const next = await holdingWriters(async () => {
    const begun = await stack.kickOff(token)
    await stack.work()
    await oneProcess()
    await stack.call(stack.statusOf(begun), { token, method: 'DELETE' })
    return stack.kickOff(token, '?_type=Organization')
  })
  const manifest = await stack.wait(stack.statusOf(next), token)

  expect(next.status).toBe(202)
  expect(manifest.body.output).toHaveLength(1)
  expect(stack.filesLeft()).toBe(before + 1)
})

test('one that fails every time ends in a manifest with an error and without files', async () => {
  await stack.stopWorker()
  const begun = await stack.kickOff(token, '?_type=Patient')
  const id = stack.statusOf(begun).split('/').at(-1) ?? ''
  const createdAt = new Date(stack.services.clock().getTime() - 6 * 60_000)
  await stack.services.prisma.bulkExport.update({ where: { id }, data: { attempt: 3, createdAt } })
  const before = stack.filesLeft()
  await stack.work()
  const manifest = await stack.wait(stack.statusOf(begun), token)

  expect(manifest.status).toBe(200)
  const [error] = manifest.body.error
  const file = await stack.call(error.url, { token })
  expect(manifest.body.output).toEqual([])
  expect(error).toMatchObject({ type: 'OperationOutcome', count: 1 })
  expect(JSON.parse(file.text)).toMatchObject({ resourceType: 'OperationOutcome' })
  expect(stack.filesLeft()).toBe(before)
  expect((await stack.kickOff(token, '?_type=Patient,Unicorn')).status).toBe(400)
})

test('of what is written meanwhile, consecutive runs lose nothing and double nothing', async () => {
  const { store } = stack.services
  const written: string[] = []
  let writing = true
  const writer = async (name: string) => {
    for (let number = 0; writing; number++) {
      const id = `since-${name}-${number}`
      const organization = { resourceType: 'Organization', id, active: true, name: `Placeholder ${number}` }
      await store.write(datasetId, [organization], { liveness: { kind: 'none' } })
      written.push(id)
    }
  }
  const first = await stack.run(token, '?_type=Organization')
  const writers = [writer('a'), writer('b'), writer('c')]
  const seen: string[] = []
  let since = first.body.transactionTime
  try {
    for (let round = 0; round < 4; round++) {
      if (round === 3) {
        writing = false
        await Promise.all(writers)
      }
      const manifest = await stack.run(token, `?_type=Organization&_since=${since}`)
      for (const line of await stack.lines(manifest, 'Organization', token)) seen.push(JSON.parse(line).id)
      since = manifest.body.transactionTime
    }
  } finally {
    writing = false
    await Promise.all(writers)
  }

  expect(written.length).toBeGreaterThan(10)
  expect(seen.sort()).toEqual(written.sort())
})

/** The volume of the exports is full, or, where none may be mounted, the run may write no more. */
async function withoutRoom(work: () => Promise<void>): Promise<void> {
  const mounted = mountSmall()
  try {
    if (mounted) await work()
    else {
      await holdingWriters(async () => {
        const limited = oneProcess().then((pid) =>
          execFileSync('prlimit', ['--pid', String(pid), '--fsize=65536']),
        )
        await Promise.all([stack.work(), limited])
      })
      await work()
    }
  } finally {
    if (mounted) execFileSync('umount', [stack.folder])
  }
}

function mountSmall(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', stack.folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test('where there is no room the client is told, nothing half is left, and the next may begin', async () => {
  await stack.stopWorker()
  const begun = await stack.kickOff(token)

  await withoutRoom(async () => {
    await stack.work()
    const manifest = await stack.wait(stack.statusOf(begun), token)
    const [error] = manifest.body.error
    const { body } = await stack.call(error.url, { token })
    expect([manifest.status, manifest.body.output]).toEqual([200, []])
    expect(body).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', diagnostics: expect.stringMatching(/no space/) }],
    })
    const id = stack.statusOf(begun).split('/').at(-1) ?? ''
    expect(existsSync(join(stack.folder, id))).toBe(false)
  })

  const next = await stack.run(token, '?_type=Organization')
  expect(next.body.error).toEqual([])
  expect(next.body.output).toHaveLength(1)
})

describe('when the data of the practice is replaced', () => {
  const marked = 'only-before'
  const practiceId = async () =>
    (await stack.services.prisma.practice.findUniqueOrThrow({ where: { slug: defaultPractice } })).id
  const datasetNow = async () =>
    (await stack.services.prisma.practice.findUniqueOrThrow({ where: { slug: defaultPractice } })).datasetId

  /** Data that a restore takes away. */
  async function mark(): Promise<number> {
    const id = await datasetNow()
    const organization = { resourceType: 'Organization', id: marked, active: true, name: 'Placeholder' }
    await stack.services.store.write(id, [organization], { liveness: { kind: 'none' } })
    return id
  }

  const idsOf = async (manifest: FhirAnswer, type: string) =>
    (await stack.lines(manifest, type, token)).map((line) => JSON.parse(line).id as string)

  beforeAll(async () => {
    await stack.services.practiceData.snapshot(await practiceId())
  })

  test('an export that waited is of the new data alone', async () => {
    await mark()
    await stack.stopWorker()
    const begun = await stack.kickOff(token, '?_type=Organization,Patient')
    await stack.services.practiceData.restore(await practiceId())
    await stack.work()
    const manifest = await stack.wait(stack.statusOf(begun), token)

    const { Patient = 0, Organization = 0 } = await stack.services.store.datasets.counts(await datasetNow())
    const organizations = await idsOf(manifest, 'Organization')
    expect(organizations).toHaveLength(Organization)
    expect(organizations).not.toContain(marked)
    expect(await idsOf(manifest, 'Patient')).toHaveLength(Patient)
  })

  test('one under way ends on the data it began with, and the next since then brings all of the new', async () => {
    const old = await mark()
    const before = await stack.services.store.datasets.counts(old)
    await stack.stopWorker()
    const begun = await stack.kickOff(token, '?_type=Organization,Patient')
    const pid = await holdingTable(async () => {
      await stack.work()
      const running = await oneProcess()
      // Its snapshot is open when it waits for the table.
      await expect.poll(waitsForTable, { timeout: 60_000, interval: 20 }).toBe(true)
      process.kill(running, 'SIGSTOP')
      return running
    })
    try {
      await stack.services.practiceData.restore(await practiceId())
      await deleteNow(old)
      await expect
        .poll(() => stack.services.store.datasets.find(old), { timeout: 120_000, interval: 100 })
        .toBeNull()
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const manifest = await stack.wait(stack.statusOf(begun), token)
    const after = await stack.run(
      token,
      `?_type=Organization,Patient&_since=${manifest.body.transactionTime}`,
    )

    expect(manifest.body.error).toEqual([])
    expect(await idsOf(manifest, 'Organization')).toContain(marked)
    expect(await idsOf(manifest, 'Patient')).toHaveLength(before.Patient ?? 0)
    const counts = await stack.services.store.datasets.counts(await datasetNow())
    const organizations = await idsOf(after, 'Organization')
    expect(organizations).toHaveLength(counts.Organization ?? 0)
    expect(organizations).not.toContain(marked)
    expect(await idsOf(after, 'Patient')).toHaveLength(counts.Patient ?? 0)
  })

  /** Data that was replaced is kept for some minutes: here its job is due at once. */
  async function deleteNow(id: number): Promise<void> {
    const { rowCount } = await stack.services.database.ownerPool.query(
      'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1',
      [`delete-dataset:${id}`],
    )
    expect(rowCount).toBe(1)
  }

  /** Nobody reads a resource until the work is done. */
  async function holdingTable<T>(work: () => Promise<T>): Promise<T> {
    const client = await stack.services.database.ownerPool.connect()
    try {
      await client.query('BEGIN')
      await client.query('LOCK TABLE clinical.resource IN ACCESS EXCLUSIVE MODE')
      return await work()
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }

  async function waitsForTable(): Promise<boolean> {
    const { rowCount } = await stack.services.database.ownerPool.query(
      `SELECT 1 FROM pg_locks WHERE relation = 'clinical.resource'::regclass AND NOT granted`,
    )
    return (rowCount ?? 0) > 0
  }
})
