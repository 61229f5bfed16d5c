import { expect, test } from 'vitest'
import { compareFigures, type Figure } from './figures.ts'

/** FHIR reads, × the floor: twice the same code, and once with more work. */
const reads = [24.1, 23.8, 24.6, 24.0, 25.3, 23.9, 24.2]
const readsAgain = [24.4, 24.0, 23.7, 24.9, 24.1, 24.8, 24.3]
const readsSlower = [27.2, 26.8, 27.5, 26.9, 27.1, 28.4, 27.0]

test('two runs of the same code differ by noise alone', () => {
  expect(compareFigures([figure(reads)], [figure(readsAgain)])).toEqual([
    { name: 'FHIR read', unit: '×', before: 24.1, after: 24.3, verdict: 'noise' },
  ])
})

test('a figure that rose or fell beyond the spread of its rounds has moved', () => {
  expect(compareFigures([figure(reads)], [figure(readsSlower)])).toMatchObject([{ verdict: 'up' }])
  expect(compareFigures([figure(readsSlower)], [figure(reads)])).toMatchObject([{ verdict: 'down' }])
})

test('the same difference is noise where the rounds vary more than it', () => {
  const wide = [21.2, 26.4, 24.1, 29.3, 22.0, 27.7, 24.0]
  expect(compareFigures([figure(wide)], [figure(readsSlower)])).toMatchObject([{ verdict: 'noise' }])
})

test('one slow round does not make a figure move', () => {
  const withOutlier = [...reads.slice(0, 6), 61.5]
  expect(compareFigures([figure(reads)], [figure(withOutlier)])).toMatchObject([{ verdict: 'noise' }])
})

test('a difference of less than three percent is noise, however even the rounds are', () => {
  expect(
    compareFigures([figure([100, 100, 100, 100, 100])], [figure([102, 102, 102, 102, 102])]),
  ).toMatchObject([{ verdict: 'noise' }])
  expect(
    compareFigures([figure([100, 100, 100, 100, 100])], [figure([104, 104, 104, 104, 104])]),
  ).toMatchObject([{ verdict: 'up' }])
})

test('of one or two rounds nothing is said', () => {
  expect(compareFigures([figure([24])], [figure([48])])).toMatchObject([{ verdict: 'unknown' }])
  expect(compareFigures([figure(reads)], [figure([48, 48])])).toMatchObject([{ verdict: 'unknown' }])
})

function figure(rounds: readonly number[], name = 'FHIR read'): Figure {
  return { name, unit: '×', value: Math.min(...rounds), rounds }
}
