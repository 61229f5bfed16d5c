/** Describes start errors that an operator can fix, without a stack. */
import { EnvironmentError } from '../env.ts'
import { KeyringError } from '../keyring.ts'
import { RedisUrlError } from '../limits/redis-client.ts'
import { DatabaseStartError } from '../store/first-connection.ts'
import { MigrationError } from '../store/migrations.ts'
import { PoolerError } from '../store/pooler.ts'
import { DatabaseRoleError } from '../store/roles.ts'
import { DatabaseSettingsError } from '../store/session-settings.ts'

const sentences: Readonly<Record<string, (error: NodeJS.ErrnoException) => string>> = {
  EADDRINUSE: ({ message }) => message,
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: noAccess,
  ENOSPC: ({ path }) => `No space is left on the disk${path ? ` of ${path}` : ''}.`,
  ECONNREFUSED: noDatabase,
  ENOTFOUND: noDatabase,
  EAI_AGAIN: noDatabase,
  ETIMEDOUT: noDatabase,
  EHOSTUNREACH: noDatabase,
}

/** Errors with a message about settings, the keyring or the schema. */
const settingsFaults = [
  EnvironmentError,
  KeyringError,
  MigrationError,
  DatabaseRoleError,
  DatabaseSettingsError,
  PoolerError,
]

/** Whether a retry is useless until the settings, the keyring or the schema change. */
export function isSettingsFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseStartError) return error.isRefusal
  const { code = '' } = error as NodeJS.ErrnoException
  const isKnown = [...settingsFaults, RedisUrlError].some((fault) => error instanceof fault)
  return isKnown || /^(28|3D|42501)/.test(code)
}

/** @returns null for a bug, whose stack should be printed */
export function describeStartFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ([...settingsFaults, DatabaseStartError].some((fault) => error instanceof fault)) return error.message
  if (error instanceof RedisUrlError) return `REDIS_URL ${error.message}.`
  const { code } = error as NodeJS.ErrnoException
  // Classes 28 and 3D: wrong user, password or database. 42501: a missing right. 53300: too many connections.
  if (code && (/^(28|3D)/.test(code) || code === '42501' || code === '53300'))
    return `The database at DATABASE_URL refused the connection: ${error.message}.`
  return code ? (sentences[code]?.(error) ?? null) : null
}

function noAccess({ code, path, message }: NodeJS.ErrnoException): string {
  const place = path ?? message
  return `This user may not read or write ${place} (${code}). Change its owner or mode, or choose another place.`
}

function noDatabase({ code }: NodeJS.ErrnoException): string {
  return `A required server cannot be reached (${code}). Check DATABASE_URL and REDIS_URL.`
}
