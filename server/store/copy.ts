/**
 * `COPY … FROM STDIN` on a connection of the pool, https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY .
 * The statement contains only table and column names from our code. Values are escaped here and sent as data.
 */
import type pg from 'pg'

/** The connection that `pg` passes to a custom query. Its types do not include COPY. */
interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

export type CopyValue = string | number | null
/** All lines as one text, or in pieces. */
export type CopyLines = string | readonly Buffer[]

/** @param table with its columns: `clinical.name (dataset_id, type)` */
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
      // The driver forgets a query that failed: it gets no further messages.
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

// `COPY … TO STDOUT`, unescaped. The database sends no faster than the sink accepts lines.
// https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS

/** Receives complete lines. The database sends no more until the promise resolves. */
export type LineSink = (lines: Buffer, rows: number) => Promise<void>

interface CopyOutConnection {
  query(text: string): void
  stream: { pause(): void; resume(): void }
}

const batchBytes = 256 * 1024
const backslash = 0x5c

/**
 * @param text a COPY statement of one text column that contains only integers and names from our code
 * @returns the number of rows that PostgreSQL reports. Rejects with PostgreSQL's or the sink's error
 */
export function copyOut(client: pg.Client, text: string, sink: LineSink): Promise<number> {
  return new Promise((resolve, reject) => {
    let batch = Buffer.allocUnsafe(batchBytes)
    let used = 0
    let rows = 0
    let sent = 0
    let failure: Error | undefined
    let connection: CopyOutConnection
    let flushing: Promise<void> = Promise.resolve()
    let pending = 0

    function flush(): void {
      if (used === 0 || failure) return
      const lines = batch.subarray(0, used)
      const count = rows
      batch = Buffer.allocUnsafe(batchBytes)
      used = 0
      rows = 0
      pending += 1
      connection.stream.pause()
      flushing = flushing
        .then(() => (failure ? undefined : sink(lines, count)))
        .catch((error: Error) => {
          failure ??= error
        })
        .then(() => {
          pending -= 1
          if (pending === 0) connection.stream.resume()
        })
    }

    function take(chunk: Buffer): void {
      if (failure) return
      if (used + chunk.length > batch.length) {
        flush()
        if (chunk.length > batch.length) batch = Buffer.allocUnsafe(chunk.length)
      }
      try {
        used = unescapeInto(chunk, batch, used)
      } catch (error) {
        failure = error as Error
      }
      rows += 1
    }

    function end(): void {
      flush()
      void flushing.then(() => (failure ? reject(failure) : resolve(sent)))
    }

    const query = {
      submit: (opened: CopyOutConnection) => {
        connection = opened
        opened.query(text)
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => take(chunk),
      handleCommandComplete: ({ text: tag }: { text: string }) => {
        sent = Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? Number.NaN)
      },
      handleReadyForQuery: end,
      handleError: (error: Error) => reject(failure ?? error),
      ...unusedMessages,
    }
    client.query(query as unknown as pg.Submittable)
  })
}

/** Each text is one line of JSON, in which COPY escapes only the backslash. @returns the end of the bytes in `target` */
function unescapeInto(chunk: Buffer, target: Buffer, at: number): number {
  let from = 0
  let end = at
  for (let next = chunk.indexOf(backslash); next >= 0; next = chunk.indexOf(backslash, from)) {
    if (chunk[next + 1] !== backslash) throw new Error('a stored text holds a control character')
    end += chunk.copy(target, end, from, next + 1)
    from = next + 2
  }
  return end + chunk.copy(target, end, from)
}

/** Handlers that `pg` calls on every query and that COPY does not need. */
const ignore = () => {}

export const unusedMessages = {
  handleRowDescription: ignore,
  handleDataRow: ignore,
  handleEmptyQuery: ignore,
  handlePortalSuspended: ignore,
  callback: ignore,
} as const
