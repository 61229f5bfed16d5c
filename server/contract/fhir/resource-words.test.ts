import { expect, test } from 'vitest'
import { whatOf, whenOf, wordsOf } from './resource-words.ts'

test.each([
  [{ name: [{ given: ['Wren', 'Ada'], family: 'Testwell' }] }, 'Wren Ada Testwell'],
  [{ name: 'Placeholder Hospital', type: [{ text: 'Hospital' }] }, 'Placeholder Hospital'],
  [{ code: { text: 'Blood pressure', coding: [{ display: 'BP' }] } }, 'Blood pressure'],
  [{ code: { coding: [{ display: 'Heart rate', code: '8867-4' }] } }, 'Heart rate'],
  [{ code: { coding: [{ code: '8867-4' }] } }, '8867-4'],
  [{ medicationReference: { reference: 'Medication/a', display: 'Sampletine' } }, 'Sampletine'],
  [{ class: { code: 'AMB' } }, 'AMB'],
  [{ code: {}, category: [{ text: 'Laboratory' }] }, 'Laboratory'],
  [{ name: '', code: null, title: [] }, null],
])('%j is about %s', (resource, said) => {
  expect(whatOf(resource)).toBe(said)
})

test.each([
  [{ effectiveDateTime: '2026-01-02T03:04:05Z', issued: '2026-02-01' }, '2026-01-02T03:04:05Z'],
  [{ period: { start: '2026-01-02' } }, '2026-01-02'],
  [{ period: {}, date: '2026-03' }, '2026-03'],
  [{ birthDate: '1971-04-09' }, null],
])('%j was at %s', (resource, at) => {
  expect(whenOf(resource)).toBe(at)
})

test('of what is no element nothing is said', () => {
  expect([undefined, null, 4, true, [], [null], {}].map(wordsOf)).toEqual(Array(7).fill(null))
})
