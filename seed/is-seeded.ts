/** Checks whether there is anything to seed. It runs at every start, so it loads little and uses one statement. */
import type pg from 'pg'
import { demoPeople, sampleAppIds } from './demo-people.ts'
import { practices } from './practices.ts'

/**
 * Whether the practices are completely seeded; all of the table by default.
 * @param options.demo also checks the demonstration accounts with their organizations, practices, patients and apps
 */
export async function isSeeded(
  pool: pg.Pool,
  { demo, slugs = practices.map(({ slug }) => slug) }: { demo: boolean; slugs?: readonly string[] },
): Promise<boolean> {
  const { rows } = await pool.query<{ found: number[] }>(
    `WITH person AS (
       SELECT a.id FROM portal.account a JOIN unnest($2::text[], $3::text[]) AS w (realm, email)
         ON a.realm::text = w.realm AND a.email = w.email AND a.is_demo
     )
     SELECT ARRAY[
       (SELECT count(*) FROM portal.practice p JOIN clinical.dataset d ON d.id = p.dataset_id
          WHERE p.slug = ANY ($1) AND d.state = 'ready'),
       (SELECT count(*) FROM person),
       (SELECT count(*) FROM portal.practice_membership m JOIN person ON person.id = m.account_id),
       (SELECT count(*) FROM portal.patient_login l JOIN person ON person.id = l.account_id),
       (SELECT count(*) FROM portal.practice p JOIN portal.organization o ON o.id = p.organization_id
          JOIN person ON person.id = o.created_by_id),
       (SELECT count(*) FROM portal.client WHERE id = ANY ($4)),
       (SELECT count(*) FROM portal.demonstration WHERE state <> 'begun')
     ]::int[] AS found`,
    [slugs, demoPeople.map((person) => person.realm), demoPeople.map((person) => person.email), sampleAppIds],
  )
  const wanted = [slugs.length, ...(demo ? demoRows() : [])]
  return wanted.every((count, position) => (rows[0]?.found[position] ?? 0) >= count)
}

/** The expected counts in the order of the statement. */
function demoRows(): number[] {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  return [
    demoPeople.length,
    sum(demoPeople.map((person) => person.practiceRoles?.length ?? 0)),
    sum(demoPeople.map((person) => person.patients?.length ?? 0)),
    demoPeople.filter((person) => person.organization).length,
    sampleAppIds.length,
    // The state of the history.
    1,
  ]
}
