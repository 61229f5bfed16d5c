/** `sandpiper migrate` and `sandpiper reindex`: what a database needs for this release. */
import { parseArgs } from 'node:util'
import { parseDatabaseEnv } from '../env.ts'
import { migrate, migrationStatus } from '../store/migrations.ts'
import { createPool } from '../store/pool.ts'
import { patientPool } from '../store/retry.ts'
import { prepareDatabaseUrls } from '../store/roles.ts'
import { servingUrls } from '../store/serving-urls.ts'
import { createStore } from '../store/store.ts'
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
  const applied = await migrate({ ownerUrl, appRole, archives: env.LOG_ARCHIVE_URL !== undefined })
  say(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'no pending migrations')
  return 0
}

/** May be killed and started again, and run beside the server. */
async function reindex(args: string[]): Promise<number> {
  parseArgs({ args, options: {} })
  const { directUrl: connectionString } = await servingUrls(parseDatabaseEnv())
  const pool = createPool({
    connectionString,
    max: 3,
    ...patientPool,
    statementTimeoutMs: 0,
    applicationName: 'sandpiper reindex',
  })
  let next = 10_000
  const onProgress = (resources: number) => {
    if (resources < next) return
    say(`${resources} resources …`)
    next = resources + 10_000
  }
  try {
    const store = createStore({ pool, clock: () => new Date() })
    const { renewed, refused } = await store.reindex({ onProgress })
    if (renewed > 0) say(`renewed ${renewed} resources`)
    if (refused.length === 0 && renewed === 0) say('every search row is up to date')
    if (refused.length > 0)
      say(`${refused.length} resources cannot be indexed by this release: ${refused.slice(0, 20).join(', ')}`)
    return refused.length === 0 ? 0 : 1
  } finally {
    await pool.end()
  }
}

runCommand(() => {
  const [step = '', ...others] = process.argv.slice(2)
  return step === 'reindex' ? reindex(others) : applyOrList(process.argv.slice(2))
})
