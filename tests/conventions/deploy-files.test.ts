/** What lies in deploy/ fits the server and the programs it is for. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { commands } from '../../bin/commands.mjs'
import { variables } from '../../server/env-variables.ts'
import { MIGRATIONS_FOLDER, readMigrations } from '../../server/store/migrations.ts'
import { makeCertificate } from '../support/certificate.ts'
import { findNginx, startNginx } from '../support/nginx.ts'

const text = (file: string) => readFileSync(join('deploy', file), 'utf8')
const units = readdirSync('deploy/systemd')

test('nginx accepts the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-nginx-'))
  const { key, cert } = makeCertificate(['portal.example'])
  writeFileSync(join(folder, 'privkey.pem'), key)
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  const site = text('nginx.conf').replaceAll(/\/etc\/sandpiper\/tls|\/var\/log\/nginx/g, folder)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`,
  )
  const nginx = findNginx()
  // Elsewhere its braces and ends of lines are looked at.
  const faults = site.split('\n').filter((line) => !/^\s*(#.*|.*[;{}])?$/.test(line))
  const said = nginx && spawnSync(nginx, ['-t', '-c', join(folder, 'nginx.conf')], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })

  expect(faults).toEqual([])
  expect(site.split('{').length).toBe(site.split('}').length)
  if (said) expect([said.status, said.stderr]).toEqual([0, expect.stringContaining('test is successful')])
})

test('nginx logs no path and no query, also of a request that no server answers', async (context) => {
  const nginx = findNginx()
  if (nginx === null) return context.skip('nginx is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-nginx-'))
  // Nobody listens there.
  const front = await startNginx(nginx, { block: text('nginx.conf'), serverPort: 9, folder })
  const options = {
    port: front.port,
    path: '/patients/wren?mrn=4711',
    rejectUnauthorized: false,
    agent: false,
  }
  const headers = { Referer: 'https://portal.example/claim?token=4711' }
  const status = await new Promise((resolve, reject) =>
    request({ ...options, headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(),
  )
  await front.stop()
  const logged = front.ownLogs()
  rmSync(folder, { recursive: true })

  expect(status).toBe(503)
  expect(logged).toContain(' GET 503 ')
  expect(logged).not.toMatch(/wren|4711|claim/)
})

describe('systemd units', () => {
  test.each(units)('%s runs a command of sandpiper as a user without rights', (unit) => {
    const lines = text(`systemd/${unit}`).split('\n')
    const [, command = ''] =
      /^ExecStart=\/usr\/bin\/node bin\/sandpiper\.cjs (\S+)$/m.exec(lines.join('\n')) ?? []

    expect(commands).toHaveProperty(command)
    for (const line of [
      'User=sandpiper',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'PrivateTmp=yes',
      'CapabilityBoundingSet=',
      'SystemCallErrorNumber=EPERM',
      'UMask=0077',
      'SyslogIdentifier=%N',
    ])
      expect(lines).toContain(line)
    for (const [, name = ''] of lines.join('\n').matchAll(/^Environment=(\w+)=/gm))
      expect(variables).toHaveProperty(name)
  })

  test('the owner’s password reaches migrations only', () => {
    expect(units.filter((unit) => text(`systemd/${unit}`).includes('migrate.env'))).toEqual([
      'sandpiper-migrate.service',
    ])
  })

  test('a server that hung and ended itself is started again, and has its drain and its grace before it is killed', () => {
    for (const unit of units.filter((each) => !each.includes('migrate'))) {
      expect(text(`systemd/${unit}`)).toContain('\nRestart=always\n')
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text(`systemd/${unit}`))?.[1])).toBeGreaterThan(5 + 10 + 2)
    }
  })

  test('systemd-analyze, where it is, finds nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-units-'))
    for (const unit of units) {
      // It looks for the program itself.
      const here = text(`systemd/${unit}`).replace('/usr/bin/node', process.execPath)
      writeFileSync(join(folder, unit), here)
    }
    const { error, status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...units.map((unit) => join(folder, unit))],
      { encoding: 'utf8' },
    )
    rmSync(folder, { recursive: true })

    if (!error)
      expect([status, stderr.split('\n').filter((line) => line.includes('sandpiper'))]).toEqual([0, []])
    expect(units).toHaveLength(3)
  })
})

type Service = {
  image?: string
  command?: string | string[]
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  networks?: string[] | Record<string, { ipv4_address: string }>
  volumes?: string[]
  restart?: string
  read_only?: boolean
}

const subnetOf = (text: string): [string, number] => [text.split('/')[0] ?? '', Number(text.split('/')[1])]

describe('compose.yaml', () => {
  const { services, volumes, networks } = parse(text('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
    networks: Record<string, { ipam: { config: { subnet: string; ip_range: string }[] } }>
  }
  const own = Object.entries(services).filter(([, { image }]) => image === 'sandpiper')

  test('names services, volumes, networks and files that there are', () => {
    for (const { depends_on = {}, networks: joined = [], volumes: mounted = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty([name])
      for (const name of Array.isArray(joined) ? joined : Object.keys(joined))
        expect(networks).toHaveProperty([name])
      for (const each of mounted) {
        const [source = ''] = each.split(':')
        if (source.startsWith('.')) expect(existsSync(join('deploy', source))).toBe(true)
        else expect(volumes).toHaveProperty([source])
      }
    }
  })

  test('runs every step by a command of sandpiper, with settings that the server knows, and reads only', () => {
    expect(own.map(([name]) => name)).toEqual(['migrate', 'seed', 'web-1', 'web-2', 'worker'])
    for (const [, { command, environment = {}, read_only: readOnly }] of own) {
      expect(commands).toHaveProperty([String(command?.[0])])
      expect(Object.keys(environment).filter((name) => !Object.hasOwn(variables, name))).toEqual([])
      expect(readOnly).toBe(true)
    }
    const owners = own.filter(([, { environment }]) => environment?.DATABASE_MIGRATION_URL)
    expect(owners.map(([name]) => name)).toEqual(['migrate'])
  })

  test('starts again what ended by itself or with the machine, but no step that runs once', () => {
    const steps = Object.values(services).flatMap(({ depends_on: on = {} }) =>
      Object.entries(on).flatMap(([name, { condition }]) =>
        condition === 'service_completed_successfully' ? [name] : [],
      ),
    )

    for (const [name, { restart = 'no' }] of Object.entries(services))
      expect([name, restart]).toEqual([name, steps.includes(name) ? 'no' : 'unless-stopped'])
  })

  test('its web servers keep their addresses, which nothing else is given and the proxy looks up once', () => {
    const [range] = networks.sandpiper?.ipam.config ?? []
    const kept = new BlockList()
    const free = new BlockList()
    kept.addSubnet(...subnetOf(range?.subnet ?? ''))
    free.addSubnet(...subnetOf(range?.ip_range ?? ''))
    const addresses = ['web-1', 'web-2'].map((name) => {
      const joined = services[name]?.networks ?? {}
      return 'sandpiper' in joined ? joined.sandpiper.ipv4_address : ''
    })

    expect(new Set(addresses).size).toBe(2)
    expect(addresses.map((each) => [kept.check(each), free.check(each)])).toEqual([
      [true, false],
      [true, false],
    ])
    expect(services['web-1']?.environment?.TRUSTED_PROXY_CIDRS).toBe(range?.subnet)
  })

  test('its servers write exports to a bucket of the storage beside them, with the same password', () => {
    const { entrypoint, environment } = services.storage as Service & { entrypoint: string[] }
    for (const name of ['web-1', 'web-2', 'worker']) {
      const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } =
        services[name]?.environment ?? {}
      expect([S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY]).toEqual([
        environment?.ROOT_ACCESS_KEY,
        environment?.ROOT_SECRET_KEY,
      ])
      const [command = ''] = services.storage?.command ?? []
      expect(command).toContain(`mkdir -p /files/${S3_BUCKET} `)
      expect(command).toContain(`--port :${new URL(S3_ENDPOINT ?? '').port} `)
    }
    expect(entrypoint).toEqual(['sh', '-c'])
  })

  test('its proxy reads deploy/nginx.conf with the servers of this file', () => {
    const command = String(services.proxy?.command)
    let site = text('nginx.conf')
    for (const [, from = '', to = ''] of command.matchAll(/s\/([\d.:]+)\/([\w:-]+)\//g)) {
      expect(site).toContain(from)
      site = site.replace(from, to)
      expect(services).toHaveProperty([to.replace(':3000', '')])
    }
    expect(site).not.toContain('127.0.0.1')
  })
})

test('the image holds what sandpiper reads, and no folder that does not exist', () => {
  const file = text('Containerfile')
  const copied = [...file.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )

  expect(copied.filter((name) => !existsSync(name))).toEqual([])
  for (const name of [
    'bin',
    'prisma/migrations',
    'server/contract/CHANGELOG.md',
    'server/domain/agreements/texts',
  ])
    expect(copied).toContain(name)
  expect(file).toMatch(/^ARG BASE_IMAGE$/m)
  expect(file).toMatch(/^USER 10001:10001$/m)
  expect(file).toMatch(/^HEALTHCHECK /m)
  expect(file).toContain('npm sbom')
  expect(text('Containerfile.dockerignore')).toContain('**/*.env')
})

test('prove-restore.sh is valid for sh, and asks tables that exist', () => {
  const { status, stderr } = spawnSync('sh', ['-n', 'deploy/prove-restore.sh'], { encoding: 'utf8' })
  const migrations = readMigrations(MIGRATIONS_FOLDER)
    .map(({ sql }) => sql)
    .join('\n')
  const tables = text('prove-restore.sh').match(/\b(?:portal|clinical|log)\.\w+/g) ?? []

  expect([status, stderr]).toEqual([0, ''])
  expect(tables.length).toBeGreaterThan(3)
  for (const table of tables) expect(migrations).toContain(`CREATE TABLE ${table} (`)
})

test('users.sql: PostgreSQL makes two users, of whom one owns nothing and may not create', async () => {
  const { adminUrl } = inject('testServer')
  const suffix = `t${process.pid}`
  // psql's own commands are left out, and the names are those of this test alone.
  const statements = text('sql/users.sql')
    .split('\n')
    .filter((line) => !/^(\\|--)/.test(line))
    .join('\n')
    .replace(/:'(owner|app)_password'/g, "'synthetic'")
    .replaceAll('sandpiper', `sandpiper_${suffix}`)
    .split(';')
    .map((each) => each.trim())
    .filter(Boolean)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const drop = async () => {
    await admin.query(`DROP DATABASE IF EXISTS sandpiper_${suffix}`)
    for (const role of ['owner', 'app']) await admin.query(`DROP ROLE IF EXISTS sandpiper_${suffix}_${role}`)
  }
  try {
    await drop()
    for (const statement of statements) await admin.query(statement)
    const { rows } = await admin.query(
      `SELECT has_database_privilege($1, $2, 'CREATE') AS owner, has_database_privilege($3, $2, 'CREATE') AS creates,
         has_database_privilege($3, $2, 'CONNECT') AS connects, has_database_privilege('public', $2, 'CONNECT') AS anyone`,
      [`sandpiper_${suffix}_owner`, `sandpiper_${suffix}`, `sandpiper_${suffix}_app`],
    )
    expect(rows).toEqual([{ owner: true, creates: false, connects: true, anyone: false }])
  } finally {
    await drop()
    await admin.end()
  }
})
