/**
 * Single-use links in emails. Their 256 random bits are only in the email; the database stores a SHA-256. One conditional
 * UPDATE consumes a link, so that only one of two concurrent requests succeeds.
 */
import { createHash } from 'node:crypto'
import type { LinkToken, Prisma } from '../../../prisma/generated/client/client.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Core } from '../core.ts'

type LinkKind =
  | 'verify_email'
  | 'change_email'
  | 'reset_password'
  | 'accept_invitation'
  | 'claim_key'
  | 'confirm_draft'
  | 'verify_domain'
  | 'claim_production_key'
  | 'accept_practice_invitation'
  | 'confirm_subscription'

export type LinkState =
  | { kind: 'live'; link: LinkToken }
  /** The link has expired, or a newer one has replaced it. */
  | { kind: 'expired'; link: LinkToken }
  | { kind: 'used'; link: LinkToken }
  | { kind: 'unknown' }
/** 32 bytes in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** Whether a newer link of the same kind was sent. A withdrawn link has no newer one. */
export async function isReplaced(
  { prisma }: Pick<Core, 'prisma'>,
  { kind, accountId, subjectId, createdAt, replacedAt }: LinkToken,
): Promise<boolean> {
  if (replacedAt === null) return false
  const where = { kind, accountId, subjectId, createdAt: { gt: createdAt } }
  return (await prisma.linkToken.count({ where, take: 1 })) > 0
}

/**
 * Creates a link's token; older links of the same kind and subject (or account) stop working.
 * @returns the token, which is not stored
 */
export async function issue(
  { randomBytes }: Core,
  tx: Prisma.TransactionClient,
  input: {
    kind: LinkKind
    accountId?: string
    subjectId?: string
    expiresAt: Date
    now: Date
    /** Whether earlier links go on working. */
    keepEarlier?: boolean
  },
): Promise<string> {
  const { kind, accountId, subjectId, expiresAt, now, keepEarlier = false } = input
  if (!keepEarlier)
    await tx.linkToken.updateMany({
      where: { kind, ...(subjectId ? { subjectId } : { accountId }), consumedAt: null, replacedAt: null },
      data: { replacedAt: now },
    })
  const token = Buffer.from(randomBytes(32)).toString('base64url')
  await tx.linkToken.create({
    data: { kind, accountId, subjectId, expiresAt, createdAt: now, tokenHash: hash(token) },
    select: { id: true },
  })
  return token
}

/** The row of a token of any kind; null for an unknown token. */
export const findByToken = async (db: Prisma.TransactionClient, token: string): Promise<LinkToken | null> =>
  tokenPattern.test(token) ? db.linkToken.findUnique({ where: { tokenHash: hash(token) } }) : null

/** The state of a link. Reading changes nothing, because mail scanners open links too. */
export async function check(
  { prisma, clock }: Core,
  token: string,
  kind: LinkKind,
  db: Prisma.TransactionClient = prisma,
): Promise<LinkState> {
  if (!tokenPattern.test(token)) return { kind: 'unknown' }
  const link = await db.linkToken.findUnique({ where: { tokenHash: hash(token) } })
  if (!link || link.kind !== kind) return { kind: 'unknown' }
  if (link.consumedAt) return { kind: 'used', link }
  if (link.replacedAt || link.expiresAt <= clock()) return { kind: 'expired', link }
  return { kind: 'live', link }
}

/** Uses up the link in the caller's transaction. `live` means that the link was live until now. */
export async function consume(
  core: Core,
  tx: Prisma.TransactionClient,
  token: string,
  kind: LinkKind,
): Promise<LinkState> {
  const { clock } = core
  if (!tokenPattern.test(token)) return { kind: 'unknown' }
  const now = clock()
  const [link] = await tx.linkToken.updateManyAndReturn({
    where: { tokenHash: hash(token), kind, consumedAt: null, replacedAt: null, expiresAt: { gt: now } },
    data: { consumedAt: now },
  })
  return link ? { kind: 'live', link } : check(core, token, kind, tx)
}

/** Uses up every live link of a subject, because its purpose was achieved in another way. */
export async function consumeAll(
  tx: Prisma.TransactionClient,
  { kind, subjectId, now }: { kind: LinkKind; subjectId: string; now: Date },
): Promise<void> {
  await tx.linkToken.updateMany({
    where: { kind, subjectId, consumedAt: null, replacedAt: null },
    data: { consumedAt: now },
  })
}

/** Ends every live link of a subject or account without using it. */
export async function withdraw(
  tx: Prisma.TransactionClient,
  { kind, now, ...owner }: { kind: LinkKind; now: Date } & ({ subjectId: string } | { accountId: string }),
): Promise<void> {
  await tx.linkToken.updateMany({
    where: { kind, ...owner, consumedAt: null, replacedAt: null },
    data: { replacedAt: now },
  })
}

/** The tick: deletes links that ended before `before`. Their state is then `unknown`. */
export async function deleteEnded({ prisma }: Core, before: Date): Promise<number> {
  const where = { expiresAt: { lt: before } }
  return deleteInBatches((limit) => prisma.linkToken.deleteMany({ where, limit }))
}

const hash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())
