/** Debian's HAProxy in front of a primary and its standby, as docs/operations/postgresql.md sets it up. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import type { DebianPostgres } from './debian-postgres.ts'

const places = ['haproxy', '/usr/sbin/haproxy', '/usr/local/sbin/haproxy']

/** The configuration of the page, for these servers. */
function configure(
  port: number,
  socket: string,
  servers: readonly { port: number; checkPort: number }[],
): string {
  const page = readFileSync('docs/operations/postgresql.md', 'utf8')
  const [, block] = /```haproxy\n([\s\S]*?)```/.exec(page) ?? []
  if (block === undefined) throw new Error('docs/operations/postgresql.md has no block for HAProxy')
  const lines = block
    .replace('bind *:5000', `bind 127.0.0.1:${port}`)
    .replace(/^global$/m, `global\n  stats socket ${socket}`)
    .split('\n')
    .filter((line) => !/^\s+server /.test(line))
  const own = servers.map(
    (each, index) => `  server pg${index} 127.0.0.1:${each.port} check port ${each.checkPort}`,
  )
  return `${lines.join('\n').trimEnd()}\n${own.join('\n')}\n`
}

/** Answers as Patroni does: 200 from the primary, 503 from anything else. */
async function answerWhoIsPrimary(postgres: DebianPostgres): Promise<Server> {
  const server = createServer((_, response) => {
    const asked = postgres.asAdmin(async (client) => {
      const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
      return rows[0]?.standby === false
    })
    void asked
      .catch(() => false)
      .then((isPrimary) => {
        response.statusCode = isPrimary ? 200 : 503
        response.end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

type Haproxy = {
  port: number
  /** How many it has accepted. */
  connections: () => Promise<number>
  close: () => Promise<void>
}

export async function startHaproxy(servers: readonly DebianPostgres[]): Promise<Haproxy> {
  const program = places.find((place) => spawnSync(place, ['-v']).status === 0)
  if (program === undefined) throw new Error('This test needs HAProxy (Debian: apt-get install haproxy)')
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const checks = await Promise.all(servers.map(answerWhoIsPrimary))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  const socket = join(folder, 'stats')
  writeFileSync(
    file,
    configure(
      port,
      socket,
      checks.map((check, index) => ({
        port: (servers[index] as DebianPostgres).port,
        checkPort: (check.address() as AddressInfo).port,
      })),
    ),
  )
  const checked = spawnSync(program, ['-c', '-f', file], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(checked.stderr)
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' })
  await sleep(1_500)
  return {
    port,
    async connections() {
      const answer = await text(connect(socket).end('show stat\n'))
      const [heads, ...lines] = answer
        .replace('# ', '')
        .split('\n')
        .map((line) => line.split(','))
      const own = lines.find(([, name]) => name === 'FRONTEND')
      return Number(own?.[heads?.indexOf('stot') ?? -1])
    },
    async close() {
      child.kill('SIGKILL')
      for (const check of checks) check.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
