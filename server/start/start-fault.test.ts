import { expect, test } from 'vitest'
import { KeyringError } from '../keyring.ts'
import { MigrationError } from '../store/migrations.ts'
import { describeStartFault } from './start-fault.ts'

const fault = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: raw words`), { code, ...more })

test.each([
  [fault('EACCES', { path: '/var/data/exports' }), 'may not read or write /var/data/exports (EACCES)'],
  [fault('EROFS', { path: '/var/data' }), 'may not read or write /var/data (EROFS)'],
  [fault('ENOSPC', { path: '/var/data' }), 'No space is left on the disk of /var/data'],
  [fault('ECONNREFUSED'), 'cannot be reached (ECONNREFUSED). Check DATABASE_URL'],
  [fault('28P01'), 'The database at DATABASE_URL refused'],
  [fault('42501'), 'The database at DATABASE_URL refused'],
  [new MigrationError('run npm run db:migrate'), 'run npm run db:migrate'],
  [new KeyringError(['a key is missing']), 'a key is missing'],
])('a cause that a person can fix is a sentence: %s', (error, sentence) => {
  const text = describeStartFault(error)

  expect(text).toContain(sentence)
  expect(text).not.toMatch(/\n\s+at /)
})

test('a fault of the program keeps its stack', () => {
  expect(describeStartFault(new TypeError('x is not a function'))).toBeNull()
  expect(describeStartFault(fault('ERR_INVALID_ARG_TYPE'))).toBeNull()
  expect(describeStartFault('a text')).toBeNull()
})
