import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createStore } from '../../server/store/store.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { importResources } from '../import/import.ts'
import { exportPractice } from './export-practice.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a practice written out and read into an empty one holds the same resources', async () => {
  const database = await testDatabase('cast')
  const store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })
  const from = await database.prisma.practice.findUniqueOrThrow({ where: { slug: 'harbor-family' } })
  const datasetId = await store.datasets.create({ name: 'empty', kind: 'practice', source: 'test' })
  await store.datasets.markReady(datasetId)
  await database.prisma.practice.create({ data: { ...from, id: undefined, slug: 'empty', datasetId } })

  const counts = await exportPractice(store, from.datasetId, join(folder, 'first'))
  const report = await importResources(
    { pool: database.pool, prisma: database.prisma, store },
    { practice: 'empty', paths: [join(folder, 'first')], synthetic: true },
  )
  const { datasetId: imported } = await database.prisma.practice.findUniqueOrThrow({
    where: { slug: 'empty' },
  })
  await exportPractice(store, imported, join(folder, 'second'))

  expect(Object.values(report.types).every((row) => row.rejected === 0 && row.renamed === 0)).toBe(true)
  expect(await store.datasets.counts(imported)).toEqual(counts)
  const files = readdirSync(join(folder, 'first'))
  expect(readdirSync(join(folder, 'second'))).toEqual(files)
  for (const file of files) expect(linesOf('second', file)).toEqual(linesOf('first', file))
}, 60_000)

/** Without the time of change, which is that of the import. */
function linesOf(part: string, file: string): string[] {
  const text = readFileSync(join(folder, part, file), 'utf8')
  return text.replace(/"lastUpdated":"[^"]*"/g, '').split('\n')
}
