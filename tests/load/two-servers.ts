/** Server processes on one database of people who are made up, and keys of its practices. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { startServer } from '../../scripts/setup/server-process.mjs'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { parseEnv } from '../../server/env.ts'
import { createServices, type Services } from '../../server/services.ts'
import { addAccount, signedIn } from '../support/people.ts'
import { createTestDatabase } from '../support/test-databases.ts'

export type ServerProcess = Awaited<ReturnType<typeof startServer>>

export type TwoServers = {
  servers: readonly ServerProcess[]
  /** A third hand on the same database. */
  services: Services
  actor: () => Actor
  issueKey: () => Promise<{ key: string; keyId: string }>
  /** An admin of the practice that the keys are for, whose password and second step were given just now. */
  addAdmin: () => Promise<{ practiceId: string; actor: () => Actor }>
  /** The status of a GET, of /context unless told. */
  ask: (server: ServerProcess, key: string, path?: string) => Promise<number>
  close: () => Promise<void>
}

export async function startTwoServers(redisUrl = ''): Promise<TwoServers> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-two-'))
  const database = await createTestDatabase(inject('testServer'), 'cast')
  const environment = {
    NODE_ENV: 'production',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: 'https://portal.example',
    MAIL_FROM: 'no-reply@portal.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ROLE: 'web',
    DATABASE_URL: database.appUrl,
    DATABASE_POOL: '8',
    DATA_DIR: folder,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: `load:${randomBytes(32).toString('base64')}`,
  }
  const services = createServices({
    env: parseEnv({ ...environment, REDIS_URL: '' }),
    appUrl: database.appUrl,
    log: pino({ level: 'silent' }),
  })
  const { id: accountId } = await addAccount(services, 'developer')
  const servers: ServerProcess[] = []
  for (let count = 0; count < 2; count++) {
    const port = await findFreePort()
    const logFile = join(folder, `${port}.log`)
    servers.push(await startServer({ environment, host: '127.0.0.1', port, logFile }))
  }

  const actor = signedIn(() => services, accountId)

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

  async function addAdmin() {
    const { id: practiceId } = await services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'sandpiper-demonstration' },
    })
    const { id } = await addAccount(services, 'practice')
    await services.prisma.practiceMembership.create({
      data: { practiceId, accountId: id, role: 'admin', createdAt: new Date() },
    })
    return { practiceId, actor: signedIn(() => services, id) }
  }

  async function ask(server: ServerProcess, key: string, path = '/context'): Promise<number> {
    const answer = await fetch(`${server.origin}/sandbox/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async function close(): Promise<void> {
    for (const server of servers) await server.stop()
    await services.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }

  return { servers, services, actor, issueKey, addAdmin, ask, close }
}
