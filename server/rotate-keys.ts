/** `npm run rotate-keys`: changes the key that signs id_tokens. */
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
    const resealed = await services.signingKeys.reseal()
    const { current, next, retired } = await services.signingKeys.rotate()
    if (resealed > 0) process.stdout.write(`sealed anew: ${resealed}\n`)
    process.stdout.write(`signs now: ${current}\nnext:      ${next}\nretired:   ${retired ?? 'none'}\n`)
  } finally {
    await services.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
