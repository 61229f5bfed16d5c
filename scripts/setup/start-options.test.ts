import { expect, test } from 'vitest'
import { readStartOptions } from './start-options.mjs'

test('a first start makes the demonstration’s month, and none with --empty', () => {
  expect(readStartOptions([])).toEqual({ migrate: false, seed: false, empty: false })
  expect(readStartOptions(['--empty'])).toEqual({ migrate: false, seed: false, empty: true })
  expect(() => readStartOptions(['--emtpy'])).toThrow('npm start -- --help')
})
