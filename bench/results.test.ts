import { expect, test } from 'vitest'
import { aims } from './aims.ts'
import type { KeptRun } from './kept-run.ts'
import { remarks } from './remarks.ts'
import { writeResults } from './results.ts'

const run: KeptRun = {
  at: '2026-11-24T03:00:00.000Z',
  machine: { cores: 2, processor: 'a processor', memoryGb: 8, node: '20.20.2', postgres: '18.4' },
  load: 0.2,
  figures: [
    { name: 'FHIR read', unit: '×', value: 24.06, rounds: [24.1] },
    { name: 'public page', unit: '×', value: 3.9, rounds: [3.9] },
    { name: 'FHIR rare code', unit: '×', value: 100.7, rounds: [100.7] },
  ],
}
const all = [
  { name: 'FHIR read', text: 'FHIR read', atMost: 12 },
  { name: 'public page', text: 'Public page', atMost: 4 },
  { name: 'import', text: 'Import', atLeast: 40 },
]

test('every aim has a line with its figure, and is met, missed or not measured', () => {
  const { text } = writeResults(run, {}, all)
  expect(text).toContain('| FHIR read | 24.1 × | ≤ 12 × | **missed** |')
  expect(text).toContain('| Public page | 3.9 × | ≤ 4 × | met |')
  expect(text).toContain('| Import | not measured | | missed |')
  expect(text).toContain('| FHIR rare code | 101 × |')
})

test('a missed aim says why; one that nobody has explained is named', () => {
  const remark = { why: 'Two commits.', tried: 'one commit.', needed: 'a journal.' }
  const { text, unexplained } = writeResults(run, { 'FHIR read': remark }, all)
  expect(text).toContain('**FHIR read**, 24.1 ×. Two commits. Tried: one commit. Needed: a journal.')
  expect(unexplained).toEqual(['import'])
})

test('remarks are about aims that exist, and every aim has a name of its own', () => {
  const names = aims.map(({ name }) => name)
  expect(Object.keys(remarks).filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
