/** People for journeys that are not about signing up: accounts whose address is confirmed already. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createPasswords } from '../../server/auth/password.ts'

export type Person = { accountId: string; name: string; email: string; password: string }

const password = 'seven quiet herons wading'
let passwordHash: Promise<string> | undefined

/** A mail address nobody had before in this run. */
export function newAddress(name: string): string {
  const [first = 'robin'] = name.toLowerCase().split(' ')
  return `${first}.${randomBytes(4).toString('hex')}@samplewood.example`
}

/** A developer with a confirmed address, in no organization yet. */
export async function addDeveloper(owner: pg.Pool, name = 'Robin Testwell'): Promise<Person> {
  passwordHash ??= createPasswords().hash(password)
  const email = newAddress(name)
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO portal.account (id, realm, email, name, password_hash, email_verified_at, created_at)
     VALUES (gen_random_uuid(), 'developer', $1, $2, $3, now(), now()) RETURNING id`,
    [email, name, await passwordHash],
  )
  return { accountId: rows[0]?.id ?? '', name, email, password }
}

/** Someone of the operations staff. */
export async function addOps(owner: pg.Pool, name = 'Odell Placeholder'): Promise<Person> {
  passwordHash ??= createPasswords().hash(password)
  const email = newAddress(name)
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO portal.account (id, realm, email, name, password_hash, email_verified_at, staff_role, created_at)
     VALUES (gen_random_uuid(), 'staff', $1, $2, $3, now(), 'ops', now()) RETURNING id`,
    [email, name, await passwordHash],
  )
  return { accountId: rows[0]?.id ?? '', name, email, password }
}
