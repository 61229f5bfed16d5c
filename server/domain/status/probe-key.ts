/**
 * The API key with which the status checks call the REST API. It is a real key of the canary practice, renewed before
 * it expires. Its secret is stored encrypted, and all workers use the same key.
 */
import { createHash } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import type { Core } from '../core.ts'
import type { Canary } from './canary.ts'

export type ProbeKey = Readonly<{ key: string; datasetId: number }>

const name = 'rest_key'
const context = `probe_credential:${name}`
const dayMs = 86_400_000
const lifeDays = 30
/** Days left when the key is renewed: a worker that was off for a while still finds a valid one. */
const renewDays = 10

/** @returns null if the key expires soon, was revoked or suspended, or can't be decrypted */
async function readKey({ clock, keyring }: Core, db: Prisma.TransactionClient, practiceId: string) {
  const renewAt = new Date(clock().getTime() + renewDays * dayMs)
  const stored = await db.probeCredential.findUnique({ where: { name } })
  if (stored === null || stored.expiresAt <= renewAt) return null
  const valid = await db.apiKey.count({
    where: { id: stored.keyId, practiceId, revokedAt: null, suspendedAt: null, expiresAt: { gt: renewAt } },
  })
  if (valid === 0) return null
  return keyring.openText(stored.sealed, context)
}

async function renew(
  { clock, randomBytes, keyring, portalAudit }: Core,
  tx: Prisma.TransactionClient,
  practiceId: string,
): Promise<string> {
  const now = clock()
  const expiresAt = new Date(now.getTime() + lifeDays * dayMs)
  const key = makeKey('production', randomBytes)
  const previous = await tx.probeCredential.findUnique({ where: { name } })
  if (previous !== null) {
    await tx.apiKey.updateMany({
      where: { id: previous.keyId, revokedAt: null },
      data: { revokedAt: now, revokeReason: 'renewed' },
    })
  }
  const { id } = await tx.apiKey.create({
    data: {
      prefix: prefixOf(key),
      secretHash: createHash('sha256').update(key).digest(),
      name: 'Status checks',
      level: 'full',
      environment: 'production',
      practiceId,
      createdById: await ensureCreator(tx, now),
      createdAt: now,
      expiresAt,
    },
    select: { id: true },
  })
  const sealed = keyring.seal(Buffer.from(key, 'ascii'), context)
  const credential = { keyId: id, sealed, expiresAt }
  await tx.probeCredential.upsert({ where: { name }, create: { name, ...credential }, update: credential })
  await portalAudit.append(tx, {
    ...portalAudit.system(),
    practiceId,
    action: 'api_key.issued',
    subject: { kind: 'api_key', id },
    detail: { prefix: prefixOf(key), purpose: 'status checks' },
  })
  return key
}

/** Every API key names the account that created it. This account can't sign in. */
async function ensureCreator(tx: Prisma.TransactionClient, now: Date): Promise<string> {
  const identity = { realm: 'staff', email: 'status-checks@sandpiper.example' } as const
  const { id } = await tx.account.upsert({
    where: { realm_email: identity },
    create: { ...identity, name: 'Status checks', passwordHash: 'none', disabledAt: now, createdAt: now },
    update: {},
    select: { id: true },
  })
  return id
}

export async function getProbeKey(core: Core, canary: Canary): Promise<ProbeKey> {
  const { prisma } = core
  const key =
    (await readKey(core, prisma, canary.id)) ??
    (await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${context}))`
      return (await readKey(core, tx, canary.id)) ?? (await renew(core, tx, canary.id))
    }))
  return { key, datasetId: canary.datasetId }
}
