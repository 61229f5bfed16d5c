/** Starts the server's processes as an operator does: with the commands of docs/operations/deploy.md, on a database of its own. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { installPackages } from '../support/release.ts'
import { ended, type Run, ready, test } from '../support/site.ts'

/** The guide's commands that start several processes. */
function commandLines(): string[] {
  const block = /```sh\n((?:.*ROLE=.*npm start.*\n)+)```/.exec(
    readFileSync('docs/operations/deploy.md', 'utf8'),
  )?.[1]
  return (block ?? '').trim().split('\n')
}

type ServerProcess = { pid: number; environment: string }

/** The server processes among the descendants of a process, with their environment. */
function serversBelow(parent: number): ServerProcess[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // The parent's id is the second field after the command's name, which is in parentheses.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) === parent
      } catch {
        return false
      }
    })
  return children.flatMap((pid) => [
    ...(/build\/server\/index\.js/.test(readIfThere(`/proc/${pid}/cmdline`))
      ? [{ pid: Number(pid), environment: readIfThere(`/proc/${pid}/environ`) }]
      : []),
    ...serversBelow(Number(pid)),
  ])
}

const pidOf = (run: Run, role: string) =>
  serversBelow(run.child.pid ?? 0).find((each) => each.environment.includes(`\0ROLE=${role}\0`))?.pid ?? 0

/** Empty if the process has ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the commands of the guide start two web processes and a worker, each with a health port of its own @long', async ({
  siteOn,
}) => {
  const { run, ownerUrl } = await siteOn('cast')
  const commands = commandLines()
  expect(commands.map((line) => /ROLE=(\w+)/.exec(line)?.[1])).toEqual(['web', 'web', 'worker'])

  const started: { port: number; run: Run; role: string }[] = []
  for (const line of commands) {
    const [command = '', variables = ''] = [
      line.slice(line.indexOf('npm ')),
      line.slice(0, line.indexOf('npm ')),
    ]
    const environment = Object.fromEntries(
      variables
        .trim()
        .split(/\s+/)
        .map((each) => each.split('=') as [string, string]),
    )
    const role = environment.ROLE ?? ''
    const port = await findFreePort()
    // Free ports, because an installation on this machine may use the default ones.
    const ports: Record<string, string> = { [role === 'worker' ? 'HEALTH_PORT' : 'PORT']: String(port) }
    const more: Record<string, string> = role === 'web' ? { DATABASE_MIGRATION_URL: ownerUrl } : {}
    started.push({ port, role, run: run(command.trim().split(' '), { ...environment, ...ports, ...more }) })
  }

  for (const { port, run: each } of started) expect(await ready(port, each)).toMatchObject({ ready: true })
  for (const { port, role } of started) {
    const page = await fetch(`http://127.0.0.1:${port}/sandbox/api/v1/context`)
    expect([role, page.status]).toEqual([role, role === 'web' ? 401 : 404])
  }
  await expect(() => expect(started[2]?.run.output()).toContain('worker is ready')).toPass()
  for (const { run: each } of started) {
    const [server, ...others] = serversBelow(each.child.pid ?? 0)
    expect(others).toEqual([])
    expect(server?.environment).toContain('DATABASE_URL=')
    expect(server?.environment).not.toMatch(/DATABASE_MIGRATION_URL=[^\0]/)
  }
  for (const { run: each } of started) expect(await each.stop()).not.toBe(1)
})

test('the APIs, the portal and the jobs run apart: killed, the portal and the worker come back, and the APIs go on', async ({
  siteOn,
}) => {
  const { run } = await siteOn('cast')
  const port = await findFreePort()
  const metrics = { METRICS_TOKEN: 'a-token-of-this-test' }
  const started = run(['npm', '--silent', 'start'], { PORT: String(port), ...metrics })
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const statuses = async () => [
    (await ask('/sandbox/api/v1/context')).status,
    // The query bypasses the page cache of the API process.
    (await ask('/docs?again')).status,
    (await ask('/metrics?process=worker', { Authorization: `Bearer ${metrics.METRICS_TOKEN}` })).status,
  ]

  await expect.poll(() => started.output(), { timeout: 60_000 }).toContain('Sandpiper is ready')
  // The worker starts once the API answers.
  await expect.poll(statuses).toEqual([401, 200, 200])

  process.kill(pidOf(started, 'portal'), 'SIGKILL')
  process.kill(pidOf(started, 'worker'), 'SIGKILL')
  await expect.poll(statuses).toEqual([401, 503, 503])
  const page = await ask('/docs?again')
  expect([page.headers.get('retry-after'), await page.text()]).toEqual([
    '2',
    expect.stringContaining('Try again'),
  ])
  await expect.poll(statuses, { timeout: 30_000 }).toEqual([401, 200, 200])

  const others = [pidOf(started, 'portal'), pidOf(started, 'worker')]
  process.kill(pidOf(started, 'api'), 'SIGKILL')
  expect(await ended(started)).toBe(1)
  for (const pid of others) expect(() => process.kill(pid, 0)).toThrow()
})

// It waits for the half minute after which a process counts as hung.
test('a portal and a worker that hang are noticed and come back, and one that hangs as the server stops is ended @long', async ({
  siteOn,
}) => {
  const { run } = await siteOn('cast')
  const port = await findFreePort()
  // Preloaded into every process: the signal stops its event loop.
  const hang = encodeURIComponent(`process.on('SIGUSR2', function hang() { for (;;); })`)
  const started = run(['npm', '--silent', 'start'], {
    PORT: String(port),
    DRAIN_SECONDS: '1',
    NODE_OPTIONS: `--import=data:text/javascript,${hang}`,
  })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const readiness = async () => {
    const answer = await ask('/readyz')
    const { ready: isReady, checks, worker } = await answer.json()
    return [answer.status, isReady, checks, worker]
  }
  const allWork = [200, true, { database: 'ok', logs: 'ok', portal: 'ok' }, 'ok']
  await expect.poll(() => started.output(), { timeout: 60_000 }).toContain('Sandpiper is ready')
  await expect.poll(readiness).toEqual(allWork)

  const hung = [pidOf(started, 'portal'), pidOf(started, 'worker')]
  for (const pid of hung) process.kill(pid, 'SIGUSR2')
  await expect
    .poll(readiness)
    .toEqual([503, false, { database: 'ok', logs: 'ok', portal: 'failed' }, 'failed'])
  expect((await ask('/sandbox/api/v1/context')).status).toBe(401)
  await expect.poll(readiness, { timeout: 90_000 }).toEqual(allWork)
  for (const pid of hung) expect(() => process.kill(pid, 0)).toThrow()
  expect(started.output()).toContain('ended: the event loop stood still for 30 s')

  const others = [pidOf(started, 'portal'), pidOf(started, 'worker'), pidOf(started, 'api')]
  process.kill(others[0] ?? 0, 'SIGUSR2')
  await started.stop()
  // A hung process gets its grace, then SIGKILL.
  await expect.poll(() => others.filter(isAlive), { timeout: 30_000 }).toEqual([])
})

test('a database of one’s own is neither migrated nor filled unless asked, and never with production practices @long', async ({
  siteOn,
}) => {
  const { run, owner, ownerUrl } = await siteOn('empty')
  const tables = async () =>
    (await owner.query(`SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'portal'`)).rows[0]
      .count
  const npm = (...args: string[]) => ['npm', '--silent', ...args]

  const incomplete = run(npm('start', '--', '--migrate'), {
    ENCRYPTION_KEYS: '',
    DATABASE_MIGRATION_URL: ownerUrl,
    PORT: String(await findFreePort()),
  })
  expect(await ended(incomplete)).toBe(1)
  expect(incomplete.output()).toContain('ENCRYPTION_KEYS is missing')
  expect(await tables()).toBe(0)

  const unasked = run(npm('start'), { PORT: String(await findFreePort()) })
  expect(await ended(unasked)).toBe(1)
  expect(unasked.output()).toContain('Run sandpiper migrate (npm run db:migrate)')
  expect(unasked.output()).not.toMatch(/\n {4}at /)
  expect(await tables()).toBe(0)

  const plain = run(npm('run', 'db:migrate'))
  expect(await ended(plain)).toBe(2)
  expect(plain.output()).toContain('DATABASE_MIGRATION_URL')
  expect(plain.output()).not.toMatch(/\n {4}at /)

  expect(await ended(run(npm('run', 'db:migrate'), { DATABASE_MIGRATION_URL: ownerUrl }))).toBe(0)
  const port = await findFreePort()
  const serving = run(npm('start'), { PORT: String(port) })
  expect(await ready(port, serving)).toMatchObject({ ready: true })
  await serving.stop()
  expect((await owner.query('SELECT slug FROM portal.practice')).rows).toEqual([])

  const seeded = run(npm('run', 'seed', '--', '--patients', '1'))
  expect([await ended(seeded), seeded.output()]).toEqual([0, expect.stringContaining('practices')])
  const { rows } = await owner.query<{ slug: string }>(
    `SELECT slug FROM portal.practice WHERE environment = 'production'`,
  )
  // The status page's checks need one of each kind; it has no patients.
  expect(rows).toEqual([{ slug: 'canary' }])
  const refused = run(npm('run', 'seed', '--', '--practice', 'harbor-family'))
  expect(await ended(refused)).not.toBe(0)
  expect(refused.output()).toContain('DEMO=1')
})

test('packages installed without those for development serve, and nothing is installed or built @long', async ({
  siteOn,
}) => {
  const { run } = await siteOn('cast')
  const image = mkdtempSync(join(tmpdir(), 'sandpiper-image-'))
  try {
    const excluded = ['.data', '.git', 'node_modules', 'test-results', 'playwright-report', 'prisma']
    // A lock file belongs to the setup of another test that is running.
    for (const name of [...readdirSync('.').filter((each) => !excluded.includes(each)), 'prisma/migrations'])
      cpSync(name, join(image, name), { recursive: true, filter: (path) => !path.endsWith('.lock') })
    cpSync('prisma/schema.prisma', join(image, 'prisma/schema.prisma'))
    installPackages(image, 'linked')
    const before = readdirSync(join(image, 'node_modules'))
    const port = await findFreePort()

    const serving = run(['npm', 'start'], { PORT: String(port) }, image)
    expect(await ready(port, serving)).toMatchObject({ ready: true })
    expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200)
    await serving.stop()
    const checking = run(['npm', 'run', 'check'], {}, image)
    expect(await ended(checking)).toBe(1)
    rmSync(join(image, 'build/portal/.stamp'))
    const unbuilt = run(['npm', 'start'], { PORT: String(await findFreePort()) }, image)
    expect(await ended(unbuilt)).toBe(1)

    expect(checking.output()).toContain('The development packages are not installed')
    expect(unbuilt.output()).toContain('npm ci && npm run build')
    expect(readdirSync(join(image, 'node_modules'))).toEqual(before)
  } finally {
    rmSync(image, { recursive: true, force: true })
  }
})

test('a server whose log is no longer read still stops on a signal @long', async ({ siteOn }) => {
  const { run } = await siteOn('cast')
  const port = await findFreePort()
  const server = run([process.execPath, 'build/server/index.js'], { PORT: String(port), LOG_LEVEL: 'info' })
  expect(await ready(port, server)).toMatchObject({ ready: true })

  server.child.stdout?.pause()
  // A pipe holds 64 kB, and Node reads as much again; each refusal is a line.
  for (let batch = 0; batch < 40; batch++)
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}/sandbox/api/v1/context`)),
    ).then((answers) => Promise.all(answers.map((answer) => answer.arrayBuffer())))
  const stopAt = Date.now()
  await server.stop()

  expect(Date.now() - stopAt).toBeLessThan(15_000)
})
