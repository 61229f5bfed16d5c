/**
 * Lucia's seven adapter methods on Prisma. Two things are ours: a session's id is stored as its SHA-256 only,
 * and "now" is the injected clock. Lucia compares with Date.now(); the adapter moves every expiry by the
 * difference of the two clocks, so that Lucia's comparison is true in the injected time.
 * https://v3.lucia-auth.com/database/#adapter-api
 */
import { createHash } from 'node:crypto'
import type { Adapter, DatabaseSession, DatabaseUser, Lucia } from 'lucia'
import type { Account, Prisma, Session as SessionRow } from '../../prisma/generated/client/client.ts'
import { type Realm, twoStepPracticeRoles } from '../contract/portal/realms.ts'

declare module 'lucia' {
  interface Register {
    /** Kept in one attribute each: Lucia's own `id` is the cookie's secret, the row's `id` is public. */
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: UserAttributes
    Lucia: Lucia<SessionAttributes, UserAttributes>
  }
}

export type SessionAccount = Pick<
  Account,
  'id' | 'email' | 'name' | 'emailVerifiedAt' | 'staffRole' | 'isDemo' | 'sandboxPracticeId'
> & {
  totpSecret: { confirmedAt: Date | null } | null
  /** Only those that ask for a second step. */
  practiceRoles: readonly { role: string; practiceId: string }[]
}

/** A row that was read has its end; one that is to be written gets it from Lucia. */
type SessionAttributes = { row: Omit<SessionRow, 'idHash' | 'expiresAt'> & { expiresAt?: Date } }
type UserAttributes = { account: SessionAccount }

/** No more of the account than a session shows: never the password's hash. */
export const sessionAccountFields = {
  id: true,
  email: true,
  name: true,
  emailVerifiedAt: true,
  staffRole: true,
  isDemo: true,
  sandboxPracticeId: true,
  totpSecret: { select: { confirmedAt: true } },
  practiceRoles: {
    where: { role: { in: [...twoStepPracticeRoles] } },
    select: { role: true, practiceId: true },
  },
} satisfies Prisma.AccountSelect

type Dependencies = { db: Prisma.TransactionClient; realm: Realm; clock: () => Date }

export function createSessionAdapter({ db, realm, clock }: Dependencies): Adapter {
  const aheadMs = () => Date.now() - clock().getTime()
  const toLuciaTime = (at: Date) => new Date(at.getTime() + aheadMs())
  const fromLuciaTime = (at: Date) => new Date(at.getTime() - aheadMs())

  function toDatabaseSession(sessionId: string, row: SessionRow): DatabaseSession {
    return {
      id: sessionId,
      userId: row.accountId,
      expiresAt: toLuciaTime(row.expiresAt),
      attributes: { row },
    }
  }

  return {
    async getSessionAndUser(sessionId) {
      const row = await db.session.findUnique({
        where: { idHash: hashSessionId(sessionId), realm, account: { realm } },
        include: { account: { select: { ...sessionAccountFields, disabledAt: true } } },
      })
      if (!row) return [null, null]
      const { account, ...session } = row
      const user: DatabaseUser = { id: account.id, attributes: { account } }
      // Lucia deletes a session without a user: a disabled account's sessions end on their next use.
      return [toDatabaseSession(sessionId, session), account.disabledAt ? null : user]
    },

    async getUserSessions(userId) {
      const rows = await db.session.findMany({ where: { accountId: userId, realm } })
      return rows.map((row) => toDatabaseSession(row.idHash, row))
    },

    async setSession({ id, userId, expiresAt, attributes }) {
      await db.session.create({
        data: {
          ...attributes.row,
          idHash: hashSessionId(id),
          accountId: userId,
          expiresAt: fromLuciaTime(expiresAt),
        },
        select: { id: true },
      })
    },

    /** Lifetimes are absolute (security rules): Lucia's sliding renewal finds nothing to move. */
    async updateSessionExpiration() {},

    async deleteSession(sessionId) {
      await db.session.deleteMany({ where: { idHash: hashSessionId(sessionId), realm } })
    },

    async deleteUserSessions(userId) {
      await db.session.deleteMany({ where: { accountId: userId, realm } })
    },

    async deleteExpiredSessions() {
      await db.session.deleteMany({ where: { expiresAt: { lte: clock() }, realm } })
    },
  }
}

/** What the database keeps of a session's id. */
export function hashSessionId(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex')
}
