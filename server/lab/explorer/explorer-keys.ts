/**
 * The keys with which the explorer calls the sandbox: real ones of 60 minutes, minted here for one session, practice
 * and level, sealed by the keyring and never shown to anybody. The same limits, refusals and logs as for any key.
 *
 * A key ends with its session, with its person's place in the organization and with the role that its level needs:
 * the statement that reads the data asks (store/explorer-session.ts), so that no way of signing out can forget it.
 */
import { createHash } from 'node:crypto'
import type { KeyLevel, Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import { networkOf } from '../../domain/accounts/throttle.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { refuseBlocked } from '../../domain/keys/key-limit.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { SealError } from '../../keyring.ts'
import type { ExplorerPractice } from './explorer-practices.ts'
import * as practices from './explorer-practices.ts'
import type { ExplorerSession } from './explorer-session.ts'

export type ExplorerKey = Readonly<{
  keyId: string
  /** The public part; may be shown. */
  prefix: string
  level: KeyLevel
  mcpWrites: boolean
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; organizationId: string | null }>
  /**
   * The value of an Authorization header. A function, so that no loader can serialise the secret by mistake: call it
   * only to make a request that stays in this process, and never put what it gives into an answer, a log or an error.
   */
  authorization: () => string
}>
/** A key so near its end is not begun with. */
const marginMs = 30_000
const visitorHolder = 'visitor'

/**
 * The key to make one request with: the one that lives, or a new one. Two requests at once get the same. Ask for it
 * anew for every request: it may have ended, and what visitors may ask is counted here.
 *
 * @param session the signed-in developer (`getSession`/`findSession`, second step given), null for a visitor
 * @param practiceSlug one of `listPractices`; left out: the first of them. A visitor, and whoever names the shared
 *   demonstration practice, gets the one key that all visitors share, which only reads; each time
 *   counts against the windows of the caller's address
 * @param level `read_only` unless the person chose `full`; a key of level `full` gives the practice records of its own
 * @param mcpWrites of a `full` key: the MCP server offers it the tools that write
 * @throws Problem `not_found` (no such practice for this person), `forbidden` (a viewer or a visitor asks for `full`,
 *   a blocked organization), `rate_limited` (visitors), `unavailable` (the seed has not run)
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
  if (practice.organizationId === null) await takeVisitorWindow(core, context)
  const real = await provide(core, practice, level)
  const holder = practice.organizationId === null || session === null ? visitorHolder : session.id
  const slot = { holder, practiceId: real.id, level, mcpWrites }
  const kept =
    (await readKept(core, prisma, slot)) ??
    (await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${sealContext(slot)}))`
      return (await readKept(core, tx, slot)) ?? (await mint(core, tx, { slot, practice, session, context }))
    }))
  const { keyId, secret, expiresAt } = kept
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

async function takeVisitorWindow({ limiter }: Core, { ip }: Context): Promise<void> {
  const decision = await limiter.take([{ window: 'explorerVisitor', subject: networkOf(ip) }])
  if (decision.admitted) return
  throw new Problem('rate_limited', {
    message: `Too many explorer requests from this address. Wait ${decision.retryAfterSeconds} seconds, or sign in to use your own sandbox.`,
    retryAfterSeconds: decision.retryAfterSeconds,
  })
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

/** Null for one that is over or ends soon, was ended by somebody, or cannot be opened any more. */
async function readKept(
  { clock, keyring }: Core,
  db: Prisma.TransactionClient,
  slot: Slot,
): Promise<Kept | null> {
  const goodUntil = new Date(clock().getTime() + marginMs)
  const row = await db.explorerKey.findUnique({ where: { holder_practiceId_level_mcpWrites: slot } })
  if (row === null || row.expiresAt <= goodUntil) return null
  const alive = await db.apiKey.count({ where: { id: row.keyId, revokedAt: null, suspendedAt: null } })
  if (alive === 0) return null
  try {
    const secret = Buffer.from(keyring.open(row.sealed, sealContext(slot))).toString('ascii')
    return { keyId: row.keyId, secret, expiresAt: row.expiresAt }
  } catch (error) {
    // Nobody can open it any more, so nobody can use it: it ends by itself.
    if (error instanceof SealError) return null
    throw error
  }
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
  if (practice.organizationId !== null) await refuseBlocked(tx, practice.organizationId)
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
  const kept = { keyId, sealed, expiresAt }
  await tx.explorerKey.upsert({
    where: { holder_practiceId_level_mcpWrites: slot },
    create: { ...slot, ...kept },
    update: kept,
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

function sealContext({ holder, practiceId, level, mcpWrites }: Slot): string {
  return `explorer_key:${holder}:${practiceId}:${level}:${mcpWrites}`
}

/** Every key has an account that made it; nobody can sign in to this one. */
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
