/** Composition root: environment → database → services → interfaces → listen, and the way back. */
import { setTimeout as delay } from 'node:timers/promises'
import { startSealing } from './audit/sealer.ts'
import { type Env, parseEnv } from './env.ts'
import { createLog, flushLog } from './http/log.ts'
import { startWorker } from './jobs/worker.ts'
import { createLoadGauge, noLoad } from './limits/load-shedding.ts'
import { listenForMail } from './mail/inbound-listener.ts'
import { createServices, type Services } from './services.ts'
import { readBuild } from './start/build-info.ts'
import { proveFolders } from './start/folders.ts'
import { proveKeyring } from './start/keyring-proof.ts'
import { serve, stopServing } from './start/serve.ts'
import { describeStartFault, isSettingsFault } from './start/start-fault.ts'
import { startWatchdog } from './start/watchdog.ts'
import { checkSchema } from './store/migrations.ts'
import { servingUrls } from './store/serving-urls.ts'
import { findStatementsForSuperuser } from './store/session-settings.ts'
import type { Tracing } from './tracing/start-tracing.ts'

/** What runs is finished for so long; then connections are cut. */
const graceMs = 10_000
/** The last lines of the log get so long to leave. */
const flushMs = 1_000

/** For npm start, which waits as long as there is progress, and shows it. */
const report = (step: string) => process.send?.({ step })

async function main(): Promise<void> {
  const env = parseEnv()
  const log = createLog(env)
  if (env.DATABASE_MIGRATION_URL && !env.SANDPIPER_EMBEDDED)
    log.warn(
      {},
      'this process holds the password of the tables’ owner and does not need it: unset DATABASE_MIGRATION_URL',
    )
  await proveFolders(env)
  const tracing = await startTracingFor(env)
  report('connecting to the database')
  const { appUrl, directUrl } = await servingUrls(env)
  const newer = await checkSchema({ appUrl })
  if (newer.length > 0) log.warn({ migrations: newer }, 'the database is that of a newer release')
  const patient = env.ROLE === 'worker'
  const loadGauge = patient ? noLoad : createLoadGauge()
  const services = createServices({ env, log, appUrl, directUrl, patient, loadGauge })
  const statements = await findStatementsForSuperuser(services.pool)
  if (statements.length > 0)
    log.warn({ statements }, 'PostgreSQL may write personal data to its log until a superuser runs these')
  report('checking its keys')
  await proveKeyring(services)
  await services.signingKeys.ensure()
  if (runsJobs(env)) report('starting the jobs')
  const worker = runsJobs(env) ? await startWorker(services) : null
  const sealing = worker ? startSealing(services) : null
  const inbound = worker && env.INBOUND_SMTP_PORT ? await takeMail(services, env.INBOUND_SMTP_PORT) : null
  report('loading the pages and APIs')
  const server = await serve(services)
  // What it looks at answers from here on.
  if (worker)
    await services.status.checkAtOnce().catch((err: unknown) => log.warn({ err }, 'the first check waits'))
  // Not while people stop at breakpoints, nor during the start, which takes minutes on a busy machine.
  if (env.NODE_ENV === 'production') startWatchdog()
  log.info({ role: env.ROLE, origin: env.PUBLIC_ORIGIN, port: server.port }, 'ready')

  let stopping = false
  async function stop(signal: string): Promise<void> {
    if (stopping) return
    stopping = true
    const drainMs = signal === 'SIGINT' ? 0 : drainMsOf(env)
    log.info({ signal, drainMs }, 'stopping')
    setTimeout(endAtOnce, drainMs + graceMs + 2_000).unref()
    const served = stopServing({ drain: services.drain, pause: () => delay(drainMs), server, graceMs })
    await Promise.all([served, worker?.stop(), inbound?.close()])
    await sealing?.stop()
    await services.close()
    await tracing?.close()
    log.info({}, 'stopped')
    // No one reads the other end of the pipe: an orderly exit would wait for it, for ever.
    if (!(await flushLog(log, flushMs))) endAtOnce()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
}

async function startTracingFor(env: Env): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = env
  if (endpoint === undefined) return null
  const { version: serviceVersion } = readBuild()
  const { startTracing } = await import('./tracing/start-tracing.ts')
  return startTracing({ endpoint, serviceVersion, share })
}

const runsJobs = ({ ROLE }: Env) => ROLE === 'worker' || ROLE === 'all'

/** Only what proxies reach waits until they have turned away. */
const drainMsOf = ({ ROLE, SANDPIPER_SOCKETS: folder, DRAIN_SECONDS }: Env) =>
  ROLE === 'worker' || (folder && ROLE !== 'api') ? 0 : DRAIN_SECONDS * 1_000

/** The mail by which keys are asked for. */
function takeMail({ env, log, keys }: Services, place: string) {
  const [, host = '127.0.0.1', port] = /^(?:\[?(.*?)\]?:)?(\d+)$/.exec(place) ?? []
  return listenForMail({
    host,
    port: Number(port),
    address: env.keysAddress,
    log,
    onMail: keys.draftFromMail,
  })
}

/** Exit handlers, and Node itself, wait for writes that have begun; this does not. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

main().catch((error: unknown) => {
  const fault =
    describeStartFault(error) ??
    `The server could not start: ${error instanceof Error ? error.stack : String(error)}`
  process.stderr.write(`${fault}\n`)
  process.exit(isSettingsFault(error) ? 2 : 1)
})
