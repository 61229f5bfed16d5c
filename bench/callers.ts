import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { makeKey, prefixOf } from '../server/contract/keys/key-format.ts'

export type Caller = {
  /** Of its practice. */
  slug: string
  headers: { authorization: string }
}

const KEYS_PER_PRACTICE = 4
const KEY_DAYS = 90

/** Whose records they reach, and what they may do there. */
export type CallerKind = Readonly<{
  slug: string
  records: 'sandpiper-demonstration' | 'harbor-family'
  level: 'read_only' | 'full'
}>

/**
 * Keys of many practices that share one dataset, which spreads a benchmark over the real limits instead of
 * lifting them. The keys exist in this process alone.
 * @param owner acts as the owner of the tables
 * @param practices how many practices to make
 */
export async function makeCallers(
  owner: pg.Pool,
  practices: number,
  { slug, records, level }: CallerKind,
): Promise<Caller[]> {
  const { rows } = await owner.query<{ dataset: number; account: string }>(
    `SELECT p.dataset_id AS dataset, a.id AS account FROM portal.practice p, portal.account a
     WHERE p.slug = $1 ORDER BY a.id LIMIT 1`,
    [records],
  )
  const [seeded] = rows
  if (!seeded) throw new Error(`the database has no practice ${records}: the seed did not run`)
  const slugs = Array.from({ length: practices }, (_, index) => `${slug}-${index}`)
  await addPractices(owner, slugs, () => seeded.dataset)
  return makeKeys(owner, slugs, { account: seeded.account, level, keysPerPractice: KEYS_PER_PRACTICE })
}

/** Practices of the sandbox, each on the dataset that `datasetOf` names. */
export async function addPractices(
  owner: pg.Pool,
  slugs: readonly string[],
  datasetOf: (index: number) => number,
): Promise<void> {
  for (const [index, slug] of slugs.entries())
    await owner.query(
      `INSERT INTO portal.practice
         (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
       VALUES ($1, $2, $3, 'sandbox', true, false, 'office', $4, now())`,
      [randomUUID(), slug, `Bench Practice ${index}`, datasetOf(index)],
    )
}

/** @param account that made them */
export async function makeKeys(
  owner: pg.Pool,
  slugs: readonly string[],
  { account, level, keysPerPractice }: { account: string; level: string; keysPerPractice: number },
): Promise<Caller[]> {
  const callers: Caller[] = []
  for (const slug of slugs)
    for (let count = 0; count < keysPerPractice; count++) {
      const key = makeKey('sandbox', randomBytes)
      await owner.query(
        `INSERT INTO portal.api_key
           (id, prefix, secret_hash, name, level, environment, practice_id, created_by_id, created_at, expires_at)
         SELECT $1, $2, $3, $4, $5, 'sandbox', p.id, $6, now(), now() + make_interval(days => $7)
         FROM portal.practice p WHERE p.slug = $8`,
        [
          randomUUID(),
          prefixOf(key),
          createHash('sha256').update(key).digest(),
          `bench ${count}`,
          level,
          account,
          KEY_DAYS,
          slug,
        ],
      )
      callers.push({ slug, headers: { authorization: `Bearer ${key}` } })
    }
  // In turn, not practice by practice: a burst is spread, too.
  return callers.sort((a, b) => a.headers.authorization.localeCompare(b.headers.authorization))
}
