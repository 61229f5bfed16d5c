/** `npm start` on a data folder of its own, with a real mail server, to be killed and started again. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCluster } from '../../scripts/postgres/cluster.mjs'
import { processesInside, processIdentity } from '../../scripts/postgres/processes.mjs'
import { startPostgres } from '../../scripts/postgres/start.mjs'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'

type Running = Awaited<ReturnType<typeof startServer>>

export type Installation = {
  origin: string
  folder: string
  mails: MailReceiver
  start: () => Promise<void>
  stop: () => Promise<void>
  /** kill -9 of every Node process of it, PostgreSQL left running. */
  killNode: () => Promise<void>
  /** kill -9 of PostgreSQL's main process. */
  killPostgres: () => Promise<void>
  /** Process ids of PostgreSQL on its data folder. */
  postgresProcesses: () => number[]
  /** Of the owner and of the server's role. */
  urls: () => Promise<{ ownerUrl: string; appUrl: string }>
  log: () => string
  remove: () => Promise<void>
}

/** @param more of the environment */
export async function createInstallation(more: Record<string, string> = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-load-'))
  chmodSync(folder, 0o755)
  const mails = await startMailReceiver()
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const logFile = join(folder, 'start.log')
  const dataDir = join(folder, 'postgres')
  const environment = {
    NODE_ENV: 'production',
    DATA_DIR: folder,
    DATABASE_URL: '',
    DATABASE_MIGRATION_URL: '',
    REDIS_URL: '',
    PUBLIC_ORIGIN: origin,
    SMTP_URL: mails.url,
    ROLE: 'all',
    ...more,
  }
  let running: Running | undefined

  const postgresProcesses = () => processesInside(findCluster(dataDir) ?? 'nowhere')

  return {
    origin,
    folder,
    mails,
    postgresProcesses,
    log: () => readFileSync(logFile, 'utf8'),
    async start() {
      const entry = ['scripts/run.mjs', 'start']
      running = await startServer({ entry, environment, host: '127.0.0.1', port, logFile })
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    async killNode() {
      if (!running) throw new Error('nothing runs')
      const processes = [running.pid, ...childrenOf(running.pid)].filter((pid) => isNode(pid))
      for (const pid of processes) process.kill(pid, 'SIGKILL')
      await running.exited
      while (processes.some((pid) => processIdentity(pid) !== null)) await nextTurn()
      running = undefined
    },
    async killPostgres() {
      const file = join(findCluster(dataDir) ?? '', 'postmaster.pid')
      const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
      process.kill(pid, 'SIGKILL')
      while (processIdentity(pid) !== null) await nextTurn()
    },
    async urls() {
      const { ownerUrl, appUrl, stop } = await startPostgres({ dataDir })
      await stop()
      return { ownerUrl, appUrl }
    },
    async remove() {
      await running?.stop()
      await mails.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && statOf(pid)?.parent === parent)
}

function isNode(pid: number): boolean {
  return statOf(pid)?.name === 'node'
}

function statOf(pid: number): { name: string; parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 4).split(' ')[0]) }
  } catch {
    return null
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
