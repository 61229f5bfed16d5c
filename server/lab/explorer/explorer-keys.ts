/**
 * The keys with which the explorer calls the sandbox: real ones of 60 minutes, minted here for one session, practice
 * and level, sealed by the keyring and never shown to anybody. The same limits, refusals and logs as for any key.
 *
 * A key ends with its session, with its person's place in the organization and with the role that its level needs:
 * the statement that reads the data asks (store/liveness.ts), so that no way of signing out can forget it.
 */
import { createHash } from 'node:crypto'
import type { KeyLevel, Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { explorerSessionSql } from '../../store/liveness.ts'
import * as practices from './explorer-practices.ts'
import {
  type ExplorerCredential,
  type ExplorerPractice,
  type ExplorerSession,
  marginMs,
  visitorHolder,
} from './explorer-practices.ts'

export type ExplorerKey = Readonly<{
  keyId: string
  /** The public part; may be shown. */
  prefix: string
  level: KeyLevel
  mcpWrites: boolean
}> &
  ExplorerCredential

/**
 * The key to make one request with: the one that lives, or a new one. Two requests at once get the same. Ask for it
 * anew for every request: it may have ended, and what visitors may ask is counted here.
 *
 * @param session the signed-in developer (`getSession`/`findSession`, second step given), null for a visitor
 * @param practiceSlug one of `listPractices`; left out: the first of them. A visitor, and a caller who names the shared
 *   demonstration practice, gets the one key that all visitors share, which only reads; each time
 *   counts against the windows of the caller's address
 * @param level `read_only` unless the person chose `full`; a key of level `full` gives the practice records of its own
 * @param mcpWrites of a `full` key: the MCP server offers it the tools that write
 * @throws Problem `not_found` (no such practice for this person), `forbidden` (a viewer or a visitor asks for `full`),
 *   `rate_limited` (visitors), `unavailable` (the seed has not run)
 */
export async function use(
  core: Core,
  input: {
    session: ExplorerSession
    practiceSlug?: string | null
    level?: KeyLevel
    mcpWrites?: boolean
  },
  context: Context,
): Promise<ExplorerKey> {
  const { prisma } = core
  const { session, practiceSlug = null, level = 'read_only' } = input
  const mcpWrites = level === 'full' && input.mcpWrites === true
  const practice = await practices.get(core, session, practiceSlug)
  if (!practice.levels.includes(level))
    throw new Problem('forbidden', {
      message:
        practice.organizationId === null
          ? 'The demonstration practice is shared and read-only. Sign in to write to your own sandbox.'
          : 'Your role in this organization is read-only.',
    })
  if (practice.organizationId === null) await practices.takeVisitorWindow(core, context)
  const real = await provide(core, practice, level)
  const holder = practice.organizationId === null || session === null ? visitorHolder : session.id
  const slot = { holder, practiceId: real.id, level, mcpWrites }
  const stored =
    (await readKept(core, prisma, slot)) ??
    (await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${sealContext(slot)}))`
      return (await readKept(core, tx, slot)) ?? (await mint(core, tx, { slot, practice, session, context }))
    }))
  const { keyId, secret, expiresAt } = stored
  return {
    keyId,
    prefix: prefixOf(secret),
    level,
    mcpWrites,
    expiresAt,
    practice: { ...real, organizationId: practice.organizationId },
    authorization: () => `Bearer ${secret}`,
  }
}

/** The practice as a row: an organization has none before its first key, and no records of its own before it writes. */
async function provide(core: Core, practice: ExplorerPractice, level: KeyLevel) {
  if (practice.organizationId === null && practice.id !== null)
    return { id: practice.id, slug: practice.slug, name: practice.name }
  if (practice.organizationId === null) throw new Problem('not_found')
  const { id, slug, name } = await sandboxes.ensure(core, practice.organizationId, {
    writable: level === 'full',
  })
  return { id, slug, name }
}

/** Null for one that is over or ends soon, was ended by a person, or cannot be opened any more. */
async function readKept({ clock, keyring }: Core, db: Prisma.TransactionClient, slot: Slot) {
  const goodUntil = new Date(clock().getTime() + marginMs)
  const row = await db.explorerKey.findUnique({ where: { holder_practiceId_level_mcpWrites: slot } })
  if (row === null || row.expiresAt <= goodUntil) return null
  const alive = await db.apiKey.count({ where: { id: row.keyId, revokedAt: null, suspendedAt: null } })
  if (alive === 0) return null
  const secret = keyring.openText(row.sealed, sealContext(slot))
  return secret === null ? null : { keyId: row.keyId, secret, expiresAt: row.expiresAt }
}

async function mint(
  { clock, randomBytes, keyring, portalAudit }: Core,
  tx: Prisma.TransactionClient,
  {
    slot,
    practice,
    session,
    context,
  }: { slot: Slot; practice: ExplorerPractice; session: ExplorerSession; context: Context },
): Promise<Kept> {
  const now = clock()
  const own = slot.holder === visitorHolder ? null : session
  const expiresAt = new Date(now.getTime() + limits.explorerKeyMinutes * 60_000)
  const secret = makeKey('sandbox', randomBytes)
  const { id: keyId } = await tx.apiKey.create({
    data: {
      prefix: prefixOf(secret),
      secretHash: createHash('sha256').update(secret).digest(),
      name: own === null ? 'Explorer, not signed in' : 'Explorer',
      level: slot.level,
      mcpWrites: slot.mcpWrites,
      environment: 'sandbox',
      explorer: true,
      explorerSessionId: own?.id ?? null,
      practiceId: slot.practiceId,
      organizationId: practice.organizationId,
      createdById: own?.accountId ?? (await nobody(tx, now)),
      createdAt: now,
      expiresAt,
    },
    select: { id: true },
  })
  const sealed = keyring.seal(Buffer.from(secret, 'ascii'), sealContext(slot))
  const credential = { keyId, sealed, expiresAt }
  await tx.explorerKey.upsert({
    where: { holder_practiceId_level_mcpWrites: slot },
    create: { ...slot, ...credential },
    update: credential,
  })
  await portalAudit.append(tx, {
    ...(own === null
      ? portalAudit.visitor(context)
      : portalAudit.by({ ...context, accountId: own.accountId })),
    ...(practice.organizationId === null ? {} : { organizationId: practice.organizationId }),
    practiceId: slot.practiceId,
    action: 'explorer_key.minted',
    subject: { kind: 'api_key', id: keyId },
    detail: { prefix: prefixOf(secret), level: slot.level, mcpWrites: slot.mcpWrites },
  })
  return { keyId, secret, expiresAt }
}

type Slot = { holder: string; practiceId: string; level: KeyLevel; mcpWrites: boolean }
type Kept = { keyId: string; secret: string; expiresAt: Date }

const sealContext = ({ holder, practiceId, level, mcpWrites }: Slot): string =>
  `explorer_key:${holder}:${practiceId}:${level}:${mcpWrites}`

/** Every key has an account that made it; no one can sign in to this one. */
async function nobody(tx: Prisma.TransactionClient, now: Date): Promise<string> {
  const who = { realm: 'staff', email: 'explorer@sandpiper.example' } as const
  const { id } = await tx.account.upsert({
    where: { realm_email: who },
    create: { ...who, name: 'Explorer', passwordHash: 'none', disabledAt: now, createdAt: now },
    update: {},
    select: { id: true },
  })
  return id
}

const dayMs = 86_400_000
/** The reason that the key's activity shows later. */
const overReason = 'The session it was minted for is over.'

/**
 * Tick. A key whose session is over has stopped with it: here it is only written down, and its secret forgotten.
 * @returns how many keys ended, and how many are forgotten altogether
 */
export async function tidyKeys({ prisma }: Core, now: Date): Promise<{ ended: number; forgotten: number }> {
  const ended = await prisma.$executeRawUnsafe(
    `UPDATE portal.api_key k SET revoked_at = $1::timestamptz, revoke_reason = $2
       WHERE k.explorer AND k.revoked_at IS NULL AND k.expires_at > $1::timestamptz
         AND NOT ${explorerSessionSql('k', '$1::timestamptz')}`,
    now,
    overReason,
  )
  await prisma.$executeRaw`
      DELETE FROM portal.explorer_key e WHERE e.expires_at <= ${now}::timestamptz
        OR NOT EXISTS (SELECT 1 FROM portal.api_key k WHERE k.id = e.key_id AND k.revoked_at IS NULL)`
  const before = new Date(now.getTime() - limits.explorerCallDays * dayMs)
  const { count } = await prisma.apiKey.deleteMany({
    where: { explorer: true, expiresAt: { lte: before } },
  })
  return { ended, forgotten: count }
}
