import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTest } from '../tests/support/slice.ts'
import { castSeed } from './options.ts'
import { recordBatches } from './parallel-batches.ts'
import { practiceRecords } from './practice-records.ts'
import { getPractice } from './practices.ts'
import { writePractice } from './write-files.ts'

/** Starting four threads takes seconds where other things run as well. */
const patience = { timeout: 60_000 }

/** Cast and drawn people, notes and stored files. */
const practice = getPractice('sandpiper-demonstration')
const options = { ...castSeed, patients: 36, longChart: 1_000 }

/** Name and SHA-256 of every file in it. */
async function hashes(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  const lines = await Promise.all(
    files.map(async (file) => {
      const hash = createHash('sha256').update(await readFile(file))
      return `${file.slice(folder.length)} ${hash.digest('hex')}`
    }),
  )
  return lines.sort()
}

test('one thread and four write the same files, byte for byte', patience, async () => {
  const one = await mkdtemp(join(tmpdir(), 'seed-jobs-1-'))
  const four = await mkdtemp(join(tmpdir(), 'seed-jobs-4-'))

  const [byOne, byFour] = await Promise.all([
    writePractice(practice, { ...options, jobs: 1 }, one),
    writePractice(practice, { ...options, jobs: 4 }, four),
  ])

  expect(byFour).toEqual(byOne)
  expect(await hashes(four)).toEqual(await hashes(one))
  expect((await hashes(one)).length).toBeGreaterThan(25)
  await Promise.all([one, four].map((folder) => rm(folder, { recursive: true })))
})

longTest('threads end when nobody listens any more', patience, async () => {
  const ids: (string | undefined)[] = []

  for await (const batch of recordBatches(getPractice('harbor-family'), castSeed, 2)) {
    ids.push(...batch.resources.map((each) => `${each.resourceType}/${each.id}`))
    if (ids.includes('Patient/pt-0001')) break
  }

  const all = [...practiceRecords(getPractice('harbor-family'), castSeed)]
  expect(ids).toEqual(all.slice(0, ids.length).map((each) => `${each.resourceType}/${each.id}`))
})
