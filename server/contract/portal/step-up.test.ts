import { expect, test } from 'vitest'
import { findMissingProof, isFresh } from './step-up.ts'

const now = new Date('2026-11-22T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

test.each([
  ['both just now', { authenticatedAt: now, mfa: now }, null],
  ['both ten minutes ago', { authenticatedAt: ago(10), mfa: ago(10) }, null],
  ['an older password', { authenticatedAt: ago(10.01), mfa: now }, 'password'],
  ['an older second step', { authenticatedAt: now, mfa: ago(10.01) }, 'second_step'],
  ['no second step', { authenticatedAt: now }, 'second_step'],
  ['nothing fresh: the password first', { authenticatedAt: ago(11) }, 'password'],
  ['a demonstration sign-in', { authenticatedAt: now, mfa: 'not_asked' }, null],
  ['a demonstration sign-in of long ago', { authenticatedAt: ago(11), mfa: 'not_asked' }, 'password'],
] as const)('%s', (_, proof, missing) => {
  expect(findMissingProof(proof, now)).toBe(missing)
})

test('nothing that is yet to come is fresh', () => {
  expect(isFresh(ago(-1), now)).toBe(false)
})
