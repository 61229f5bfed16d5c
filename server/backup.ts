/** `npm run backup` and `npm run restore`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeBackup, missingKeys, progressLine, readCommand } from './backup-command.ts'
import { EnvironmentError, parseEnv } from './env.ts'
import { createKeyring, KeyringError } from './keyring.ts'
import { rootDir } from './root-dir.ts'
import { backUp } from './store/backup/back-up.ts'
import { BackupError } from './store/backup/manifest.ts'
import { restore } from './store/backup/restore.ts'
import { DatabaseRoleError, prepareDatabaseUrls } from './store/roles.ts'
import { withServices } from './with-services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2))
  const env = parseEnv()
  const { keyIds } = createKeyring(env.ENCRYPTION_KEYS)
  const { ownerUrl, appRole } = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  const progress = progressLine(process.stderr)
  const started = performance.now()
  const seconds = () => ((performance.now() - started) / 1_000).toFixed(1)
  if (command.step === 'backup') {
    const program = await programVersion()
    const { to, format } = command
    const manifest = await backUp({ ownerUrl, to, format, keyIds, program, onProgress: progress.on })
    progress.end()
    say(`${to}: ${describeBackup(manifest)}, ${seconds()} s`)
    say('ENCRYPTION_KEYS is not in it, and what is sealed opens with nothing else: keep the keys elsewhere.')
    return
  }
  const manifest = await restore({ ownerUrl, appRole, ...command, onProgress: progress.on })
  progress.end()
  say(`restored and held against its hashes: ${describeBackup(manifest)}, ${seconds()} s`)
  const missing = missingKeys(manifest, keyIds)
  if (missing.length > 0)
    say(
      `ENCRYPTION_KEYS here has no key “${missing.join('”, “')}”: sealed values, such as second steps and signing keys, stay shut until it does.`,
    )
  await tellOfChain()
}

async function tellOfChain(): Promise<void> {
  const verdict = await withServices(({ sealer }) => sealer.verify())
  if (verdict.intact) {
    say(`the audit chain is intact: ${verdict.sealed} rows sealed, ${verdict.waiting} waiting`)
    return
  }
  say(`the audit chain is broken at ${verdict.number}: ${verdict.reason}`)
  say(
    'A head beyond the end, in DATA_DIR/audit-heads, tells of rows that were written after the backup: keep that ' +
      'file elsewhere as evidence of what is missing.',
  )
  process.exitCode = 3
}

async function programVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(rootDir, 'package.json'), 'utf8')) as { version: string }
  return version
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof BackupError ||
    error instanceof EnvironmentError ||
    error instanceof KeyringError ||
    error instanceof DatabaseRoleError ||
    (error instanceof Error &&
      'code' in error &&
      /^(ERR_PARSE_ARGS.*|EACCES|EEXIST|ENOSPC|ENOTDIR|ENOENT|EROFS|ECONNREFUSED)$/.test(String(error.code)))
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = isKnown ? 2 : 1
})
