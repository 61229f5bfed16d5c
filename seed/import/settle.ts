/**
 * Decides which resources of a load are already stored. Each was taken for the stored one whose text it equals; that
 * holds only while its references lead to the same resources. If its person gets another id here, it is hers, not the
 * stored person's.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../../server/contract/fhir/registry.ts'

const types = Object.entries(fhirTypeNumbers).map(([name, number]) => `(${number}, '${name}')`)

/** Where a key leads, in the order of `resolve`. */
const addressOf = (key: string) => `coalesce(
    (SELECT t.name || '/' || s.id FROM import_key k JOIN import_source s USING (n) JOIN types t ON t.type = s.type
     WHERE k.key = ${key} AND s.reason IS NULL ORDER BY (k.file <> f.file), k.n LIMIT 1),
    (SELECT t.name || '/' || o.id FROM import_outside o JOIN types t ON t.type = o.type WHERE o.key = ${key}))`

const moved = `WITH types (type, name) AS (VALUES ${types.join()}), moved AS (
    SELECT DISTINCT ON (r.n) r.n, r.expected FROM import_reference r JOIN import_source f USING (n)
    WHERE r.expected IS NOT NULL
      AND coalesce(${addressOf('r.exact')}, ${addressOf('r.key')}) IS DISTINCT FROM r.expected
    ORDER BY r.n, r.expected)`

/**
 * A resource that was only equal in text becomes one to load, under its spare id. One that an earlier import brought
 * is refused, and nothing is taken away from whom it belongs to.
 * @returns of each type, how many are not stored after all
 */
export async function settle(client: pg.PoolClient): Promise<{ type: FhirType; count: number }[]> {
  const counts = new Map<number, number>()
  for (;;) {
    // A change may move what refers to it, so it is asked again until nothing moves.
    const { rows } = await client.query<{ type: number }>(
      `${moved}, unexpected AS (
         UPDATE import_reference r SET expected = NULL FROM moved m WHERE r.n = m.n)
       UPDATE import_source s SET
         id = coalesce(s.spare_id, s.id),
         task = CASE WHEN s.spare_id IS NULL THEN s.task ELSE 'load' END,
         reason = CASE WHEN s.spare_id IS NULL
           THEN 'was imported before and referred to ' || left(m.expected, 120) || ' of this practice' END
       FROM moved m WHERE s.n = m.n
       RETURNING s.type`,
    )
    if (rows.length === 0) break
    for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return [...counts].map(([type, count]) => ({ type: fhirTypeOf(type), count }))
}
