/** `npm run bench`: what a request costs, as a multiple of what Node itself needs to answer anything. */

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { built } from '../scripts/setup/database.mjs'
import { ROOT } from '../scripts/setup/folders.mjs'
import { findFreePort } from '../scripts/setup/free-port.mjs'
import { ensureSecrets } from '../scripts/setup/secrets.mjs'
import { runSeed } from '../scripts/setup/seed.mjs'
import { startServer } from '../scripts/setup/server-process.mjs'
import { makeCallers } from './callers.ts'
import { postgresProcesses } from './cpu.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { findFhirRecords } from './fhir-records.ts'
import { type Measurement, measure } from './measure.ts'
import { reportPages } from './pages.ts'
import { type Context, rows } from './rows.ts'
import { reportWeb } from './web.ts'

const HOST = '127.0.0.1'
/** So many practices at 400 requests a second each are more than any machine here serves. */
const PRACTICES = 60

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
  },
})
const effort = { seconds: Number(values.seconds), connections: Number(values.connections) }

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  chmodSync(folder, 0o755)
  const postgresFolder = join(folder, 'postgres')
  const undo: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })]
  try {
    undo.push(() => discardPostgres(postgresFolder))
    const database = await startPostgres({ dataDir: postgresFolder })
    const environment = {
      ...ensureSecrets(folder),
      NODE_ENV: 'production',
      DATABASE_URL: database.appUrl,
      DATABASE_MIGRATION_URL: database.ownerUrl,
      DATA_DIR: folder,
      SANDPIPER_EMBEDDED: '1',
      // Each caller has an address of its own.
      TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    }
    const { migrate } = await built('server/store/migrations.js')
    await migrate({ ownerUrl: database.ownerUrl })
    runSeed(environment, ['--no-history'])

    const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 })
    undo.push(() => owner.end())
    // As autovacuum would within minutes.
    await owner.query('VACUUM (ANALYZE)')
    const callers = await makeCallers(owner, PRACTICES, {
      slug: 'bench',
      records: 'sandpiper-demonstration',
      level: 'read_only',
    })
    const writers = await makeCallers(owner, PRACTICES, {
      slug: 'bench-writer',
      records: 'harbor-family',
      level: 'full',
    })
    const slugs = Array.from({ length: PRACTICES }, (_, index) => `bench-${index}`)
    const fhirCallers = await makeFhirCallers(owner, slugs)

    const port = await findFreePort()
    const server = await startServer({ environment, host: HOST, port, logFile: join(folder, 'server.log') })
    undo.push(() => server.stop())
    if (values.only === '' || values.only === 'web') await reportWeb(server.origin)
    if (values.only === 'web') return
    const context = {
      callers,
      writers,
      patientIds: await readPatientIds(server.origin, callers),
      fhirCallers,
      fhir: await findFhirRecords(owner),
    }
    if (values.only === '' || values.only === 'pages') {
      const reads = rows.find(({ name }) => name === 'FHIR read')?.requests(context) ?? []
      await reportPages(server.origin, reads, effort.seconds)
    }
    if (values.only === 'pages') return
    const floor = await startFloor()
    undo.push(() => void floor.child.kill())

    await report(context, {
      floor: { origin: floor.origin, nodePid: floor.child.pid ?? 0, postgresPids: () => [] },
      server: {
        origin: server.origin,
        nodePid: server.pid,
        postgresPids: () => postgresProcesses(database.cluster),
      },
    })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

type Process = { origin: string; nodePid: number; postgresPids: () => number[] }

async function report(context: Context, processes: { floor: Process; server: Process }): Promise<void> {
  console.log(`\n${effort.connections} connections, ${effort.seconds} s each, one after the other\n`)
  print(['', 'req/s', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs', 'CPU µs', '× floor', 'target'])
  const floor = await measure({ ...processes.floor, requests: [{ path: '/' }] }, { ...effort, warmUp: 5_000 })
  printRow('node:http, 2 KB (the floor)', floor, cpuOfRequest(floor))
  for (const { name, requests, warmUp, targetRatio } of rows.filter((row) => row.name.includes(values.only)))
    printRow(
      name,
      await measure({ ...processes.server, requests: requests(context) }, { ...effort, warmUp }),
      cpuOfRequest(floor),
      targetRatio,
    )
}

function cpuOfRequest({ nodeMicros, postgresMicros }: Measurement): number {
  return (nodeMicros ?? Number.NaN) + (postgresMicros ?? Number.NaN)
}

function printRow(name: string, row: Measurement, floorMicros: number, targetRatio?: number): void {
  const cpu = cpuOfRequest(row)
  const whole = (value: number | null) => (value === null || Number.isNaN(value) ? '–' : value.toFixed(0))
  print([
    name,
    whole(row.requestsPerSecond),
    row.p50Ms.toFixed(0),
    row.p99Ms.toFixed(0),
    whole(row.nodeMicros),
    whole(row.postgresMicros),
    whole(cpu),
    Number.isNaN(cpu) ? '–' : (cpu / floorMicros).toFixed(1),
    targetRatio === undefined ? '' : `≤ ${targetRatio}`,
  ])
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(30) + rest.map((each) => each.padStart(14)).join(''))
}

async function readPatientIds(origin: string, [caller]: Context['callers']): Promise<string[]> {
  const response = await fetch(`${origin}/sandbox/api/v1/patients?limit=100`, { headers: caller?.headers })
  if (!response.ok) throw new Error(`the list of patients answers ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

async function startFloor(): Promise<{ origin: string; child: ChildProcess }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(ROOT, 'bench/floor.mjs')], {
    env: { ...process.env, PORT: String(port), HOST },
    stdio: 'inherit',
  })
  const origin = `http://${HOST}:${port}`
  while (!(await fetch(origin).catch(() => null)))
    if (child.exitCode !== null) throw new Error('the floor ended')
  return { origin, child }
}
