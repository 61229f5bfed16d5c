/** Valkey or Redis as it is run: with TLS and a user of few rights, under Sentinel, as a Cluster. Programs from PATH. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { makeCertificate } from './certificate.ts'
import { findRedis } from './redis.ts'

type Server = { port: number; process: ChildProcess }

export type Topology = {
  url: string
  /** Runs a command on one of the servers, as an administrator. */
  ask: (port: number, ...command: string[]) => string
  /** Ports of all servers that hold counts. */
  ports: readonly number[]
  /** kill -9. */
  kill: (port: number) => Promise<void>
  remove: () => Promise<void>
}

const base = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0']

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const { server, cli } = findRedis()
  const servers: Server[] = []

  async function start(options: readonly string[], port: number): Promise<number> {
    const child = spawn(server, options, { cwd: folder, stdio: 'ignore' })
    servers.push({ port, process: child })
    await untilOpen(port)
    return port
  }

  async function kill(port: number): Promise<void> {
    const found = servers.find((each) => each.port === port)?.process
    if (found === undefined || found.exitCode !== null || found.signalCode !== null) return
    const ended = new Promise((resolve) => found.once('exit', resolve))
    found.kill('SIGKILL')
    await ended
  }

  return {
    folder,
    servers,
    cli,
    start,
    kill,
    ask: (port: number, ...command: string[]) =>
      execFileSync(cli, ['-p', String(port), ...command], { encoding: 'utf8' }).trim(),
    file(name: string, text: string): string {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    },
    async remove() {
      for (const { port } of servers) await kill(port)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`nothing listens on ${port}`)
}

/** @param rights of the user `sandpiper`, as ACL SETUSER takes them; its password is `pass` */
export async function createTlsRedis(rights: string): Promise<Topology & { otherAuthority: string }> {
  const redis = createFolder()
  const port = await findFreePort()
  const plainPort = await findFreePort()
  const subject = 'Sandpiper tests: authority'
  const authority = { ...makeCertificate([], { subject }), subject }
  const { key, cert } = makeCertificate(['localhost'], { subject: 'localhost', issuer: authority })
  const ca = redis.file('ca.pem', authority.cert)
  const otherAuthority = redis.file('other.pem', makeCertificate([]).cert)
  await redis.start(
    [
      ...base,
      ...['--port', String(plainPort), '--tls-port', String(port), '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', redis.file('server.pem', cert), '--tls-key-file', redis.file('server.key', key)],
      ...['--tls-ca-cert-file', ca],
      ...[
        '--aclfile',
        redis.file('users.acl', `user default on nopass ~* &* +@all\nuser sandpiper ${rights}\n`),
      ],
    ],
    port,
  )
  return {
    url: `rediss://sandpiper:pass@localhost:${port}?sslrootcert=${encodeURIComponent(ca)}`,
    ask: (_, ...command) => redis.ask(plainPort, ...command),
    ports: [port],
    kill: redis.kill,
    remove: redis.remove,
    otherAuthority,
  }
}

/** A primary, a replica, and three Sentinels that notice a loss within half a second. */
export async function createSentinels(): Promise<Topology> {
  const redis = createFolder()
  const [primary, replica, ...sentinels] = await freePorts(5)
  await redis.start([...base, '--port', String(primary)], primary as number)
  await redis.start(
    [...base, '--port', String(replica), '--replicaof', '127.0.0.1', String(primary)],
    replica as number,
  )
  while (!redis.ask(replica as number, 'info', 'replication').includes('master_link_status:up'))
    await sleep(50)
  for (const port of sentinels) {
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor limits 127.0.0.1 ${primary} 2`,
      'sentinel down-after-milliseconds limits 500',
      'sentinel failover-timeout limits 5000',
    ]
    await redis.start([redis.file(`sentinel-${port}.conf`, `${settings.join('\n')}\n`), '--sentinel'], port)
  }
  const known = () => sentinels.map((port) => redis.ask(port, 'sentinel', 'master', 'limits'))
  while (!known().every((text) => /num-other-sentinels\n2/.test(text) && /num-slaves\n1/.test(text)))
    await sleep(100)
  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/limits`,
    ask: redis.ask,
    ports: [primary as number, replica as number],
    kill: redis.kill,
    remove: redis.remove,
  }
}

/** Three primaries with a replica each. */
export async function createCluster(): Promise<Topology> {
  const redis = createFolder()
  const ports = await freePorts(6)
  for (const port of ports)
    await redis.start(
      [
        ...base,
        ...['--port', String(port), '--cluster-port', String(await findFreePort())],
        ...['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`],
        ...['--cluster-node-timeout', '1000'],
      ],
      port,
    )
  execFileSync(
    redis.cli,
    [
      ...['--cluster', 'create', ...ports.map((port) => `127.0.0.1:${port}`)],
      ...['--cluster-replicas', '1', '--cluster-yes'],
    ],
    { stdio: 'ignore' },
  )
  const isWhole = (port: number) =>
    redis.ask(port, 'cluster', 'info').includes('cluster_state:ok') &&
    !redis.ask(port, 'info', 'replication').includes('master_link_status:down')
  while (!ports.every(isWhole)) await sleep(100)
  return {
    url: `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    ask: redis.ask,
    ports,
    kill: redis.kill,
    remove: redis.remove,
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await findFreePort())
  return [...ports]
}
