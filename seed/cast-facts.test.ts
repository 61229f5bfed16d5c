import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { castFacts } from './cast-facts.ts'
import { castSeed, defaultSeed } from './options.ts'
import { practiceRecords } from './practice-records.ts'
import { getPractice } from './practices.ts'
import { writePractice } from './write-files.ts'

const facts = castFacts(defaultSeed)

test('every cast member has a page of facts that agrees with the practice', () => {
  const records = [...practiceRecords(getPractice('sandbox-template'), castSeed)]

  expect(facts).toHaveLength(16)
  for (const { id, purpose, counts } of facts) {
    expect(purpose).not.toBe('')
    const encounters = records.filter(
      (each) =>
        each.resourceType === 'Encounter' &&
        (each.subject as { reference: string }).reference === `Patient/${id}`,
    )
    expect([id, encounters.length]).toEqual([id, counts.Encounter ?? 0])
  }
  expect(facts.find((each) => each.id === 'pt-juno-testwell')?.logins).toEqual([
    'marlo.testwell@people.example',
  ])
  expect(facts.find((each) => each.id === 'pt-nil-stubwell')?.counts).toEqual({ Patient: 1, Provenance: 1 })
})

test('the long chart has ten thousand observations in the demonstration practice and nowhere else', () => {
  const heartRates = (slug: string) =>
    [...practiceRecords(getPractice(slug), defaultSeed)].filter(
      (each) =>
        each.resourceType === 'Observation' &&
        (each.subject as { reference: string }).reference === 'Patient/pt-cal-notareal',
    ).length

  expect(heartRates('sandpiper-demonstration')).toBeGreaterThanOrEqual(10_000)
  expect(heartRates('sandbox-template')).toBeLessThan(250)
})

test('written to files, a practice is the same as in memory, documents beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seed-out-'))
  const practice = getPractice('sandpiper-demonstration')
  const options = { ...castSeed, longChart: 1_000 }

  const written = await writePractice(practice, options, folder)

  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'))
  const lines = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).flatMap(
    (text) => text.trimEnd().split('\n'),
  )
  const inMemory = [...practiceRecords(practice, options)].map((each) => JSON.stringify(each))
  expect(lines.sort()).toEqual(inMemory.sort())
  expect(written.resources).toBe(inMemory.length)
  expect(await readdir(join(folder, 'documents'))).toHaveLength(written.documents)
  expect(await largest(join(folder, 'documents'))).toBe(5_000_000)
  await rm(folder, { recursive: true })
})

async function largest(folder: string): Promise<number> {
  const names = await readdir(folder)
  return Math.max(...(await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))))
}
