import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { makeKey, prefixOf } from '../../server/contract/key-format.ts'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { createTestDatabase } from '../support/test-databases.ts'
import { findFreePort } from './free-port.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const REQUESTS = 1_000
const AT_ONCE = 16
const KEYS = 5

let folder: string
let services: Services
let servers: Server[]
let drop: () => Promise<void>
let accountId: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-revocation-'))
  const database = await createTestDatabase(inject('testServer'), 'cast')
  drop = database.drop
  const environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: 'https://portal.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLE: 'web',
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    DATABASE_POOL: '8',
    DATA_DIR: folder,
    REDIS_URL: '',
    ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
  }
  services = createServices({
    env: parseEnv(environment),
    appUrl: database.appUrl,
    log: pino({ level: 'silent' }),
  })
  const { id } = await services.prisma.account.create({
    data: {
      realm: 'developer',
      email: 'robin.testwell@samplewood.example',
      name: 'Robin Testwell',
      passwordHash: 'none',
      emailVerifiedAt: new Date(),
      createdAt: new Date(),
    },
  })
  accountId = id
  servers = []
  for (const name of ['one', 'two']) {
    const port = await findFreePort()
    const logFile = join(folder, `${name}.log`)
    servers.push(await startServer({ environment, host: '127.0.0.1', port, logFile }))
  }
})

afterAll(async () => {
  for (const server of servers) await server.stop()
  await services.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

describe('after a key is revoked', () => {
  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by one process that knew the key`, async () => {
    for (let round = 0; round < KEYS; round++)
      expect(await revokeAndAsk(servers.slice(0, 1))).toEqual({ 401: REQUESTS })
  })

  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by two processes that knew the key`, async () => {
    for (let round = 0; round < KEYS; round++) expect(await revokeAndAsk(servers)).toEqual({ 401: REQUESTS })
  })
})

/** Status → how often, of the requests sent after the revocation was answered. */
async function revokeAndAsk(through: Server[]): Promise<Record<number, number>> {
  const { key, keyId } = await issueKey()
  for (const server of through) expect(await ask(server, key)).toBe(200)
  // Requests are under way when the revocation comes, so that caches and pools are busy with the key.
  let revoked = false
  const busy = Promise.all(
    through.map(async (server) => {
      while (!revoked) await ask(server, key)
    }),
  )
  await services.keys.revoke({ keyId }, actor())
  const tally: Record<number, number> = {}
  let sent = 0
  const sender = async () => {
    for (let index = sent++; index < REQUESTS; index = sent++) {
      const server = through[index % through.length]
      const status = server ? await ask(server, key) : 0
      tally[status] = (tally[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  revoked = true
  await busy
  return tally
}

async function ask(server: Server, key: string): Promise<number> {
  const answer = await fetch(`${server.origin}/sandbox/api/v1/context`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await answer.arrayBuffer()
  return answer.status
}

async function issueKey(): Promise<{ key: string; keyId: string }> {
  const practice = await services.prisma.practice.findUniqueOrThrow({
    where: { slug: 'sandpiper-demonstration' },
  })
  const organization = await services.organizations.create({ name: 'Samplewood Health Apps' }, actor())
  const key = makeKey('sandbox', randomBytes)
  const { id } = await services.prisma.apiKey.create({
    data: {
      prefix: prefixOf(key),
      secretHash: createHash('sha256').update(key).digest(),
      name: 'Load test',
      level: 'read_only',
      environment: 'sandbox',
      practiceId: practice.id,
      organizationId: organization.id,
      createdById: accountId,
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  })
  return { key, keyId: id }
}

function actor() {
  return {
    accountId,
    sessionId: randomUUID(),
    authenticatedAt: new Date(),
    ip: '127.0.0.1',
    userAgent: 'load test',
    correlationId: randomUUID(),
  }
}
