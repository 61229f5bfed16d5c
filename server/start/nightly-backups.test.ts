import { expect, test } from 'vitest'
import { backupAges } from '../domain/operations/backup-state.ts'
import { lastDue } from './nightly-backups.ts'

test.each([
  ['02:00', '2026-11-28T02:00:00Z', '2026-11-28T02:00:00Z'],
  ['02:00', '2026-11-28T01:59:59Z', '2026-11-27T02:00:00Z'],
  ['23:30', '2026-03-01T00:10:00Z', '2026-02-28T23:30:00Z'],
])('a backup of %s was last due at %s: %s', (at, now, due) => {
  expect(lastDue(at, new Date(now))).toEqual(new Date(due))
})

test('ages are those of the newest backup and of the last good proof; what never happened is infinitely long ago', () => {
  const now = new Date('2026-11-28T04:00:00Z')
  const state = {
    newest: { name: '2026-11-28T02-00-00Z', at: '2026-11-28T02:00:00.000Z' },
    proof: { at: '2026-11-28T03:00:00.000Z', fault: 'cut off' },
    proven: '2026-11-27T04:00:00.000Z',
    provesHere: false,
  }

  expect(backupAges(null, now)).toBeNull()
  expect(backupAges(state, now)).toEqual({ ageSeconds: 7_200, proofAgeSeconds: 86_400, proofFailed: true })
  const never = { newest: null, proof: null, proven: null, provesHere: false }
  expect(backupAges(never, now)).toEqual({
    ageSeconds: Number.POSITIVE_INFINITY,
    proofAgeSeconds: null,
    proofFailed: false,
  })
  expect(backupAges({ ...never, provesHere: true }, now)?.proofAgeSeconds).toBe(Number.POSITIVE_INFINITY)
})
