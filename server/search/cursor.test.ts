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

const now = new Date('2026-11-20T12:00:00Z')
const cursors = createCursors({ keyring: createKeyring(keys), clock: () => now })
const refused = expect.objectContaining({ kind: 'validation', field: '_cursor' })

test('nothing of the query can be read in it', () => {
  const bytes = Buffer.from(cursors.seal(contents, holder), 'base64url').toString('latin1')

  expect(bytes).not.toContain('wren')
  expect(bytes).not.toContain('patient')
})

describe('a cursor is refused', () => {
  test('wherever one of its characters is changed', () => {
    const text = cursors.seal(contents, holder)
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      expect(() => cursors.open(changed, 'Observation', holder), String(at)).toThrow(refused)
    }
  })
})
