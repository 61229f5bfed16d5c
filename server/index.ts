/** Composition root: environment → database → services → doors → listen, and the way back. */
import { createApp } from './app.ts'
import { startSealing } from './audit/start-sealing.ts'
import { EnvironmentError, parseEnv } from './env.ts'
import { createLog } from './http/log.ts'
import { startWorker } from './jobs/worker.ts'
import { KeyringError } from './keyring.ts'
import { listen } from './listen.ts'
import { loadPortal } from './load-portal.ts'
import { listenForMail } from './mail/inbound-listener.ts'
import { createServices, type Services } from './services.ts'
import { migrate } from './store/migrations.ts'
import { prepareDatabaseUrls } from './store/roles.ts'

/** What runs is finished for so long; then connections are cut. */
const graceMs = 10_000

async function main(): Promise<void> {
  const env = parseEnv()
  const log = createLog(env)
  const urls = await prepareDatabaseUrls({
    databaseUrl: env.DATABASE_URL,
    migrationUrl: env.DATABASE_MIGRATION_URL,
  })
  await migrate(urls)
  const services = createServices({ env, log, appUrl: urls.appUrl })
  await services.signingKeys.ensure()
  const worker = env.ROLE === 'web' ? null : await startWorker(services)
  const sealing = worker ? startSealing(services) : null
  const inbound = worker && env.INBOUND_SMTP_PORT ? await takeMail(services, env.INBOUND_SMTP_PORT) : null
  const portal = env.ROLE === 'worker' ? null : await loadPortal(env)
  const server = portal && (await listen({ env, log, portal, app: createApp(services, portal.handler) }))
  // What it looks at answers from here on.
  if (worker)
    await services.status.checkAtOnce().catch((err: unknown) => log.warn({ err }, 'the first check waits'))
  log.info({ role: env.ROLE, origin: env.PUBLIC_ORIGIN, port: server?.port }, 'ready')

  let stopping = false
  async function stop(signal: string): Promise<void> {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), graceMs + 2_000).unref()
    await Promise.all([server?.close(graceMs), worker?.stop(), inbound?.close()])
    await sealing?.stop()
    await services.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
}

/** The mail by which keys are asked for. */
function takeMail({ env, log, keys }: Services, port: number) {
  const { INBOUND_SMTP_HOST: host, KEYS_ADDRESS: address } = env
  return listenForMail({ host, port, address, log, onMail: keys.draftFromMail })
}

main().catch((error: unknown) => {
  const known = error instanceof EnvironmentError || error instanceof KeyringError
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (known) process.stderr.write(`${error.message}\n`)
  else if (code === 'EADDRINUSE') process.stderr.write(`${(error as Error).message}\n`)
  else
    process.stderr.write(
      `The server could not start: ${error instanceof Error ? error.stack : String(error)}\n`,
    )
  process.exit(1)
})
