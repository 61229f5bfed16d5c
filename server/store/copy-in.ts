/**
 * `COPY … FROM STDIN` on a connection of the pool, https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY .
 * The statement's text is made of names of this program alone; values travel in the data, escaped here.
 */
import type pg from 'pg'
import { unusedMessages } from './copy-protocol.ts'

/** What `pg` passes to a query of our own making; it has no types for COPY. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

export type CopyValue = string | number | null
/** Whole or in pieces. */
export type CopyLines = string | readonly Buffer[]

/** @param table with its columns, `clinical.name (dataset_id, type)`. Rejects with PostgreSQL's error. */
export function copyIn(client: pg.PoolClient, table: string, lines: CopyLines): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      submit: (connection: CopyConnection) => connection.query(`COPY ${table} FROM STDIN`),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const piece of typeof lines === 'string' ? [Buffer.from(lines)] : lines) {
          connection.sendCopyFromChunk(piece)
        }
        connection.endCopyFrom()
      },
      // The driver forgets a query that failed: it is told of no more.
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCommandComplete: () => {},
      ...unusedMessages,
    }
    client.query(query as unknown as pg.Submittable)
  })
}

const special = /[\\\n\r\t]/
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One row as a line of COPY's text format. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(field).join('\t')}\n`
}

function field(value: CopyValue): string {
  if (value === null) return '\\N'
  const text = String(value)
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character] as string) : text
}
