/**
 * An S3 server that others wrote: OpenStack Swift with its S3 interface, from Debian's packages swift-proxy,
 * swift-account, swift-container, swift-object and memcached.
 * https://docs.openstack.org/swift/latest/development_saio.html
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import type { S3Settings } from '../../server/store/s3-client.ts'

export type TestS3 = {
  settings: S3Settings
  /** As an operator sets them. */
  environment: Record<string, string>
  /** Of the bucket: makes it, or removes it if it is empty. */
  bucket(method: 'PUT' | 'DELETE'): Promise<void>
  /** kill -9 of all its processes. */
  kill(): Promise<void>
  /** Again, with what it holds. */
  start(): Promise<void>
  stop(): Promise<void>
}

const bucket = 'sandpiper-exports'
const rings = ['account', 'container', 'object'] as const
const startMs = 90_000

export async function startS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-swift-'))
  const started: ChildProcess[] = []
  async function kill(): Promise<void> {
    for (const child of started.splice(0)) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  }
  async function stop(): Promise<void> {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const ports = await configure(folder)
    const launch = () => startServers(folder, ports, (child) => started.push(child))
    await launch()
    const port = ports.proxy
    const settings: S3Settings = {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      prefix: 'sandpiper/',
      accessKeyId: 'sandpiper:tester',
      secretAccessKey: 'a-secret-of-this-test',
      encryption: 'none',
    }
    const aws = new AwsClient({ ...settings, service: 's3', retries: 0 })
    const ask = async (method: 'PUT' | 'DELETE' | 'GET') => {
      const response = await aws.fetch(`${settings.endpoint}/${bucket}`, { method })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} of the bucket: ${response.status} ${text}`)
    }
    // The proxy answers before the servers behind it do.
    await untilDone(() => ask('PUT'))
    return {
      settings,
      environment: {
        S3_ENDPOINT: settings.endpoint,
        S3_BUCKET: bucket,
        S3_PREFIX: settings.prefix,
        S3_ACCESS_KEY_ID: settings.accessKeyId,
        S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
        S3_ENCRYPTION: settings.encryption,
      },
      bucket: ask,
      kill,
      async start() {
        await launch()
        await untilDone(() => ask('GET'))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Ports = Record<(typeof rings)[number] | 'proxy' | 'cache', number>

async function configure(folder: string): Promise<Ports> {
  const [account, container, object, proxy, cache] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  const ports = { account, container, object }
  mkdirSync(join(folder, 'devices/d1'), { recursive: true })
  writeFileSync(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${userInfo().username}\nswift_dir = ${folder}\n` +
    `devices = ${join(folder, 'devices')}\nmount_check = false\nworkers = 0\nlog_level = ERROR\nlog_address = ${folder}/no-log\n`
  for (const ring of rings) {
    makeRing(folder, ring, ports[ring])
    writeFileSync(
      join(folder, `${ring}-server.conf`),
      `${common(ports[ring])}[pipeline:main]\npipeline = ${ring}-server\n[app:${ring}-server]\nuse = egg:swift#${ring}\n`,
    )
  }
  writeFileSync(
    join(folder, 'proxy-server.conf'),
    `${common(proxy)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_sandpiper_tester = a-secret-of-this-test .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`,
  )
  return { ...ports, proxy, cache }
}

/** @param started is called for each process */
async function startServers(
  folder: string,
  { proxy, cache }: Ports,
  started: (child: ChildProcess) => void,
): Promise<void> {
  const run = (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, SWIFT_CONF: folder } })
    child.once('error', () => {})
    started(child)
  }
  run('memcached', ['-l', '127.0.0.1', '-p', String(cache), '-u', userInfo().username])
  for (const ring of rings) run(`swift-${ring}-server`, [join(folder, `${ring}-server.conf`)])
  run('swift-proxy-server', [join(folder, 'proxy-server.conf')])
  await untilDone(() => fetch(`http://127.0.0.1:${proxy}/`))
}

function makeRing(folder: string, ring: string, port: number): void {
  const file = join(folder, `${ring}.builder`)
  for (const args of [['create', '4', '1', '1'], ['add', `r1z1-127.0.0.1:${port}/d1`, '1'], ['rebalance']]) {
    const { error, status, stdout } = spawnSync('swift-ring-builder', [file, ...args], { encoding: 'utf8' })
    if (error)
      throw new Error(
        'This test needs Swift (Debian: apt-get install swift-proxy swift-account swift-container swift-object memcached)',
      )
    if (status === 2) throw new Error(stdout)
  }
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + startMs
  for (;;) {
    const failure = await work().then(
      () => null,
      (error: Error) => error,
    )
    if (failure === null) return
    if (performance.now() > deadline) throw new Error('Swift does not start', { cause: failure })
    await delay(200)
  }
}
