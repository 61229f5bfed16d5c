/** `npm run audit:verify`: computes the chain of the portal's audit rows anew. */
import pino from 'pino'
import { parseEnv } from './env.ts'
import { createServices } from './services.ts'
import { prepareDatabaseUrls } from './store/roles.ts'

async function main(): Promise<void> {
  const env = parseEnv()
  const { appUrl } = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  const services = createServices({ env, log, appUrl })
  try {
    const verdict = await services.sealer.verify()
    if (verdict.intact) {
      process.stdout.write(
        `intact: ${verdict.sealed} rows sealed, ${verdict.waiting} waiting, ${verdict.heads} daily heads fit\n`,
      )
      return
    }
    process.stdout.write(`broken at ${verdict.number}: ${verdict.reason}\n`)
    process.exitCode = 1
  } finally {
    await services.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
