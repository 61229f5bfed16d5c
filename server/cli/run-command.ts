/** Runs a command and turns its errors into a message and an exit code. */
import { isProblem } from '../contract/http/problems.ts'
import { findTransientError } from '../contract/http/transient-errors.ts'
import { describeStartFault, isSettingsFault } from '../start/start-fault.ts'
import { findStorageError } from '../store/s3-client.ts'

/** An error that the user can fix, such as wrong options. It is printed without a stack. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Error codes about a file or folder that an option names. */
const fileFaults = /^(EACCES|EEXIST|EISDIR|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/

/**
 * Exit codes: 0 done; 1 failed; 2 wrong options or settings, nothing was changed; 3 the state of the data does not allow it,
 * or as the command documents. Only bugs print a stack.
 */
export function runCommand(work: () => Promise<number | undefined>): void {
  // The async function also catches errors that the command throws synchronously.
  void (async () => work())().then(
    (code) => {
      process.exitCode = code ?? 0
    },
    (error: unknown) => {
      const { text, code } = describeFailure(error)
      process.stderr.write(`${text}\n`)
      process.exitCode = code
    },
  )
}

export function describeFailure(error: unknown) {
  if (!(error instanceof Error)) return { text: String(error), code: 1 }
  const { code = '' } = error as NodeJS.ErrnoException
  // Removes the hint about dashes that Node's parser adds.
  if (code.startsWith('ERR_PARSE_ARGS'))
    return { text: `${error.message.replace(/\. To specify [\s\S]*/, '')}. See --help`, code: 2 }
  if (error instanceof UsageError) return { text: error.message, code: 2 }
  const storage = findStorageError(error)
  if (storage) return { text: storage.message, code: 1 }
  if (isProblem(error)) return { text: error.message, code: 3 }
  const fault = describeStartFault(error) ?? (fileFaults.test(code) ? error.message : null)
  const transient = fault === null ? findTransientError(error) : null
  if (transient) return { text: busyDatabase(transient.cause), code: 1 }
  if (fault === null) return { text: error.stack ?? error.message, code: 1 }
  return { text: fault, code: isSettingsFault(error) || fileFaults.test(code) ? 2 : 1 }
}

const busyDatabase = (cause: string) =>
  `The database did not respond in time (${cause}). Run the command again. If it fails again, run sandpiper doctor.`

/** A finding of `sandpiper doctor`. */
export type Finding = { name: string; state: 'ok' | 'warning' | 'fault'; finding: string; fix?: string }

export const ok = (name: string, finding: string): Finding => ({ name, state: 'ok', finding })
export const warning = (name: string, finding: string, fix: string): Finding => ({
  name,
  state: 'warning',
  finding,
  fix,
})
export const fault = (name: string, finding: string, fix: string): Finding => ({
  name,
  state: 'fault',
  finding,
  fix,
})
