/** `npm run backup` and `npm run restore`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from '../env.ts'
import { createKeyring } from '../keyring.ts'
import { rootDir } from '../root-dir.ts'
import { describeStartFault } from '../start/start-fault.ts'
import { backUp } from '../store/backup/back-up.ts'
import { BackupError } from '../store/backup/manifest.ts'
import { restore } from '../store/backup/restore.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import { checkRestored, describeBackup, progressLine, readCommand } from './backup-command.ts'
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
    say(
      'The backup does not contain ENCRYPTION_KEYS. Without them, encrypted data cannot be read: keep the keys elsewhere.',
    )
    return
  }
  const manifest = await restore({ ownerUrl, appRole, ...command, onProgress: progress.on })
  progress.end()
  say(`restored and verified by hash: ${describeBackup(manifest)}, ${seconds()} s`)
  const { lines, exitCode } = await withServices(checkRestored, { keyring: 'unproven' })
  for (const line of lines) say(line)
  process.exitCode = exitCode
}

async function programVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(rootDir, 'package.json'), 'utf8')) as { version: string }
  return version
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof BackupError ||
    (error instanceof Error &&
      'code' in error &&
      /^(ERR_PARSE_ARGS.*|EACCES|EEXIST|ENOSPC|ENOTDIR|ENOENT|EROFS|ECONNREFUSED)$/.test(String(error.code)))
  const text = describeStartFault(error) ?? (isKnown ? error.message : null)
  process.stderr.write(`${text ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exitCode = text === null ? 1 : 2
})
