import { expect, test } from 'vitest'
import { storableText } from './storable-text.ts'

test('a text is cut where a column of the database can hold it', () => {
  expect(storableText('abc😀x', 4)).toBe('abc\uFFFD')
  expect(storableText('abc😀x', 5)).toBe('abc😀')
  expect(storableText('\uDE00a\uD83D', 10)).toBe('\uFFFDa\uFFFD')
  expect(storableText('a\0b', 10)).toBe('a\uFFFDb')
})
