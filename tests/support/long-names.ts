/** Names as long as they may be, without a place to break, in every list of the demonstration. */
import type pg from 'pg'

/** Wide letters of several scripts; each name stays another one than its neighbor's. */
const longest = 'Ŵ診Ǆ'.repeat(27)

const named = [
  ...['organization', 'practice', 'account', 'client', 'registration'],
  ...['api_key', 'production_key_request', 'sandbox_key_request'],
]

export async function lengthenNames(owner: pg.Pool): Promise<void> {
  for (const table of named)
    await owner.query(`UPDATE portal.${table} SET name = left(left(md5(id::text), 4) || $1, 80)`, [longest])
}
