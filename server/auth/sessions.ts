/**
 * Sign-in sessions with Lucia: one instance and one cookie for each realm, absolute lifetimes, and a new id at sign-in and
 * step-up. The cookie's value leaves this file only in a Set-Cookie header.
 */
import { randomUUID } from 'node:crypto'
import { generateIdFromEntropySize, Lucia, TimeSpan } from 'lucia'
import { Prisma, type PrismaClient } from '../../prisma/generated/client/client.ts'
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { uuidPattern } from '../contract/http/uuid.ts'
import { type Realm, realms, twoStepPracticeRoles } from '../contract/portal/realms.ts'
import { isFresh } from '../contract/portal/step-up.ts'
import type { Env } from '../env.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { createSessionAdapter, type FoundSession, findSessions, hashSessionId } from './session-adapter.ts'

export type PortalSession = {
  /** Public row id, safe to show. */
  id: string
  realm: Realm
  accountId: string
  account: {
    id: string
    email: string
    name: string
    emailVerifiedAt: Date | null
    staffRole?: 'reviewer' | 'ops'
  }
  /** By name, with the account's role in each. */
  organizations: FoundSession['organizations']
  /** The account's roles in this realm: on our staff, in organizations, or at practices. */
  roles: readonly Role[]
  createdAt: Date
  /** When the password was last given. */
  authenticatedAt: Date
  /** Updated at most once a minute. */
  lastSeenAt: Date
  expiresAt: Date
  ip: string
  userAgent: string
  /**
   * `needed`: MFA is missing, and the session can open no other page. `not_set_up`: this sign-in does not need MFA, but
   * pages that need step-up ask to set it up.
   */
  mfaState: 'not_asked' | 'not_set_up' | 'needed' | 'given'
  /** The time of the last MFA in this session. */
  mfaAt: Date | null
}

/** `of` is the id of the organization or practice in which the account has the role. */
export type Role = Readonly<{ realm: 'developer' | 'practice' | 'staff'; role: string; of: string | null }>

type Dependencies = { prisma: PrismaClient; clock: () => Date; env: Pick<Env, 'PUBLIC_ORIGIN'> }

/** 256 bits in base32. */
const SESSION_ID_BYTES = 32
const TOUCH_EVERY_MS = 60_000

export function createSessions({ prisma, clock, env }: Dependencies) {
  const overHttp = env.PUBLIC_ORIGIN.startsWith('http:')

  function luciaFor(realm: Realm, db: Prisma.TransactionClient = prisma) {
    return new Lucia(createSessionAdapter({ db, realm, clock }), {
      sessionExpiresIn: new TimeSpan(realms[realm].sessionHours, 'h'),
      sessionCookie: {
        // A browser takes __Host- cookies over https only; plain http is for localhost.
        name: overHttp ? realms[realm].cookie : `__Host-${realms[realm].cookie}`,
        attributes: { secure: !overHttp, sameSite: 'lax', path: '/' },
      },
      getSessionAttributes: (attributes) => attributes,
      getUserAttributes: (attributes) => attributes,
    })
  }

  /** @returns the request's valid session in a realm; null without one or with a malformed cookie */
  async function read(request: Request, realm: Realm): Promise<{ session: PortalSession } | null> {
    const header = request.headers.get('cookie')
    if (!header) return null
    const lucia = luciaFor(realm)
    const sessionId = readCookie(lucia, header)
    if (!sessionId) return null
    const { session } = await lucia.validateSession(sessionId)
    if (!session) return null
    const found = toPortalSession(session.row as FoundSession)
    await touch(found)
    return { session: found }
  }

  /** Records the visit, at most once a minute. */
  async function touch(session: PortalSession): Promise<void> {
    const now = clock()
    if (now.getTime() - session.lastSeenAt.getTime() < TOUCH_EVERY_MS) return
    await prisma.session.updateMany({
      where: { id: session.id, lastSeenAt: { lt: now } },
      data: { lastSeenAt: now },
    })
    session.lastSeenAt = now
  }

  /**
   * Signs an account in, always under a new id.
   * @param db the caller's transaction
   * @returns the session and the Set-Cookie value that carries it
   */
  async function start(
    input: { accountId: string; realm: Realm; ip: string; userAgent: string },
    db: Prisma.TransactionClient = prisma,
  ): Promise<{ session: PortalSession; cookie: string }> {
    const { accountId, realm, ip } = input
    const lucia = luciaFor(realm, db)
    const now = clock()
    const row = {
      id: randomUUID(),
      realm,
      accountId,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      ip,
      userAgent: input.userAgent.slice(0, 400),
      mfaAt: null,
    }
    const sessionId = generateIdFromEntropySize(SESSION_ID_BYTES)
    await lucia.createSession(accountId, { row }, { sessionId })
    const [stored] = (await findSessions(db, Prisma.sql`s.id = ${row.id}::uuid`)) as [FoundSession]
    await endSurplus(db, { accountId, realm }, isShared(stored))
    return {
      session: toPortalSession(stored),
      cookie: lucia.createSessionCookie(sessionId).serialize(),
    }
  }

  /** Ends the least recently used sessions, so that an attacker with the password cannot fill the table or hide in it. */
  async function endSurplus(
    db: Prisma.TransactionClient,
    where: { accountId: string; realm: Realm },
    shared: boolean,
  ): Promise<void> {
    const surplus = await db.session.findMany({
      where,
      orderBy: [{ lastSeenAt: 'desc' }, { createdAt: 'desc' }, { id: 'desc' }],
      skip: shared ? limits.sessionsPerDemoAccountMax : limits.sessionsPerAccountMax,
      select: { id: true },
    })
    if (surplus.length > 0)
      await db.session.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } })
  }

  /**
   * Gives the session a new id. Its expiry does not change.
   * @throws Problem `unauthorized` if the session has ended meanwhile
   */
  async function renew(
    session: PortalSession,
    proof: { authenticatedAt: Date } | { mfaAt: Date },
    db: Prisma.TransactionClient = prisma,
  ): Promise<{ cookie: string }> {
    const sessionId = generateIdFromEntropySize(SESSION_ID_BYTES)
    const now = clock()
    const renewed = await db.session.updateMany({
      where: { id: session.id, accountId: session.accountId, expiresAt: { gt: now } },
      data: { ...proof, idHash: hashSessionId(sessionId), lastSeenAt: now },
    })
    if (renewed.count === 0) throw new Problem('unauthorized')
    return { cookie: luciaFor(session.realm, db).createSessionCookie(sessionId).serialize() }
  }

  /** Whether a session still exists, for code that read it a while ago. */
  async function isLive(sessionId: string): Promise<boolean> {
    const where = { id: sessionId, expiresAt: { gt: clock() }, account: { disabledAt: null } }
    return (await prisma.session.count({ where })) > 0
  }

  /** The account's live sessions, the latest used first. */
  async function listForAccount(accountId: string): Promise<PortalSession[]> {
    const rows = await findSessions(
      prisma,
      Prisma.sql`s.account_id = ${accountId}::uuid AND s.expires_at > ${clock()}`,
    )
    return rows.map(toPortalSession)
  }

  /** @returns false if the account has no such session */
  async function endOne(
    { accountId, sessionId }: { accountId: string; sessionId: string },
    db: Prisma.TransactionClient = prisma,
  ): Promise<boolean> {
    if (!uuidPattern.test(sessionId)) return false
    const ended = await db.session.deleteMany({ where: { accountId, id: sessionId } })
    return ended.count > 0
  }

  /** @returns the number of ended sessions */
  async function endOthers(
    { accountId, keepSessionId }: { accountId: string; keepSessionId: string | null },
    db: Prisma.TransactionClient = prisma,
  ): Promise<number> {
    const ended = await db.session.deleteMany({
      where: { accountId, ...(keepSessionId ? { id: { not: keepSessionId } } : {}) },
    })
    return ended.count
  }

  /** Deletes expired sessions, for a scheduled job. */
  async function deleteExpired(now: Date): Promise<number> {
    const where = { expiresAt: { lte: now } }
    return deleteInBatches((limit) => prisma.session.deleteMany({ where, limit }))
  }

  return {
    read,
    start,
    /** Call it after the password was entered again. See `renew`. */
    renewAfterStepUp: (session: PortalSession, db?: Prisma.TransactionClient) =>
      renew(session, { authenticatedAt: clock() }, db),
    /** Call it after MFA. The time of the password does not change. See `renew`. */
    renewAfterMfa: (session: PortalSession, db: Prisma.TransactionClient) =>
      renew(session, { mfaAt: clock() }, db),
    /** The Set-Cookie value that removes a realm's cookie. */
    blankCookie: (realm: Realm) => luciaFor(realm).createBlankSessionCookie().serialize(),
    isLive,
    listForAccount,
    endOne,
    endOthers,
    /** Whether the password was entered recently enough for step-up. */
    isStepUpFresh: ({ authenticatedAt }: { authenticatedAt: Date }) => isFresh(authenticatedAt, clock()),
    deleteExpired,
  }
}

/** Ignores malformed cookies. */
function readCookie(lucia: Lucia, header: string): string | null {
  try {
    const value = lucia.readSessionCookie(header)
    return value && /^[a-z2-7]{52}$/.test(value) ? value : null
  } catch {
    return null
  }
}

function toPortalSession(row: FoundSession): PortalSession {
  const { id, realm, accountId, email, name, emailVerifiedAt, staffRole, organizations, ...rest } = row
  const { createdAt, authenticatedAt, lastSeenAt, expiresAt, ip, userAgent, mfaAt } = rest
  return {
    ...{ id, realm, accountId, createdAt, authenticatedAt, lastSeenAt, expiresAt, ip, userAgent, mfaAt },
    account: { id: accountId, email, name, emailVerifiedAt, ...(staffRole && { staffRole }) },
    organizations: organizations.toSorted(
      (one, other) => one.name.localeCompare(other.name) || one.slug.localeCompare(other.slug),
    ),
    roles: rolesIn(row),
    mfaState: mfaStateOf(row),
  }
}

function rolesIn({ realm, staffRole, organizations, practiceRoles }: FoundSession): Role[] {
  if (realm === 'developer') return organizations.map(({ id, role }) => ({ realm, role, of: id }))
  if (realm === 'practice')
    return practiceRoles.map(({ role, practiceId }) => ({ realm, role, of: practiceId }))
  return realm === 'staff' && staffRole ? [{ realm, role: staffRole, of: null }] : []
}

/** Whether several people use the account. */
const isShared = ({ isDemo, sandboxPracticeId }: FoundSession) => isDemo || sandboxPracticeId !== null

/**
 * Demonstration accounts are public, and developers share the accounts of their sandbox: MFA would lock out all but one
 * person. A role at any other practice does need MFA.
 */
function mfaStateOf({ realm, mfaAt, isDemo, hasTotp, sandboxPracticeId, practiceRoles }: FoundSession) {
  const { mfa } = realms[realm]
  const mfaRoles = practiceRoles.filter(({ role }) => twoStepPracticeRoles.some((name) => name === role))
  const isSandboxOnly =
    sandboxPracticeId !== null && mfaRoles.every(({ practiceId }) => practiceId === sandboxPracticeId)
  if (mfa === 'never' || isDemo || isSandboxOnly) return 'not_asked'
  if (mfaAt) return 'given'
  const byRole = mfa === 'by_role' && mfaRoles.length > 0
  return mfa === 'always' || byRole || hasTotp ? 'needed' : 'not_set_up'
}

export type Sessions = ReturnType<typeof createSessions>
