/** `sandpiper backup` and `sandpiper restore`, `npm run backup` and `npm run restore`. */
import { parseEnv } from '../env.ts'
import { createKeyring } from '../keyring.ts'
import { readBuild } from '../start/build-info.ts'
import { backUp } from '../store/backup/back-up.ts'
import { BackupError } from '../store/backup/manifest.ts'
import { restore } from '../store/backup/restore.ts'
import { migrate } from '../store/migrations.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import { checkRestored, describeBackup, progressLine, readCommand } from './backup-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
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
    const program = readBuild().version
    const { to, format } = command
    const manifest = await backUp({ ownerUrl, to, format, keyIds, program, onProgress: progress.on })
    progress.end()
    say(`${to}: ${describeBackup(manifest)}, ${seconds()} s`)
    say(
      'The backup does not contain ENCRYPTION_KEYS. Without them, encrypted data cannot be read: keep the keys elsewhere.',
    )
    return 0
  }
  await migrate({ ownerUrl, appRole })
  const manifest = await restore({ ownerUrl, appRole, ...command, onProgress: progress.on })
  progress.end()
  say(`restored and verified by hash: ${describeBackup(manifest)}, ${seconds()} s`)
  const { lines, exitCode } = await withServices(checkRestored, { keyring: 'unproven' })
  for (const line of lines) say(line)
  return exitCode
}

runCommand(main, { known: [BackupError] })
