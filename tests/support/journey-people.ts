/** People for journeys that are not about signing up: accounts whose address is confirmed already. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createPasswords } from '../../server/auth/password.ts'
import type { Realm } from '../../server/contract/portal/realms.ts'

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

/** Someone whose address is confirmed, at the sign-in page of a realm. */
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

/** The practice whose people the seed's cast is about. */
export const shownPractice = 'sandpiper-demonstration'

/** Somebody who acts for patients of the shown practice: themselves first, then their children. */
export async function addPatient(
  owner: pg.Pool,
  patientIds: readonly string[] = ['pt-wren-testwell'],
): Promise<Person> {
  const person = await addPerson(owner, { realm: 'patient', name: 'Wren Testwell' })
  for (const [place, patientId] of patientIds.entries()) {
    await owner.query(
      `INSERT INTO portal.patient_login (practice_id, account_id, patient_id, relationship, created_at)
       SELECT id, $2, $3, $4, now() + $5 * interval '1 ms' FROM portal.practice WHERE slug = $1`,
      [shownPractice, person.accountId, patientId, place === 0 ? 'self' : 'parent', place],
    )
  }
  return person
}

/** Somebody who works at the shown practice. */
export async function addPracticePerson(
  owner: pg.Pool,
  role: 'admin' | 'signatory' | 'clinician',
): Promise<Person> {
  const name = role === 'clinician' ? 'Ines Placeholder' : 'Theo Placeholder'
  const person = await addPerson(owner, { realm: 'practice', name })
  await owner.query(
    `INSERT INTO portal.practice_membership (practice_id, account_id, role, practitioner_id, created_at)
     SELECT id, $2, $3::portal.practice_role, $4, now() FROM portal.practice WHERE slug = $1`,
    [shownPractice, person.accountId, role, role === 'clinician' ? 'pr-ines-placeholder' : null],
  )
  return person
}

type ProductionPractice = { slug: string; name: string }

/** A practice in production with the records of the cast, and people in its roles. */
export async function addProductionPractice(
  owner: pg.Pool,
  { slug, name }: ProductionPractice,
  people: readonly (readonly [Person, 'admin' | 'signatory'])[],
): Promise<void> {
  await owner.query(
    `INSERT INTO portal.practice (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     SELECT gen_random_uuid(), $1, $3, 'production', true, true, 'office', dataset_id, now()
       FROM portal.practice WHERE slug = $2`,
    [slug, shownPractice, name],
  )
  for (const [person, role] of people)
    await owner.query(
      `INSERT INTO portal.practice_membership (practice_id, account_id, role, created_at)
       SELECT id, $2, $3::portal.practice_role, now() FROM portal.practice WHERE slug = $1`,
      [slug, person.accountId, role],
    )
}

/** Gives an organization a confirmed domain. @param home its address, below the origin */
export async function addDomain(owner: pg.Pool, home: string, domain: string): Promise<void> {
  await owner.query(
    `INSERT INTO portal.organization_domain (id, organization_id, domain, mailbox, requested_by_id, requested_at, verified_at)
     SELECT gen_random_uuid(), id, $2, 'security', created_by_id, now(), now()
       FROM portal.organization WHERE slug = $1`,
    [home.split('/').at(-1), domain],
  )
}
