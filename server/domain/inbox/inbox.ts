/** A person's inbox: the steps of contract/workflows/inbox.ts that they can take in their roles. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { type PageAsk, readPage, searchPatterns } from '../../contract/portal/paging.ts'
import { createStatementNames } from '../../store/statement-names.ts'
import { type EntryRow, type Reader, toEntry } from './entry.ts'
import { type Db, findWaiting, type Within } from './waiting.ts'

export type { InboxEntry } from './entry.ts'

/** The entries, of one organization if it is named, by due date, then the longest waiting first. */
export async function list(db: Db, { ask, ...within }: Within & Readonly<{ ask: PageAsk }>, actor: Reader) {
  const waiting = await findWaiting(db, actor, within)
  const where = Prisma.sql`concat_ws(E'\n', w.name, w.organization_name, w.practice_name, w.asked_by)
    ILIKE ALL (${searchPatterns(ask.q)}::text[])`
  return readPage(
    ask,
    () => countOf(db, waiting, where),
    async ({ skip, take }) => {
      if (waiting === null) return []
      const rows = await queryNamed<EntryRow>(
        db,
        Prisma.sql`
        SELECT w.kind, w.id, w.name, w.state, w.place, w.realm, w.organization_slug AS "organizationSlug",
               w.organization_name AS "organizationName", w.practice_slug AS "practiceSlug",
               w.practice_name AS "practiceName", c.id AS "claimedById", c.name AS "claimedByName",
               coalesce(turn.at, w.updated_at) AS since, w.due_at AS "dueAt", w.asked_by AS "askedBy",
               t.id AS "clientId"
          FROM ${waiting} w
          LEFT JOIN portal.account c ON c.id = w.claimed_by_id
          LEFT JOIN portal.client t
            ON w.kind = 'app_token_errors' AND t.app_id = w.id AND t.environment = 'production'
          LEFT JOIN LATERAL (
            SELECT e.at FROM portal.workflow_event e
             WHERE e.subject_kind = w.kind AND e.subject_id = w.id AND e."to" = w.state
               AND e."from" IS DISTINCT FROM w.state
             ORDER BY e.id DESC LIMIT 1
          ) turn ON true
         WHERE ${where}
         ORDER BY w.due_at ASC NULLS LAST, since, w.id
         LIMIT ${take} OFFSET ${skip}`,
      )
      return rows.map(toEntry)
    },
  )
}

/** The number of entries, for the badge. */
export const count = async (db: Db, within: Within, actor: Reader): Promise<number> =>
  countOf(db, await findWaiting(db, actor, within), Prisma.sql`true`)

async function countOf(db: Db, waiting: Prisma.Sql | null, where: Prisma.Sql): Promise<number> {
  if (waiting === null) return 0
  const sql = Prisma.sql`SELECT count(*)::int AS count FROM ${waiting} w WHERE ${where}`
  const [row] = await queryNamed<{ count: number }>(db, sql)
  return row?.count ?? 0
}

const statementOf = createStatementNames('inbox')

/**
 * Runs a named statement, which PostgreSQL plans once for each connection: planning takes longer than running (5 ms
 * against 0.5). The name is derived from the text, which people with the same roles share.
 */
async function queryNamed<Row extends object>({ pool }: Db, { text, values }: Prisma.Sql): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ ...statementOf(text, text), values })
  return rows
}
