import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashSessionId } from '../server/auth/session-adapter.ts'

/** A signed-in browser of a member of the demonstration's organization. */
export type Visitor = {
  /** Of the dashboard. */
  path: string
  headers: { cookie: string; 'x-forwarded-for': string }
}

const VISITORS = 200
/** Of session ids: base32, in lower case. */
const sessionAlphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * Sessions of one account, each in a browser and at an address of its own, so that no limit is reached. They exist in
 * this process alone.
 * @param owner acts as the owner of the tables
 */
export async function makeVisitors(owner: pg.Pool): Promise<Visitor[]> {
  const { rows } = await owner.query<{ slug: string; account: string }>(
    `SELECT o.slug, m.account_id AS account
     FROM portal.organization o JOIN portal.membership m ON m.organization_id = o.id
     ORDER BY (SELECT count(*) FROM portal.api_key k WHERE k.organization_id = o.id) DESC, m.role LIMIT 1`,
  )
  const [member] = rows
  if (!member) throw new Error('the demonstration has no organization: the seed made no history')
  const visitors: Visitor[] = []
  for (let at = 0; at < VISITORS; at++) {
    const id = Array.from(randomBytes(52), (byte) => sessionAlphabet[byte % 32]).join('')
    const address = `198.20.0.${at}`
    await owner.query(
      `INSERT INTO portal.session (id_hash, id, realm, account_id, created_at, authenticated_at, last_seen_at,
         expires_at, ip, user_agent)
       VALUES ($1, $2, 'developer', $3, now(), now(), now(), now() + interval '1 day', $4, 'bench')`,
      [hashSessionId(id), randomUUID(), member.account, address],
    )
    visitors.push({
      path: `/organizations/${member.slug}`,
      headers: { cookie: `sandpiper-developer=${id}`, 'x-forwarded-for': address },
    })
  }
  return visitors
}
