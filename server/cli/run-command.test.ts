import { expect, test } from 'vitest'
import { Problem } from '../contract/http/problems.ts'
import { EnvironmentError } from '../env.ts'
import { KeyringError } from '../keyring.ts'
import { DatabaseStartError } from '../store/first-connection.ts'
import { MigrationError } from '../store/migrations.ts'
import { describeFailure, UsageError } from './run-command.ts'

const fault = (code: string, message = code) => Object.assign(new Error(message), { code })
class OwnError extends UsageError {}

test.each([
  [new UsageError('--to FOLDER is needed'), 2],
  [fault('ERR_PARSE_ARGS_UNKNOWN_OPTION', "Unknown option '--x'. To specify a positional argument …"), 2],
  [new EnvironmentError(['DATABASE_URL is missing']), 2],
  [new KeyringError(['no key is given']), 2],
  [new MigrationError('Run sandpiper migrate'), 2],
  [new DatabaseStartError('refused', fault('28P01')), 2],
  [new DatabaseStartError('no such database', fault('3D000')), 2],
  [fault('ENOENT', 'no such file'), 2],
  [new OwnError('there is no such practice'), 2],
  [new Problem('conflict', { detail: 'taken' }), 3],
  [new DatabaseStartError('cannot be reached', fault('ECONNREFUSED')), 1],
  [fault('ETIMEDOUT'), 1],
  [fault('P2028', 'Transaction API error: Unable to start a transaction in the given time.'), 1],
  [new Error('Connection terminated due to connection timeout'), 1],
  [fault('57014', 'canceling statement due to statement timeout'), 1],
])('%s is a sentence, and exit code %i', (error, code) => {
  const failure = describeFailure(error)

  expect(failure.code).toBe(code)
  expect(failure.text).not.toMatch(/\n\s+at /)
})

test('what Node says of an unknown option leaves out its hint about dashes', () => {
  const { text } = describeFailure(
    fault('ERR_PARSE_ARGS_UNKNOWN_OPTION', "Unknown option '--x'. To specify a positional argument starting"),
  )

  expect(text).toBe("Unknown option '--x'. See --help")
})

test('a fault of the program keeps its stack', () => {
  const failure = describeFailure(new TypeError('x is not a function'))

  expect(failure.code).toBe(1)
  expect(failure.text).toMatch(/\n\s+at /)
})
