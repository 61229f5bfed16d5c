/** `node deploy/try/run.mjs`: see help. Ends with code 1 if a promise is broken. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rootDir } from '../../server/root-dir.ts'
import { askDoctor, meetFirstPeople, runFhirClient, runFourParties, watch } from './clients.ts'
import { type Installation, standUp } from './installation.ts'
import { killEachPart } from './kills.ts'
import { promiseStatuses } from './load.ts'
import { serveThroughPgbouncer } from './pgbouncer.ts'
import { goBack } from './point-in-time.ts'
import { promoteStandby } from './promotion.ts'
import { createReport, type Report } from './report.ts'
import { restartUnderLoad } from './rolling.ts'
import { upgradeAndRollBack } from './upgrade.ts'

const help = `
node deploy/try/run.mjs [options]

Stands a whole installation up on this machine, in a temporary folder and on ports of its own, by the commands of
docs/operations/deploy.md: PostgreSQL with a synchronous standby, Redis or Valkey, nginx with TLS, an S3 server,
Prometheus, a mail catcher, two web processes and a worker of the release that is built here. Then tries what the
pages promise. Exit code 1: a promise is broken.

Needs a built checkout with all packages (npm run build), and of Debian: postgresql-15 redis-server nginx-light
prometheus swift-proxy swift-account swift-container swift-object memcached chromium-headless-shell openssl.

  --only PARTS     of: clients, rolling, kills, promotion, pgbouncer, upgrade, point-in-time (separated by commas); all of them unless told
  --kills N        how often each process is killed or restarted; 20 unless told
  --report FILE    writes the report there as well, in Markdown
`.trim()

const parts: Record<string, (installation: Installation, step: Report['step']) => Promise<void>> = {
  async clients(installation, step) {
    await step('People, alerts and doctor', async (each) => {
      await meetFirstPeople(installation, each)
      await askDoctor(installation, each)
      await watch(installation, each)
    })
    await step('A FHIR client that others wrote', (each) => runFhirClient(installation, each))
    await step('Four parties make a production key', (each) => runFourParties(installation, each))
  },
  rolling: (installation, step) =>
    step('Restarts one by one, under load', (each) => restartUnderLoad(installation, each, times)),
  kills: (installation, step) => killEachPart(installation, step, times),
  promotion: (installation, step) =>
    step('The standby takes over, under load', (each) =>
      promoteStandby(installation, each, Math.min(times, 3)),
    ),
  pgbouncer: (installation, step) =>
    step('Requests through PgBouncer', (each) => serveThroughPgbouncer(installation, each, times)),
  upgrade: (installation, step) =>
    step('Upgrade, and back by one release, under load', (each) => upgradeAndRollBack(installation, each)),
  'point-in-time': (installation, step) =>
    step('Back to the moment before an accident', (each) => goBack(installation, each)),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    kills: { type: 'string', default: '20' },
    report: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const times = Number(values.kills)
if (values.help) console.log(help)
// Clients of a part that failed may still go on.
else process.exit(await run(positionals[0] ?? ''))

async function run(folder: string): Promise<number> {
  const chosen = values.only.split(',')
  const unknown = chosen.filter((name) => !(name in parts))
  const faults = [
    unknown.length > 0 && `--only: there is no ${unknown.join(', ')}`,
    !(Number.isInteger(times) && times > 0) && '--kills: a number, 1 or more',
    !existsSync(join(rootDir, 'build/server/index.js')) && 'Build first: npm run build',
  ].filter((fault) => fault !== false)
  if (faults.length > 0) {
    for (const fault of faults) console.error(fault)
    return 2
  }
  const report = createReport()
  const ends: (() => Promise<unknown> | unknown)[] = []
  const finish = async () => {
    for (const end of ends.splice(0).reverse()) await Promise.resolve(end()).catch(console.error)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void finish().then(() => process.exit(130)))
  try {
    let installation = null as Installation | null
    await report.step('Stand-up by docs/operations/deploy.md', async ({ note }) => {
      installation = await standUp(folder, rootDir, (end) => ends.push(end), note)
    })
    if (installation !== null) {
      const { parts: running, operator } = installation
      for (const name of chosen) await parts[name]?.(installation, report.step)
      await report.step('Every response, and every process', async (each) => {
        promiseStatuses(running.front.accessLog(), each)
        const { failures } = operator
        each.promise(`no process ended by itself: ${failures.join('; ') || 'none'}`, failures.length === 0)
      })
    }
  } finally {
    await finish()
  }
  report.write(values.report)
  return report.broken() === 0 ? 0 : 1
}
