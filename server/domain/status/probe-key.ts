/**
 * The key with which the checks call the REST API: a real one, of the canary practice, made here and renewed
 * before it ends. Its secret lies sealed; every worker uses the same.
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
/** Renewed with so much of its life left: a worker that was off for a while still has a good one. */
const renewDays = 10

/** Null for one that ends soon, was ended by a person or cannot be opened any more. */
async function readKey({ clock, keyring }: Core, db: Prisma.TransactionClient, practiceId: string) {
  const renewAt = new Date(clock().getTime() + renewDays * dayMs)
  const stored = await db.probeCredential.findUnique({ where: { name } })
  if (stored === null || stored.expiresAt <= renewAt) return null
  const alive = await db.apiKey.count({
    where: { id: stored.keyId, practiceId, revokedAt: null, suspendedAt: null, expiresAt: { gt: renewAt } },
  })
  if (alive === 0) return null
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
  const old = await tx.probeCredential.findUnique({ where: { name } })
  if (old !== null) {
    await tx.apiKey.updateMany({
      where: { id: old.keyId, revokedAt: null },
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
      createdById: await nobody(tx, now),
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

/** Every key has an account that made it; no one can sign in to this one. */
async function nobody(tx: Prisma.TransactionClient, now: Date): Promise<string> {
  const who = { realm: 'staff', email: 'status-checks@sandpiper.example' } as const
  const { id } = await tx.account.upsert({
    where: { realm_email: who },
    create: { ...who, name: 'Status checks', passwordHash: 'none', disabledAt: now, createdAt: now },
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
