import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { readClockOffset } from './clock-offset.ts'

const database = await testDatabase('schema')

test('the clocks of one machine agree', async () => {
  expect(Math.abs(await readClockOffset(database.ownerPool))).toBeLessThan(1)
})

test('a clock that is behind and one that is ahead are told apart', async () => {
  expect(await readClockOffset(database.ownerPool, () => Date.now() - 60_000)).toBeCloseTo(60, 0)
  expect(await readClockOffset(database.ownerPool, () => Date.now() + 60_000)).toBeCloseTo(-60, 0)
})
