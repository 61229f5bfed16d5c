/**
 * `COPY … TO STDOUT` with its escapes undone, as fast as the sink takes it.
 * https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
import type pg from 'pg'
import { unusedMessages } from './copy-protocol.ts'

/** Takes whole lines; a promise holds up the database until it is kept. */
export type LineSink = (lines: Buffer, rows: number) => Promise<void>

interface CopyOutConnection {
  query(text: string): void
  stream: { pause(): void; resume(): void }
}

const batchBytes = 256 * 1024
const backslash = 0x5c

/**
 * @param text a COPY statement of one text column; made of integers and names of this program alone
 * @returns rows that PostgreSQL says it has sent. Rejects with its error or the sink's
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
      submit: (its: CopyOutConnection) => {
        connection = its
        its.query(text)
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

/** Texts are one line of JSON: the backslash alone is ever escaped. @returns the end of what was written */
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
