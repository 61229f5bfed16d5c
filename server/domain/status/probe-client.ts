/**
 * The backend system with which the checks request a token and read a chart. It is a real client, only for the canary
 * practice, without an organization. Its private key is stored encrypted and renewed before it expires; all workers use
 * the same key.
 */
import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { usableKeys } from '../clients/jwks-source.ts'
import type { Core } from '../core.ts'
import type { Canary } from './canary.ts'
/** The parameters of one token request. */
export type ProbeAssertion = Readonly<{ clientId: string; scope: string; assertion: string }>

const probeClientId = 'status-checks'
const scope = 'system/Patient.r'
const alg = 'ES384'
const name = 'smart_client'
const context = `probe_credential:${name}`
const dayMs = 86_400_000
const lifeDays = 30
const renewDays = 10
const assertionSeconds = 120

/** @returns null if the key expires soon, can't be decrypted, or its authorization was revoked */
async function readKey({ clock, keyring }: Core, db: Prisma.TransactionClient, { id: practiceId }: Canary) {
  const stored = await db.probeCredential.findUnique({ where: { name } })
  if (stored === null || stored.expiresAt.getTime() <= clock().getTime() + renewDays * dayMs) return null
  const allowed = await db.practiceSystemAuthorization.count({
    where: {
      practiceId,
      state: 'granted',
      grant: { revokedAt: null },
      client: { id: probeClientId, appId: stored.keyId, suspendedAt: null, removedAt: null },
    },
  })
  if (allowed === 0) return null
  const text = keyring.openText(stored.sealed, context)
  return text === null ? null : (JSON.parse(text) as JWK)
}

async function renew({ clock, keyring, portalAudit }: Core, tx: Prisma.TransactionClient, canary: Canary) {
  const now = clock()
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  const key = { ...(await exportJWK(privateKey)), kid }
  const before = await tx.client.findUnique({ where: { id: probeClientId }, select: { jwks: true } })
  // The previous key stays published, because a worker may be about to use it.
  const jwks = {
    keys: [publicJwk, ...(usableKeys(before?.jwks)?.keys.slice(0, 1) ?? [])],
  } as Prisma.InputJsonObject
  const { appId } = await tx.client.upsert({
    where: { id: probeClientId },
    create: {
      id: probeClientId,
      appId: randomUUID(),
      environment: 'production',
      audience: 'backend',
      authentication: 'private_key_jwt',
      name: 'Status checks',
      redirectUris: [],
      scope,
      jwks,
      createdAt: now,
    },
    update: { jwks, scope, suspendedAt: null, removedAt: null },
    select: { appId: true },
  })
  await authorize(tx, canary, now)
  const sealed = keyring.seal(Buffer.from(JSON.stringify(key), 'utf8'), context)
  const credential = { keyId: appId, sealed, expiresAt: new Date(now.getTime() + lifeDays * dayMs) }
  await tx.probeCredential.upsert({ where: { name }, create: { name, ...credential }, update: credential })
  await portalAudit.append(tx, {
    ...portalAudit.system(),
    practiceId: canary.id,
    action: 'client.keys_changed',
    subject: { kind: 'client', id: probeClientId },
    detail: { kid, purpose: 'status checks' },
  })
  return key
}

/** Authorizes the client at the canary practice. */
async function authorize(tx: Prisma.TransactionClient, { id: practiceId }: Canary, now: Date): Promise<void> {
  const pair = { clientId: probeClientId, practiceId }
  await tx.clientPractice.upsert({
    where: { clientId_practiceId: pair },
    create: { ...pair, enabledAt: now },
    update: {},
  })
  const authorization = await tx.practiceSystemAuthorization.findUnique({
    where: { practiceId_clientId: pair },
    include: { grant: true },
  })
  if (authorization?.state === 'granted' && authorization.grant?.revokedAt === null) return
  const { id: grantId } = await tx.grant.create({
    data: { ...pair, audience: 'backend', scope, createdAt: now },
    select: { id: true },
  })
  const granted = { state: 'granted', scope, requestedAt: now, decidedAt: now, reason: null, grantId }
  await tx.practiceSystemAuthorization.upsert({
    where: { practiceId_clientId: pair },
    create: { ...pair, ...granted, purpose: 'Status checks of the platform.' },
    update: { ...granted, version: { increment: 1 } },
  })
}

/** @throws Error if the database does not respond */
export async function signProbeAssertion(core: Core, canary: Canary): Promise<ProbeAssertion> {
  const { prisma, clock, addresses } = core
  const key =
    (await readKey(core, prisma, canary)) ??
    (await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${context}))`
      return (await readKey(core, tx, canary)) ?? (await renew(core, tx, canary))
    }))
  const seconds = Math.floor(clock().getTime() / 1_000)
  const assertion = await new SignJWT({
    iss: probeClientId,
    sub: probeClientId,
    aud: addresses.token(canary.slug),
    iat: seconds,
    exp: seconds + assertionSeconds,
    jti: randomUUID(),
  })
    .setProtectedHeader({ alg, kid: key.kid ?? '', typ: 'JWT' })
    .sign(await importJWK(key, alg))
  return { clientId: probeClientId, scope, assertion }
}
