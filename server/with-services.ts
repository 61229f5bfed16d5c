/** What a command runs in: services without a server, on the database of the environment, and closed at its end. */
import pino from 'pino'
import { parseEnv } from './env.ts'
import { createServices, type Services } from './services.ts'
import { prepareDatabaseUrls } from './store/roles.ts'

/** @throws EnvironmentError and DatabaseRoleError, each with what to do */
export async function withServices<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  const env = parseEnv()
  const { appUrl } = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  const services = createServices({ env, log, appUrl })
  try {
    return await work(services)
  } finally {
    await services.close()
  }
}
