/** `sandpiper backup`, `restore`, `prove-backup` and `backup-key`, `npm run backup` and `npm run restore`. */
import { writeFile } from 'node:fs/promises'
import { parseBackupEnv, parseEnv } from '../env.ts'
import { createKeyring } from '../keyring.ts'
import { makeBackup, openBackup, proveStored } from '../start/backups.ts'
import { createKeyPair } from '../store/backup/age-files.ts'
import { BackupError } from '../store/backup/manifest.ts'
import { restore } from '../store/backup/restore.ts'
import { migrate } from '../store/migrations.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import {
  type BackupCommand,
  checkRestored,
  chooseTarget,
  describeBackup,
  describeLost,
  progressLine,
  readCommand,
} from './backup-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (command.step === 'key') return makeKey(command.out)
  if (command.step === 'prove') return prove(command.from)
  return command.step === 'backup' ? copy(command) : putBack(command)
}

async function copy(command: Extract<BackupCommand, { step: 'backup' }>): Promise<number> {
  const { env, keyring, progress, seconds } = begin(parseEnv)
  const target = chooseTarget(command, env)
  const made = await makeBackup({ ...target, env, keyring, now: new Date(), onProgress: progress.on })
  progress.end()
  say(`${made.name}: ${describeBackup(made.manifest)}, ${seconds()} s`)
  const lost = describeLost(made.manifest)
  if (lost) process.stderr.write(`${lost}\n`)
  for (const name of made.removed) say(`removed ${name}`)
  if (made.kept) process.stderr.write(`Older backups could not be removed: ${made.kept}\n`)
  say(
    'The backup does not contain ENCRYPTION_KEYS. Without them, encrypted data cannot be read: keep the keys elsewhere.',
  )
  return lost ? 3 : 0
}

async function putBack({ from, replace }: Extract<BackupCommand, { step: 'restore' }>): Promise<number> {
  const { env, keyring, progress, seconds } = begin(parseEnv)
  const place = await openBackup(from, { env, keyring })
  const { ownerUrl, appRole } = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  await migrate({ ownerUrl, appRole })
  const manifest = await restore({ ownerUrl, appRole, from: place, replace, onProgress: progress.on })
  progress.end()
  say(`restored and verified by hash: ${describeBackup(manifest)}, ${seconds()} s`)
  const { lines, exitCode } = await withServices(checkRestored, { keyring: 'unproven' })
  for (const line of lines) say(line)
  return exitCode
}

/** Exit code 3: the backup is not good. */
async function prove(given: string | null): Promise<number> {
  const { env, keyring, progress, seconds } = begin(parseBackupEnv)
  const from = given ?? env.BACKUP_URL
  if (!from) throw new BackupError('BACKUP_URL is missing: set it, or name a backup with --from')
  const { name, fault } = await proveStored({ env, keyring, from, now: new Date(), onProgress: progress.on })
  progress.end()
  say(
    fault === null
      ? `${name} is good: every table and the audit chain, ${seconds()} s`
      : `${name} is not good: ${fault}`,
  )
  return fault === null ? 0 : 3
}

function begin<Settings extends { ENCRYPTION_KEYS: string }>(parse: () => Settings) {
  const env = parse()
  const started = performance.now()
  return {
    env,
    keyring: createKeyring(env.ENCRYPTION_KEYS),
    progress: progressLine(process.stderr),
    seconds: () => ((performance.now() - started) / 1_000).toFixed(1),
  }
}

/** As age-keygen writes it. */
async function makeKey(file: string): Promise<number> {
  const { identity, recipient } = await createKeyPair()
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${identity}\n`
  await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  say(`BACKUP_RECIPIENT=${recipient}`)
  say(
    `${file} is the private key. Keep it, and a copy, away from the server that is backed up: nobody can restore without it.`,
  )
  return 0
}

runCommand(main, { known: [BackupError] })
