/** A seeded installation of the built server, with the bare server beside it. */
import { fork } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { built, runSeed } from '../scripts/setup/database.mjs'
import { ROOT } from '../scripts/setup/folders.mjs'
import { findFreePort } from '../scripts/setup/free-port.mjs'
import { runsApart, startProcesses } from '../scripts/setup/processes.mjs'
import { ensureSecrets } from '../scripts/setup/secrets.mjs'
import { startServer } from '../scripts/setup/server-process.mjs'
import type { Undo } from './clean-up.ts'
import { postgresProcesses, serverProcesses } from './cpu.ts'
import type { Target } from './measure.ts'

const HOST = '127.0.0.1'

export type Installation = {
  owner: pg.Pool
  /** Without the server, which is started once the callers are there. */
  startServer: () => Promise<Target>
  /** A process that answers the APIs alone, on a port of its own. */
  startApi: (environment: Readonly<Record<string, string>>) => Promise<{ origin: string; pid: number }>
  postgres: () => number[]
}

/** As `npm start` sets it up, the demonstration's month of history included, with a few patients more. */
export async function createInstallation(undo: Undo): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  undo(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const postgresFolder = join(folder, 'postgres')
  undo(() => discardPostgres(postgresFolder))
  const database = await startPostgres({ dataDir: postgresFolder })
  const environment = {
    ...ensureSecrets(folder),
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    DATA_DIR: folder,
    SANDPIPER_EMBEDDED: '1',
  }
  const { migrate } = await built('server/store/migrations.js')
  await migrate({ ownerUrl: database.ownerUrl })
  // A list of 50 needs more than the usual 40.
  await runSeed(environment, ['--patients', '60'])

  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 })
  owner.on('error', () => {})
  undo(() => owner.end())
  // As autovacuum would within minutes.
  await owner.query('VACUUM (ANALYZE)')

  return {
    owner,
    startServer: () => startBuiltServer(undo, { environment, folder, cluster: database.cluster }),
    startApi: async (more) => {
      const server = await startServer(
        await optionsOf({ environment: { ...environment, ROLE: 'api', ...more }, folder }),
      )
      undo(() => server.stop())
      return server
    },
    postgres: () => postgresProcesses(database.cluster),
  }
}

/** As many processes as `npm start` has on this machine. */
export async function startBuiltServer(
  undo: Undo,
  {
    environment,
    folder,
    cluster,
  }: { environment: Readonly<Record<string, string>>; folder: string; cluster: string },
): Promise<Target> {
  const options = await optionsOf({ environment, folder })
  const server = await (runsApart({ ...process.env, ...environment })
    ? startProcesses(options)
    : startServer(options))
  undo(() => server.stop())
  return {
    origin: server.origin,
    processes: () => ({
      ...Object.fromEntries(serverProcesses().map(({ pid, role }) => [role, [pid]])),
      PostgreSQL: postgresProcesses(cluster),
    }),
  }
}

async function optionsOf({
  environment,
  folder,
}: {
  environment: Readonly<Record<string, string>>
  folder: string
}) {
  const port = await findFreePort()
  return {
    environment: {
      ...environment,
      NODE_ENV: 'production',
      DATABASE_MIGRATION_URL: '',
      PUBLIC_ORIGIN: `http://${HOST}:${port}`,
      // Each caller has an address of its own.
      TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
      // Nothing listens there.
      SMTP_URL: 'smtp://127.0.0.1:9',
    },
    host: HOST,
    port,
    logFile: join(folder, `server-${port}.log`),
    log: (line: string) => console.log(line),
  }
}

export async function startFloor(undo: Undo): Promise<Target> {
  const port = await findFreePort()
  const child = fork(join(ROOT, 'bench/floor.mjs'), {
    env: { ...process.env, PORT: String(port), HOST },
    execArgv: [],
  })
  undo(() => child.connected && child.disconnect())
  const origin = `http://${HOST}:${port}`
  while (!(await fetch(origin).catch(() => null))) {
    if (child.exitCode !== null) throw new Error('the floor ended')
    await pause(20)
  }
  return { origin, processes: () => ({ floor: [child.pid ?? 0] }) }
}
