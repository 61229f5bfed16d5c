/** What the database itself needs for rows of the store: the floor of everything that loads them. */
import type pg from 'pg'
import { copyIn } from '../server/store/copy.ts'

const tables = ['resource', 'moment', 'coding', 'name', 'identifier', 'roster', 'link'] as const

type TableRows = { table: string; rows: readonly string[] }

/** The lines COPY would be given, without the dataset. */
export async function rowsOf(pool: pg.Pool, dataset: number): Promise<TableRows[]> {
  const result = []
  for (const table of tables) {
    const { rows: columns } = await pool.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'clinical.${table}'::regclass
       AND attnum > 0 AND NOT attisdropped AND attname <> 'dataset_id' ORDER BY attnum`,
    )
    const names = columns.map(({ name }) => name).join(', ')
    const text = columns.map(({ name }) => `${name}::text`).join(', ')
    const { rows } = await pool.query<unknown[]>({
      text: `SELECT ${text} FROM clinical.${table} WHERE dataset_id = $1`,
      values: [dataset],
      rowMode: 'array',
    })
    result.push({
      table: `clinical.${table} (dataset_id, ${names})`,
      rows: rows.map((row) => row.map(copyField).join('\t')),
    })
  }
  return result
}

function copyField(value: unknown): string {
  return value === null
    ? '\\N'
    : String(value).replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t')
}

/** Into another dataset. */
export async function copyRows(pool: pg.Pool, data: readonly TableRows[], dataset: number): Promise<void> {
  const client = await pool.connect()
  try {
    for (const { table, rows } of data)
      await copyIn(client, table, rows.map((row) => `${dataset}\t${row}\n`).join(''))
  } finally {
    client.release()
  }
}
