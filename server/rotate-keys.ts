/** `npm run rotate-keys`: changes the key that signs id_tokens, and brings what is sealed under the keyring's first key. */
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
    const { signingKeys, secondFactors, clientAuthentication } = services
    const sealedAnew = (await signingKeys.reseal()) + (await secondFactors.reseal())
    const { current, next, retired } = await signingKeys.rotate()
    const oldSecrets = await clientAuthentication.countOldSecrets()
    const lines = [
      `signs now:    ${current}`,
      `signs next:   ${next}`,
      `retired:      ${retired ?? 'none'}`,
      `sealed anew:  ${sealedAnew} signing keys and second steps`,
      ...(oldSecrets > 0
        ? [
            `app secrets:  ${oldSecrets} still need an older key of ENCRYPTION_KEYS, until each is used once more`,
          ]
        : []),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await services.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
