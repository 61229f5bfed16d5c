import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { longTest } from '../../tests/support/slice.ts'
import { chooseAccount, spawnIds } from './account.mjs'
import { machineMemory, sharedBuffers } from './postmaster.mjs'
import { startPostgres } from './start.mjs'

const flags = ['fsync=off']

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper test '))
fs.chmodSync(dataDir, 0o755)
await (await startPostgres({ dataDir, flags })).stop()

afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

describe('the embedded server', () => {
  it('gives the server a role that is no superuser, owns nothing and may create nothing', async () => {
    const server = await startPostgres({ dataDir, flags })

    const { rows } = await query(
      server.appUrl,
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,
        (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o') AS owned
       FROM pg_roles r WHERE rolname = current_user`,
    )
    const creating = query(server.appUrl, 'CREATE TABLE public.scratch (id int)')

    expect(rows).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false, owned: 0 },
    ])
    await expect(creating).rejects.toThrow('permission denied for schema public')
    expect(await server.stop()).toBe(true)
  })

  longTest('sets shared_buffers by the memory of the machine, unless a flag sets it', async () => {
    const buffers = async (more: string[]) => {
      const server = await startPostgres({ dataDir, flags: [...flags, ...more] })
      const { rows } = await query(
        server.adminUrl,
        `SELECT 'shared_buffers=' || setting::int / 128 || 'MB' AS size FROM pg_settings WHERE name = 'shared_buffers'`,
      )
      await server.stop()
      return rows[0]?.size
    }

    expect(await buffers([])).toBe(sharedBuffers(machineMemory()))
    expect(await buffers(['shared_buffers=96MB'])).toBe('shared_buffers=96MB')
  })

  it('is joined by a second starter and stopped by the last one to leave', async () => {
    const first = await startPostgres({ dataDir, flags })
    const second = await startPostgres({ dataDir, flags })

    expect([first.started, second.started]).toEqual([true, false])
    expect(await first.stop()).toBe(false)
    expect((await query(second.appUrl, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(await second.stop()).toBe(true)
  })

  longTest('keeps running while another client is connected', async () => {
    const said: string[] = []
    const server = await startPostgres({ dataDir, flags, log: (line) => said.push(line) })
    const guest = new pg.Client({ connectionString: server.appUrl })
    await guest.connect()

    expect(await server.stop()).toBe(false)

    expect(said.join()).toContain('connections of others are open (1)')
    expect((await guest.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await guest.end()
    expect(await (await startPostgres({ dataDir, flags })).stop()).toBe(true)
  })

  it('is started once when two processes start it at the same moment', async () => {
    const both = await Promise.all([startElsewhere(dataDir), startElsewhere(dataDir)])

    expect(both.map((each) => each.started).sort()).toEqual([false, true])

    for (const each of both) {
      each.process.kill('SIGKILL')
      await ended(each.process)
    }
    expect(await (await startPostgres({ dataDir, flags })).stop()).toBe(true)
  })

  it('is adopted, rows and all, after its starter was killed', async () => {
    const starter = await startElsewhere(dataDir)
    await query(starter.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS seven')
    const before = pidOf(starter.cluster)

    starter.process.kill('SIGKILL')
    await ended(starter.process)
    const server = await startPostgres({ dataDir, flags })

    expect(server.started).toBe(false)
    expect(pidOf(server.cluster)).toBe(before)
    expect((await query(server.ownerUrl, 'SELECT seven FROM kept')).rows).toEqual([{ seven: 7 }])
    expect(await server.stop()).toBe(true)
  })

  it('recovers every committed row after it was killed itself', async () => {
    const server = await startPostgres({ dataDir, flags })
    await query(server.ownerUrl, 'CREATE TABLE survived AS SELECT generate_series(1, 1000) AS id')

    process.kill(pidOf(server.cluster), 'SIGKILL')
    const again = await startPostgres({ dataDir, flags })

    expect(again.started).toBe(true)
    expect((await query(again.ownerUrl, 'SELECT count(*)::int FROM survived')).rows).toEqual([
      { count: 1000 },
    ])
    await server.stop()
    await again.stop()
  })

  longTest('is brought back on the same addresses when it was killed under its users', async () => {
    const server = await startPostgres({ dataDir, flags })
    process.kill(pidOf(server.cluster), 'SIGKILL')

    await expect.poll(() => server.revive()).toBe(true)
    expect(await server.revive()).toBe(false)

    expect((await query(server.appUrl, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(await server.stop()).toBe(true)
  })

  longTest(
    'starts although the pid file left behind names another living process of the same account',
    async () => {
      const server = await startPostgres({ dataDir, flags })
      const pidFile = path.join(server.cluster, 'postmaster.pid')
      const text = fs.readFileSync(pidFile, 'utf8')
      await server.stop()
      const stranger = spawn('sleep', ['60'], { ...spawnIds(chooseAccount(server.cluster)), cwd: '/' })
      fs.writeFileSync(pidFile, text.replace(/^\d+/, String(stranger.pid)))

      const again = await startPostgres({ dataDir, flags })

      expect(again.started).toBe(true)
      expect(stranger.exitCode).toBeNull()
      stranger.kill()
      await again.stop()
    },
  )

  longTest('refuses the data of another major version and names the way out', async () => {
    const server = await startPostgres({ dataDir, flags })
    const version = path.join(server.cluster, 'PG_VERSION')
    await server.stop()
    const made = fs.readFileSync(version, 'utf8')
    fs.writeFileSync(version, '13\n')

    const starting = startPostgres({ dataDir, flags })

    await expect(starting).rejects.toThrow(/created by PostgreSQL 13.*DATABASE_URL/s)
    fs.writeFileSync(version, made)
  })

  longTest('works below a folder that only its owner can enter', async () => {
    const closed = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper-closed-'))
    const server = await startPostgres({ dataDir: path.join(closed, 'data'), flags })

    expect((await query(server.appUrl, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])

    expect(await server.stop()).toBe(true)
    fs.rmSync(server.cluster, { recursive: true })
    fs.rmSync(closed, { recursive: true })
  })
})

type Elsewhere = { process: ChildProcess; started: boolean; ownerUrl: string; cluster: string }

/** Starts the server in a Node process of its own, which then waits to be killed. */
function startElsewhere(folder: string): Promise<Elsewhere> {
  const script = `import { startPostgres } from ${JSON.stringify(new URL('start.mjs', import.meta.url).href)}
    const server = await startPostgres(${JSON.stringify({ dataDir: folder, flags })})
    console.log(JSON.stringify(server))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) =>
    child.stdout.once('data', (line) => resolve({ process: child, ...JSON.parse(String(line)) })),
  )
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

const pidOf = (cluster: string) =>
  Number.parseInt(fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10)

async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
