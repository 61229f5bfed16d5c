/** The parts of an installation from Debian's packages, each of which can be killed and comes back at its place. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { parseEnv } from '../../server/env.ts'
import { rootDir } from '../../server/root-dir.ts'
import { createServices, type Services } from '../../server/services.ts'
import {
  archiving,
  createCluster,
  createStandby,
  type DebianPostgres,
} from '../../tests/support/debian-postgres.ts'
import { type MailReceiver, startMailReceiver } from '../../tests/support/mail-receiver.ts'
import { type FrontProxy, findNginx, nginxSite, startNginx } from '../../tests/support/nginx.ts'
import { createTestRedis, type TestRedis } from '../../tests/support/redis.ts'
import { makeRelease } from '../../tests/support/release.ts'
import { startS3, type TestS3 } from '../../tests/support/swift.ts'
import { createOperator, type Operator, type Ports, type Running } from './operator.ts'

export type Installation = {
  folder: string
  origin: string
  operator: Operator
  ports: Ports
  parts: Parts
  /** Ports of PostgreSQL: the primary may be on either. */
  postgresPorts: readonly [number, number]
  prometheus: string
  /** nginx, at its place, after the one of before has ended. */
  startFront: () => Promise<FrontProxy>
  /** Of the owner of the tables, on the primary of now. */
  ownerUrl: () => string
  /** A third hand on the same database. */
  services: Services
}

/** The running processes. A step that kills one stores its replacement here. */
export type Parts = {
  primary: DebianPostgres
  standby: DebianPostgres
  mails: MailReceiver
  redis: TestRedis
  s3: TestS3
  web: [Running, Running]
  worker: Running
  front: FrontProxy
}

/** As deploy.md wants it, and nobody from elsewhere: a password for everybody on TCP, none for replication. */
const access = [
  'local all all trust',
  'host replication postgres 127.0.0.1/32 trust',
  'host postgres postgres 127.0.0.1/32 trust',
  'host all all 127.0.0.1/32 scram-sha-256',
]

type Ending = (work: () => Promise<unknown> | unknown) => void

/**
 * @param checkout whose release is installed
 * @param ending what to do at the end, in reverse
 */
export async function standUp(
  folder: string,
  checkout: string,
  ending: Ending,
  note: (line: string) => void,
): Promise<Installation> {
  const front = await findFreePort()
  const ports: Ports = { web: [await findFreePort(), await findFreePort()], worker: await findFreePort() }
  const origin = `https://localhost:${front}`
  // Filled as they start; whatever is there at the end is stopped.
  const parts = {} as Parts
  const primary = await createCluster({ access, settings: archiving })
  parts.primary = primary
  ending(() => parts.primary.remove())
  const standbyPort = await findFreePort()
  const mails = await startMailReceiver()
  parts.mails = mails
  ending(() => parts.mails.close())
  const redis = createTestRedis(await findFreePort())
  ending(redis.remove)
  const s3 = await startS3()
  ending(s3.stop)
  note('PostgreSQL, Redis, Swift (S3) and a mail catcher run')

  install(folder, checkout, 1)
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standbyPort}`
  const postgres = `-h ${primary.folder} -p ${primary.port} -U postgres`
  const operator = createOperator({ folder, origin, postgres, hosts, smtp: mails.url, ports })
  await operator.follow([['1. The release', 1]])
  await operator.follow(
    [
      ['2. Users and database', 0],
      ['3. Settings', 0],
    ],
    Object.entries({ REDIS_URL: redis.url, HEALTH_PORT: String(ports.worker), ...s3.environment })
      .map(([name, value]) => `echo '${name}=${value}' >> ${folder}/etc/sandpiper/sandpiper.env`)
      .join('\n'),
  )
  note((await operator.follow([['4. Migrate, first people', 1]])).trim().split('\n').slice(-5).join('; '))
  parts.standby = await createStandby(primary, { port: standbyPort, settings: archiving })
  ending(() => parts.standby.remove())
  note(`the standby on port ${standbyPort} acknowledges every commit`)

  const nginx = findNginx()
  if (nginx === null) throw new Error('This needs nginx (Debian: apt-get install nginx-light)')
  const certificate = {
    key: readFileSync(join(folder, 'privkey.pem'), 'utf8'),
    cert: readFileSync(join(folder, 'fullchain.pem'), 'utf8'),
  }
  const web = [await operator.start('web', ports.web[0]), await operator.start('web', ports.web[1])] as const
  Object.assign(parts, { redis, s3, web: [...web], worker: await operator.start('worker', ports.worker) })
  const startFront = () =>
    startNginx(nginx, {
      block: nginxSite(),
      serverPort: ports.web,
      folder: join(folder, 'nginx'),
      port: front,
      certificate,
    })
  parts.front = await startFront()
  ending(() => Promise.all([...parts.web, parts.worker, parts.front].map((each) => each.stop())))
  const prometheus = await startPrometheus(folder, operator, ports, ending)
  note(`two web processes, a worker, nginx and Prometheus run: ${origin}`)

  const { DATABASE_URL = '', ...settings } = operator.settings('sandpiper')
  const services = createServices({
    env: parseEnv({
      ...settings,
      DATABASE_URL,
      NODE_ENV: 'production',
      DATA_DIR: join(folder, 'hand'),
      REDIS_URL: '',
    }),
    appUrl: DATABASE_URL,
    log: pino({ level: 'silent' }),
  })
  ending(services.close)
  return {
    folder,
    origin,
    operator,
    ports,
    parts,
    postgresPorts: [primary.port, standbyPort],
    prometheus,
    startFront,
    ownerUrl: () =>
      (operator.settings('migrate').DATABASE_MIGRATION_URL ?? '').replace(
        hosts,
        `127.0.0.1:${parts.primary.port}`,
      ),
    services,
  }
}

/** Puts a release beside the others, as the page says. */
function install(folder: string, checkout: string, number: number): void {
  const release = join(folder, `opt/sandpiper-${number}`)
  for (const name of ['bin', 'etc/prometheus', 'backups', 'hand'])
    mkdirSync(join(folder, name), { recursive: true })
  makeRelease(release, 'copied', checkout)
  cpSync(join(checkout, 'deploy'), join(release, 'deploy'), { recursive: true })
}

/** The configuration of docs/operations/runbooks.md, with the processes of this machine. */
async function startPrometheus(
  folder: string,
  operator: Operator,
  { web, worker }: Ports,
  ending: Ending,
): Promise<string> {
  const page = readFileSync(join(rootDir, 'docs/operations/runbooks.md'), 'utf8')
  const targets = [...web, worker].map((port) => `'127.0.0.1:${port}'`).join(', ')
  const own = join(folder, 'etc/prometheus')
  const configuration = (/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    .replace(/targets: \[.*\]/, `targets: [${targets}]`)
    .replaceAll('/etc/prometheus', own)
  cpSync(join(rootDir, 'deploy/prometheus/alerts.yml'), join(own, 'alerts.yml'))
  writeFileSync(join(own, 'sandpiper-metrics-token'), operator.settings('sandpiper').METRICS_TOKEN ?? '')
  writeFileSync(
    join(own, 'prometheus.yml'),
    `global: { scrape_interval: 2s, evaluation_interval: 2s }\nrule_files: [alerts.yml]\n${configuration}`,
  )
  const port = await findFreePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(own, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const missing = once(child, 'error').then(() => {
    throw new Error('This needs Prometheus (Debian: apt-get install prometheus)')
  })
  ending(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const origin = `http://127.0.0.1:${port}`
  const ready = async () => {
    while (!(await fetch(`${origin}/-/ready`).catch(() => null))?.ok) await sleep(100)
  }
  await Promise.race([missing, ready()])
  missing.catch(() => {})
  return origin
}
