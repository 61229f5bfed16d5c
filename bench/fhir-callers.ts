import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { hashToken, randomToken } from '../server/auth/random-token.ts'

/** A clinician's token, which may name any patient of its practice. */
export type FhirCaller = {
  /** Path of the practice's FHIR base. */
  base: string
  headers: { authorization: string; 'x-forwarded-for': string }
}

const TOKENS_PER_PRACTICE = 4

/**
 * Access tokens of many practices that share one dataset, each called from an address of its own: a benchmark is
 * spread over the real limits. The tokens exist in this process alone.
 * @param owner acts as the owner of the tables
 * @param slugs of practices that are there
 */
export async function makeFhirCallers(owner: pg.Pool, slugs: readonly string[]): Promise<FhirCaller[]> {
  const scope = 'user/*.rs'
  const client = `bench-${randomUUID()}`
  await owner.query(
    `INSERT INTO portal.client (id, app_id, environment, audience, authentication, name, redirect_uris, scope,
       every_practice, created_at)
     VALUES ($1, $2, 'sandbox', 'clinician', 'none', 'Bench', '{}', $3, true, now())`,
    [client, randomUUID(), scope],
  )
  const clinician = await addClinician(owner, slugs)
  const callers: FhirCaller[] = []
  for (let count = 0; count < TOKENS_PER_PRACTICE; count++) {
    for (const slug of slugs) {
      const token = randomToken('access_token', randomBytes)
      const grant = randomUUID()
      await owner.query(
        `INSERT INTO portal."grant" (id, client_id, practice_id, audience, account_id, scope, created_at, activated_at)
         SELECT $1, $2, p.id, 'clinician', $3, $4, now(), now() FROM portal.practice p WHERE p.slug = $5`,
        [grant, client, clinician, scope, slug],
      )
      await owner.query(
        `INSERT INTO portal.access_token (id, token_hash, grant_id, scope, created_at, expires_at)
         VALUES ($1, $2, $3, $4, now(), now() + interval '1 day')`,
        [randomUUID(), hashToken(token), grant, scope],
      )
      const address = `198.18.${Math.floor(callers.length / 250)}.${callers.length % 250}`
      callers.push({
        base: `/r4/${slug}`,
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
      })
    }
  }
  return callers
}

/** Somebody who agreed, and works at all of them. @returns the account */
async function addClinician(owner: pg.Pool, slugs: readonly string[]): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `INSERT INTO portal.account (id, realm, email, name, password_hash, created_at)
     VALUES ($1, 'practice', $2, 'Bench Placeholder', 'none', now())`,
    [id, `${id}@people.example`],
  )
  await owner.query(
    `INSERT INTO portal.practice_membership (practice_id, account_id, role, created_at)
     SELECT p.id, $1, 'clinician', now() FROM portal.practice p WHERE p.slug = ANY ($2)`,
    [id, slugs],
  )
  return id
}
