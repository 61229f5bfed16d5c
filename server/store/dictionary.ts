/**
 * Maps coded values to integers, for all datasets. Writers add values in sorted order before their own transaction, so
 * that they never deadlock. Searches only look values up.
 */
import { LRUCache } from 'lru-cache'
import type { CodedValue } from './index-rows.ts'
import { noDataset, type Statements } from './statements.ts'

const cachedEntriesMax = 20_000

export function createDictionary({ run }: Statements) {
  // Misses are not cached, because another process may add the value at any time. Entries never change.
  const known = new LRUCache<string, number>({ max: cachedEntriesMax })

  /** @returns the id of every value, adding those the dictionary lacks. */
  async function numbersFor(values: readonly CodedValue[]): Promise<ReadonlyMap<string, number>> {
    const numbers = new Map<string, number>()
    const missing = new Map<string, CodedValue>()
    for (const value of values) {
      const key = keyOf(value)
      const number = known.get(key)
      if (number === undefined) missing.set(key, value)
      else numbers.set(key, number)
    }
    if (missing.size === 0) return numbers
    const sorted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1))
    // The result does not read from the cache, which may evict the first of many values before the last is added.
    for (const [key, id] of await add(sorted.map(([, value]) => value))) {
      known.set(key, id)
      numbers.set(key, id)
    }
    return numbers
  }

  async function add(values: readonly CodedValue[]): Promise<[string, number][]> {
    const columns = [
      values.map((value) => value.parameter),
      values.map((value) => value.system),
      values.map((value) => value.code),
    ]
    await run(noDataset, {
      name: 'dictionary:add',
      text: `INSERT INTO clinical.dictionary (parameter, system, code)
             SELECT v.* FROM unnest($1::smallint[], $2::text[], $3::text[]) AS v (parameter, system, code)
             WHERE NOT EXISTS (SELECT 1 FROM clinical.dictionary d
                               WHERE (d.parameter, d.system, d.code) = (v.parameter, v.system, v.code))
             ON CONFLICT DO NOTHING`,
      values: columns,
    })
    const { rows } = await run<CodedValue & { id: number }>(noDataset, {
      name: 'dictionary:read',
      text: `SELECT d.id, d.parameter, d.system, d.code
             FROM unnest($1::smallint[], $2::text[], $3::text[]) AS v (parameter, system, code)
             JOIN clinical.dictionary d USING (parameter, system, code)`,
      values: columns,
    })
    return rows.map((row) => [keyOf(row), row.id])
  }

  return { numbersFor }
}

export type Dictionary = ReturnType<typeof createDictionary>

/** Stored values cannot contain NUL, so it separates them safely. */
export function keyOf({ parameter, system, code }: CodedValue): string {
  return `${parameter}\0${system}\0${code}`
}
