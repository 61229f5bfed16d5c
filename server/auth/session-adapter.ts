/**
 * Lucia's adapter for Prisma. It stores only the SHA-256 of a session's id, and uses the injected clock. Lucia compares
 * with Date.now(), so the adapter shifts every expiry by the difference of the two clocks.
 * https://v3.lucia-auth.com/database/#adapter-api
 */
import { createHash } from 'node:crypto'
import type { Adapter, DatabaseSession, DatabaseUser, Lucia } from 'lucia'
import {
  type PracticeRole,
  Prisma,
  type Session as SessionRow,
} from '../../prisma/generated/client/client.ts'
import type { OrganizationRole } from '../contract/portal/organization-roles.ts'
import type { Realm } from '../contract/portal/realms.ts'

declare module 'lucia' {
  interface Register {
    /** One attribute `row`, because Lucia's own `id` is the secret in the cookie, and the row's `id` is public. */
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: object
    Lucia: Lucia<SessionAttributes, object>
  }
}

/** A session with parts of its account, such as its roles, but without the password's hash. */
export type FoundSession = Omit<SessionRow, 'idHash'> & {
  email: string
  name: string
  emailVerifiedAt: Date | null
  staffRole: 'reviewer' | 'ops' | null
  isDemo: boolean
  sandboxPracticeId: string | null
  disabledAt: Date | null
  hasTotp: boolean
  organizations: readonly { id: string; name: string; slug: string; role: OrganizationRole }[]
  practiceRoles: readonly { role: PracticeRole; practiceId: string }[]
}

/** For a new session, Lucia provides the expiry separately. */
type SessionAttributes = { row: Omit<SessionRow, 'idHash' | 'expiresAt'> | FoundSession }

/** One statement, because every signed-in page begins with it. */
export function findSessions(db: Prisma.TransactionClient, condition: Prisma.Sql): Promise<FoundSession[]> {
  return db.$queryRaw<FoundSession[]>`
    SELECT s.id, s.realm::text AS realm, s.account_id AS "accountId", s.created_at AS "createdAt",
           s.authenticated_at AS "authenticatedAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt", s.ip,
           s.user_agent AS "userAgent", s.second_factor_at AS "mfaAt", a.email, a.name,
           a.email_verified_at AS "emailVerifiedAt", a.staff_role::text AS "staffRole", a.is_demo AS "isDemo",
           a.sandbox_practice_id AS "sandboxPracticeId", a.disabled_at AS "disabledAt",
           EXISTS (SELECT FROM portal.totp_secret t
                    WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL) AS "hasTotp",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'role', m.role)), '[]')
              FROM portal.membership m JOIN portal.organization o ON o.id = m.organization_id
             WHERE m.account_id = a.id) AS organizations,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('role', m.role, 'practiceId', m.practice_id)), '[]')
              FROM portal.practice_membership m WHERE m.account_id = a.id) AS "practiceRoles"
      FROM portal.session s JOIN portal.account a ON a.id = s.account_id
     WHERE ${condition}
     ORDER BY s.last_seen_at DESC, s.id`
}

type Dependencies = { db: Prisma.TransactionClient; realm: Realm; clock: () => Date }

export function createSessionAdapter({ db, realm, clock }: Dependencies): Adapter {
  const aheadMs = () => Date.now() - clock().getTime()
  const toLuciaTime = (at: Date) => new Date(at.getTime() + aheadMs())
  const fromLuciaTime = (at: Date) => new Date(at.getTime() - aheadMs())

  function toDatabaseSession(sessionId: string, row: FoundSession): DatabaseSession {
    return {
      id: sessionId,
      userId: row.accountId,
      expiresAt: toLuciaTime(row.expiresAt),
      attributes: { row },
    }
  }

  return {
    async getSessionAndUser(sessionId) {
      const [row] = await findSessions(
        db,
        Prisma.sql`s.id_hash = ${hashSessionId(sessionId)} AND s.realm::text = ${realm} AND a.realm = s.realm`,
      )
      if (!row) return [null, null]
      const user: DatabaseUser = { id: row.accountId, attributes: {} }
      // Lucia deletes a session without a user: a disabled account's sessions end on their next use.
      return [toDatabaseSession(sessionId, row), row.disabledAt ? null : user]
    },

    async getUserSessions(userId) {
      const rows = await findSessions(
        db,
        Prisma.sql`s.account_id = ${userId}::uuid AND s.realm::text = ${realm}`,
      )
      return rows.map((row) => toDatabaseSession(row.id, row))
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

    /** Does nothing, because lifetimes are absolute: sessions are never extended. */
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

export const hashSessionId = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('hex')
