import { describe, expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { type CursorContents, type CursorHolder, createCursors } from './cursor.ts'

const keys = `a:${Buffer.alloc(32, 1).toString('base64')}`
const holder: CursorHolder = { grantId: 'grant', clientId: 'app', practice: { id: 'harbor', datasetId: 7 } }
const contents: CursorContents = {
  path: 'Observation',
  parameters: [['patient', 'wren']],
  handling: 'strict',
  position: { sort: '2024-01-01 10:00:00.123456+00', id: 'ob-1', type: 'Observation' },
  total: 120,
}

let now = new Date('2026-11-20T12:00:00Z')
const cursors = createCursors({ keyring: createKeyring(keys), clock: () => now })
const refused = expect.objectContaining({ kind: 'validation', field: '_cursor' })

test('what was sealed is opened by the same holder on the same path', () => {
  const text = cursors.seal(contents, holder)

  expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(cursors.open(text, 'Observation', holder)).toEqual(contents)
})

test('nothing of the query can be read in it', () => {
  const bytes = Buffer.from(cursors.seal(contents, holder), 'base64url').toString('latin1')

  expect(bytes).not.toContain('wren')
  expect(bytes).not.toContain('patient')
})

describe('a cursor is refused', () => {
  const others: [string, CursorHolder][] = [
    ['another grant', { ...holder, grantId: 'other' }],
    ['another app', { ...holder, clientId: 'other' }],
    ['another practice', { ...holder, practice: { id: 'other', datasetId: 7 } }],
    ['data that were reset', { ...holder, practice: { id: 'harbor', datasetId: 8 } }],
  ]
  test.each(others)('of %s', (_, other) => {
    expect(() => cursors.open(cursors.seal(contents, other), 'Observation', holder)).toThrow(refused)
  })

  test('on another path', () => {
    expect(() => cursors.open(cursors.seal(contents, holder), 'Condition', holder)).toThrow(refused)
  })

  test('wherever one of its characters is changed', () => {
    const text = cursors.seal(contents, holder)
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      expect(() => cursors.open(changed, 'Observation', holder), String(at)).toThrow(refused)
    }
  })

  test.each(['', 'x', '%', '!!!!', 'null', `${'A'.repeat(5_000)}`])('that is no cursor: %s', (text) => {
    expect(() => cursors.open(text, 'Observation', holder)).toThrow(refused)
  })

  test('a day after it was given out', () => {
    const text = cursors.seal(contents, holder)

    now = new Date('2026-11-21T12:00:00Z')

    expect(() => cursors.open(text, 'Observation', holder)).toThrow(refused)
  })
})
