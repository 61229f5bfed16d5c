/** Runs a command with the services on the environment's database, without a server, and closes them afterwards. */
import pino from 'pino'
import { parseEnv } from '../env.ts'
import { createServices, type Services } from '../services.ts'
import { proveKeyring } from '../start/keyring-proof.ts'
import { checkSchema } from '../store/migrations.ts'
import { servingUrls } from '../store/serving-urls.ts'

/**
 * @param keyring `unproven` for work that neither reads nor writes sealed values
 * @throws EnvironmentError, KeyringError, DatabaseRoleError, PoolerError and MigrationError, which say what to do
 */
export async function withServices<Result>(
  work: (services: Services) => Promise<Result>,
  { keyring = 'proven' }: { keyring?: 'proven' | 'unproven' } = {},
): Promise<Result> {
  const env = parseEnv()
  const { appUrl, directUrl } = await servingUrls(env)
  await checkSchema({ appUrl })
  const log = pino({ level: 'error', base: null }, pino.destination(2))
  const services = createServices({ env, log, appUrl, directUrl, patient: true })
  try {
    if (keyring === 'proven') await proveKeyring(services)
    return await work(services)
  } finally {
    await services.close()
  }
}
