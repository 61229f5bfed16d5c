/** `sandpiper migrate`: applies the migrations of this release. */
import { parseArgs } from 'node:util'
import { parseDatabaseEnv } from '../env.ts'
import { migrate, migrationStatus } from '../store/migrations.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import { runCommand } from './run-command.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function applyOrList(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { status: { type: 'boolean' } } })
  const env = parseDatabaseEnv()
  const { DATABASE_URL: databaseUrl, DATABASE_MIGRATION_URL: migrationUrl } = env
  const { ownerUrl, appRole } = await prepareDatabaseUrls({ databaseUrl, migrationUrl })
  if (values.status) {
    const states = await migrationStatus({ ownerUrl })
    for (const { name, state } of states) say(`${state.padEnd(8)} ${name}`)
    return states.every(({ state }) => state === 'applied') ? 0 : 1
  }
  const applied = await migrate({ ownerUrl, appRole })
  say(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'no pending migrations')
  return 0
}

runCommand(() => applyOrList(process.argv.slice(2)))
