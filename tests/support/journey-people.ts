/** People for journeys that are not about signing up: accounts whose address is confirmed already. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createPasswords } from '../../server/auth/password.ts'
import type { Realm } from '../../server/contract/realms.ts'

export type Person = { accountId: string; name: string; email: string; password: string }

const password = 'seven quiet herons wading'
let passwordHash: Promise<string> | undefined

/** A mail address nobody had before in this run. */
export function newAddress(name: string): string {
  const [first = 'robin'] = name.toLowerCase().split(' ')
  return `${first}.${randomBytes(4).toString('hex')}@samplewood.example`
}

/** A developer with a confirmed address, in no organization yet. */
export function addDeveloper(owner: pg.Pool, name = 'Robin Testwell'): Promise<Person> {
  return addPerson(owner, { realm: 'developer', name })
}

/** Someone of the operations staff. */
export function addOps(owner: pg.Pool, name = 'Odell Placeholder'): Promise<Person> {
  return addPerson(owner, { realm: 'staff', name, staffRole: 'ops' })
}

/** Someone whose address is confirmed, at the front door of a realm. */
export async function addPerson(
  owner: pg.Pool,
  { realm, name, staffRole = null }: { realm: Realm; name: string; staffRole?: 'reviewer' | 'ops' | null },
): Promise<Person> {
  passwordHash ??= createPasswords().hash(password)
  const email = newAddress(name)
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO portal.account (id, realm, email, name, password_hash, email_verified_at, staff_role, created_at)
     VALUES (gen_random_uuid(), $1::portal.realm, $2, $3, $4, now(), $5::portal.staff_role, now()) RETURNING id`,
    [realm, email, name, await passwordHash, staffRole],
  )
  return { accountId: rows[0]?.id ?? '', name, email, password }
}
