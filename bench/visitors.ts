import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashSessionId } from '../server/auth/session-adapter.ts'

/** A signed-in browser of a person of the demonstration. */
export type Visitor = {
  /** Of the first page that the person sees. */
  path: string
  headers: { cookie: string; 'x-forwarded-for': string }
}

export const realms = ['developer', 'staff', 'practice'] as const
type Realm = (typeof realms)[number]

export type Visitors = Readonly<Record<Realm, readonly Visitor[]>>

const VISITORS = 200
/** Of session ids: base32, in lower case. */
const sessionAlphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Who has the most to see. */
const people: Record<Realm, string> = {
  developer: `SELECT '/organizations/' || o.slug AS path, m.account_id AS account
     FROM portal.organization o JOIN portal.membership m ON m.organization_id = o.id
     ORDER BY (SELECT count(*) FROM portal.api_key k WHERE k.organization_id = o.id) DESC, m.role LIMIT 1`,
  staff: `SELECT '/staff' AS path, id AS account FROM portal.account
     WHERE realm = 'staff' AND staff_role = 'reviewer' AND disabled_at IS NULL ORDER BY created_at, id LIMIT 1`,
  practice: `SELECT '/practice' AS path, m.account_id AS account
     FROM portal.practice_membership m JOIN portal.practice p ON p.id = m.practice_id
     WHERE m.role = 'admin' AND p.slug = 'harbor-family'
     ORDER BY m.account_id LIMIT 1`,
}

/**
 * Sessions of one person of each realm, each in a browser and at an address of its own, so that no limit is reached. They
 * exist in this process alone.
 * @param owner acts as the owner of the tables
 */
export async function makeVisitors(owner: pg.Pool): Promise<Visitors> {
  const [developer, staff, practice] = await Promise.all(realms.map((realm) => makeRealm(owner, realm)))
  return { developer, staff, practice } as Visitors
}

async function makeRealm(owner: pg.Pool, realm: Realm): Promise<Visitor[]> {
  const { rows } = await owner.query<{ path: string; account: string }>(people[realm])
  const [person] = rows
  if (!person)
    throw new Error(`the demonstration has no person of the realm ${realm}: the seed made no history`)
  const visitors: Visitor[] = []
  for (let at = 0; at < VISITORS; at++) {
    const id = Array.from(randomBytes(52), (byte) => sessionAlphabet[byte % 32]).join('')
    const address = `198.20.${realms.indexOf(realm)}.${at}`
    await owner.query(
      `INSERT INTO portal.session (id_hash, id, realm, account_id, created_at, authenticated_at, last_seen_at,
         expires_at, ip, user_agent, second_factor_at)
       VALUES ($1, $2, $5, $3, now(), now(), now(), now() + interval '1 day', $4, 'bench', now())`,
      [hashSessionId(id), randomUUID(), person.account, address, realm],
    )
    visitors.push({
      path: person.path,
      headers: { cookie: `sandpiper-${realm}=${id}`, 'x-forwarded-for': address },
    })
  }
  return visitors
}
