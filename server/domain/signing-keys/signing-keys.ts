/**
 * The server's keys for id_tokens: RS256, one key set for all practices. The next key is published before it signs, so
 * that cached copies of the set have it by then. A retired key stays published while its tokens live.
 */
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose'
import type { PrismaClient, SigningKey } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Keyring } from '../../keyring.ts'

type Rotation =
  | Readonly<{ rotated: true; current: string; next: string; retired: string | null }>
  /** `readyAt` is when the next key may sign. */
  | Readonly<{ rotated: false; current: string; next: string; readyAt: Date }>

const algorithm = 'RS256'
/** How long a key is published before it signs and after it retires. Cached copies of the set may be this old. */
const publishedAfterMs = 24 * 3_600_000
/** The signer is read again after this time, because another process may have rotated the keys. */
const rememberedMs = 60_000

type IdTokenClaims = Readonly<{
  issuer: string
  subject: string
  clientId: string
  issuedAt: Date
  expiresAt: Date
  authenticatedAt: Date | null
  nonce: string | null
  /** An absolute URL. */
  fhirUser: string | null
}>

type Dependencies = { prisma: PrismaClient; clock: () => Date; keyring: Keyring; portalAudit: PortalAudit }
type Signer = { kid: string; key: Awaited<ReturnType<typeof importPKCS8>>; readAt: number }

export function createSigningKeys({ prisma, clock, keyring, portalAudit }: Dependencies) {
  let signer: Promise<Signer> | null = null

  /** The JWKS with the current, the next and the recently retired keys. Creates the first keys if there are none. */
  async function publicJwks(): Promise<{ keys: JWK[] }> {
    const rows = await readPublished()
    const published = rows.some(({ slot }) => slot === 'current') ? rows : await makeMissing()
    return { keys: published.map(({ publicJwk }) => publicJwk as JWK) }
  }

  /** https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
  async function signIdToken(claims: IdTokenClaims): Promise<string> {
    const { kid, key } = await currentSigner()
    return new SignJWT({
      ...(claims.nonce !== null && { nonce: claims.nonce }),
      ...(claims.fhirUser !== null && { fhirUser: claims.fhirUser }),
      ...(claims.authenticatedAt && { auth_time: seconds(claims.authenticatedAt) }),
    })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid })
      .setIssuer(claims.issuer)
      .setSubject(claims.subject)
      .setAudience(claims.clientId)
      .setIssuedAt(seconds(claims.issuedAt))
      .setExpirationTime(seconds(claims.expiresAt))
      .sign(key)
  }

  /**
   * Makes the next key the current one, retires the current one, and creates a new next key. Nothing changes while cached
   * copies of the key set may not have the next key yet.
   */
  async function rotate(): Promise<Rotation> {
    await makeMissing()
    const spare = await makeKey()
    const result = await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${lockNumber})`
      const now = clock()
      const current = await tx.signingKey.findUnique({ where: { slot: 'current' } })
      const next = await tx.signingKey.findUniqueOrThrow({ where: { slot: 'next' } })
      const readyAt = new Date(next.createdAt.getTime() + publishedAfterMs)
      if (now < readyAt)
        return { rotated: false as const, current: current?.kid ?? next.kid, next: next.kid, readyAt }
      if (current)
        await tx.signingKey.update({ where: { kid: current.kid }, data: { slot: null, retiredAt: now } })
      await tx.signingKey.update({ where: { kid: next.kid }, data: { slot: 'current' } })
      await tx.signingKey.create({ data: { ...spare, slot: 'next', createdAt: now } })
      await tx.signingKey.deleteMany({
        where: { retiredAt: { lte: new Date(now.getTime() - publishedAfterMs) } },
      })
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'signing_key.rotated',
        subject: { kind: 'signing_key', id: next.kid },
        detail: { retired: current?.kid ?? null, next: spare.kid },
      })
      return { rotated: true as const, current: next.kid, next: spare.kid, retired: current?.kid ?? null }
    })
    signer = null
    return result
  }

  /** Seals private keys with the keyring's first key. @returns the number of keys that another key had sealed */
  async function reseal(): Promise<number> {
    let count = 0
    for (const { kid, sealedPrivate } of await prisma.signingKey.findMany()) {
      const resealed = keyring.reseal(sealedPrivate, sealContext(kid))
      if (!resealed) continue
      await prisma.signingKey.update({ where: { kid }, data: { sealedPrivate: resealed } })
      count += 1
    }
    return count
  }

  async function currentSigner(): Promise<Signer> {
    const known = await signer?.catch(() => null)
    if (known && Math.abs(clock().getTime() - known.readAt) < rememberedMs) return known
    signer = readSigner()
    return signer
  }

  async function readSigner(): Promise<Signer> {
    const found = await prisma.signingKey.findUnique({ where: { slot: 'current' } })
    const row = found ?? (await makeMissing()).find(({ slot }) => slot === 'current')
    if (!row) throw new Error('there is no current signing key')
    const pem = Buffer.from(keyring.open(row.sealedPrivate, sealContext(row.kid))).toString('utf8')
    return { kid: row.kid, key: await importPKCS8(pem, algorithm), readAt: clock().getTime() }
  }

  function readPublished(): Promise<SigningKey[]> {
    const since = new Date(clock().getTime() - publishedAfterMs)
    return prisma.signingKey.findMany({
      where: { OR: [{ slot: { not: null } }, { retiredAt: { gt: since } }] },
      orderBy: [{ slot: 'asc' }, { createdAt: 'asc' }],
    })
  }

  /** Processes that start at the same time create only one pair. */
  async function makeMissing(): Promise<SigningKey[]> {
    const slots = (await readPublished()).map(({ slot }) => slot)
    const missing = (['current', 'next'] as const).filter((slot) => !slots.includes(slot))
    for (const slot of missing) {
      const newKey = await makeKey()
      await prisma.signingKey.createMany({
        data: [{ ...newKey, slot, createdAt: clock() }],
        skipDuplicates: true,
      })
    }
    return readPublished()
  }

  async function makeKey() {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, {
      modulusLength: 2048,
      extractable: true,
    })
    const jwk = await exportJWK(publicKey)
    const kid = crypto.randomUUID()
    const sealedPrivate = keyring.seal(Buffer.from(await exportPKCS8(privateKey), 'utf8'), sealContext(kid))
    return {
      kid,
      algorithm,
      publicJwk: { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '', kid, alg: algorithm, use: 'sig' },
      sealedPrivate,
    }
  }

  /** A starting server calls `ensure`, so that the first sign-in does not wait for new keys. */
  return { ensure: makeMissing, publicJwks, signIdToken, rotate, reseal }
}

export type SigningKeys = ReturnType<typeof createSigningKeys>

/** The number of the advisory lock for rotations. */
const lockNumber = 20261121

export const sealContext = (kid: string) => `signing key ${kid}`
const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
