import { expect, test } from 'vitest'
import { readStartOptions } from './start-options.mjs'

test('a start makes a history unless it is told to stay empty', () => {
  expect(readStartOptions([])).toEqual({ migrate: false, seed: false, empty: false })
  expect(readStartOptions(['--empty'])).toEqual({ migrate: false, seed: false, empty: true })
  expect(() => readStartOptions(['--emtpy'])).toThrow('npm start -- --help')
})
