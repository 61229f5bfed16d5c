/** Valkey or Redis from PATH, started here on a socket or port of its own, so that it may also be stopped. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TestRedis = {
  /** What REDIS_URL or the client takes. */
  url: string
  start: () => void
  /** kill -9. */
  stop: () => Promise<void>
  remove: () => Promise<void>
  pid: () => number | undefined
}

/** @param port of 127.0.0.1; without one, a Unix socket */
export function createTestRedis(port = 0): TestRedis {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const socket = join(folder, 'redis.sock')
  const { server: program } = findRedis()
  let server: ChildProcess | undefined

  function start(): void {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', socket]
    server = spawn(program, [...place, '--save', '', '--appendonly', 'no'], {
      cwd: folder,
      stdio: 'ignore',
    })
  }

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const stopped = new Promise((resolve) => server?.once('exit', resolve))
    server.kill('SIGKILL')
    await stopped
  }

  async function remove(): Promise<void> {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }

  start()
  return {
    url: port === 0 ? socket : `redis://127.0.0.1:${port}`,
    start,
    stop,
    remove,
    pid: () => server?.pid,
  }
}

/** @throws Error saying what to install */
export function findRedis(): { server: string; cli: string } {
  const name = ['valkey', 'redis'].find((each) => isInstalled(`${each}-server`) && isInstalled(`${each}-cli`))
  if (name === undefined)
    throw new Error(
      'This test needs valkey-server or redis-server, and its cli (Debian: apt-get install redis-server)',
    )
  return { server: `${name}-server`, cli: `${name}-cli` }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
