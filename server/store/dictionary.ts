/**
 * Coded values as integers, shared by all datasets. Only writers add to it, sorted and before their own
 * transaction, so that two writers never wait for each other; a search looks up and never adds.
 */
import { LRUCache } from 'lru-cache'
import type { CodedValue } from './index-rows.ts'
import { noDataset, type Statements } from './statements.ts'

const cachedEntriesMax = 20_000

export function createDictionary({ run }: Statements) {
  // Hits only: an entry never changes, while a miss may be filled by another process at any time.
  const known = new LRUCache<string, number>({ max: cachedEntriesMax })

  /** @returns the id of every value, adding those the dictionary lacks. */
  async function numbersFor(values: readonly CodedValue[]): Promise<ReadonlyMap<string, number>> {
    const wanted = new Map(values.map((value) => [keyOf(value), value]))
    const missing = [...wanted].filter(([key]) => !known.has(key)).sort(([a], [b]) => (a < b ? -1 : 1))
    if (missing.length > 0) await add(missing.map(([, value]) => value))
    return new Map([...wanted.keys()].map((key) => [key, known.get(key) ?? -1]))
  }

  async function add(values: readonly CodedValue[]): Promise<void> {
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
    for (const row of rows) known.set(keyOf(row), row.id)
  }

  return { numbersFor }
}

export type Dictionary = ReturnType<typeof createDictionary>

/** Stored values cannot contain NUL, so it separates them safely. */
export function keyOf({ parameter, system, code }: CodedValue): string {
  return `${parameter}\0${system}\0${code}`
}
