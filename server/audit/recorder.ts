/**
 * Writes the activity log and the practice's record of access by group commit: one batch in flight on a
 * connection of its own. What is served is awaited before the first byte leaves, and fails closed; what
 * is refused is queued and answered at once.
 */
import pg from 'pg'
import { Problem } from '../contract/problems.ts'
import { type AccessRecord, type CountedRecord, insertRecords, type LogRecord } from './log-rows.ts'
import { createRefusalQueue } from './refusal-queue.ts'

export type Recorder = {
  /**
   * Resolves when the record is committed.
   * @throws Problem `unavailable` when it could not be: nothing of the answer may leave then
   */
  commit(record: LogRecord | AccessRecord): Promise<void>
  /** Takes a refusal to be written soon. Never waits, never throws. */
  note(record: LogRecord): void
  /** Resolves when nothing waits, which may take until the database is back. */
  flush(): Promise<void>
  state(): { connected: boolean; waiting: number }
  /** Writes what waits, at most `withinMs`, and lets the connection go. */
  close(withinMs?: number): Promise<void>
}

type RecorderDependencies = {
  connectionString: string
  log: { error(fields: object, message: string): void }
  /** Served requests waiting at most; one more is refused with 503. */
  waitingMax?: number
  batchMax?: number
}

type Waiting = { record: LogRecord | AccessRecord; resolve: () => void; reject: (problem: Problem) => void }

const statementMs = 5_000
const connectMs = 2_000
/** After a failed attempt to connect: how long until the next one. */
const pauseMs = 200

export function createRecorder({
  connectionString,
  log,
  waitingMax = 5_000,
  batchMax = 1_000,
}: RecorderDependencies): Recorder {
  const served: Waiting[] = []
  const refused = createRefusalQueue()
  let client: pg.Client | null = null
  let pausedUntil = 0
  let running: Promise<void> | null = null
  let retry: NodeJS.Timeout | null = null
  let closed = false
  let abandoned = false

  function commit(record: LogRecord | AccessRecord): Promise<void> {
    if (closed) return Promise.reject(unavailable('recorder is closed'))
    if (served.length >= waitingMax) return Promise.reject(unavailable('recorder queue is full'))
    return new Promise((resolve, reject) => {
      served.push({ record, resolve, reject })
      run()
    })
  }

  function note(record: LogRecord): void {
    refused.add(record)
    run()
  }

  function run(): void {
    running ??= work().finally(() => {
      running = null
      // What came while the last batch was being given up.
      if (served.length > 0) run()
    })
  }

  async function work(): Promise<void> {
    while (served.length > 0 || refused.size > 0) {
      const connection = await connect()
      if (connection === null) {
        rejectAll(served.splice(0), 'log database unreachable')
        if (!closed && refused.size > 0) retryLater()
        return
      }
      const batch = served.splice(0, batchMax)
      const refusals = refused.drain(batchMax)
      await write(connection, batch, refusals)
    }
  }

  function retryLater(): void {
    if (retry !== null) return
    retry = setTimeout(() => {
      retry = null
      run()
    }, pauseMs).unref()
  }

  async function write(connection: pg.Client, batch: Waiting[], refusals: CountedRecord[]): Promise<void> {
    const records = [...batch.map(({ record }) => ({ ...record, count: 1 })), ...refusals]
    try {
      await connection.query(insertRecords(records))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (isRefusedData(error) && records.length > 1) {
        // One row is at fault. Halves of halves find it, so that the others are written and served.
        for (const [servedHalf, refusedHalf] of halve(batch, refusals))
          await write(connection, servedHalf, refusedHalf)
        return
      }
      log.error(
        { err: error, served: batch.length, refused: refusals.length },
        'activity could not be written',
      )
      rejectAll(batch, 'activity could not be written')
      // A row that the database will never take must not come back for ever.
      if (isRefusedData(error)) return
      refused.restore(refusals)
      if (client === connection) client = null
      connection.end().catch(() => {})
    }
  }

  async function connect(): Promise<pg.Client | null> {
    if (client !== null) return client
    if (performance.now() < pausedUntil) return null
    const next = new pg.Client({
      connectionString,
      application_name: 'sandpiper-recorder',
      statement_timeout: statementMs,
      query_timeout: statementMs + 1_000,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    })
    // Without a listener the loss of an idle connection would end the process.
    next.on('error', () => {
      if (client === next) client = null
    })
    next.on('end', () => {
      if (client === next) client = null
    })
    try {
      await next.connect()
      client = next
      return next
    } catch (error) {
      pausedUntil = performance.now() + pauseMs
      log.error({ err: error }, 'no database connection for the activity log')
      next.end().catch(() => {})
      return null
    }
  }

  async function flush(): Promise<void> {
    while (!abandoned) {
      if (running !== null) await running
      else if (served.length === 0 && refused.size === 0) return
      else {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        run()
      }
    }
  }

  async function close(withinMs = 5_000): Promise<void> {
    closed = true
    run()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs)
    })
    await Promise.race([flush(), timeout])
    clearTimeout(timer)
    abandoned = true
    rejectAll(served.splice(0), 'recorder is closed')
    if (refused.size > 0) log.error({ refused: refused.size }, 'refusals were not written before the end')
    const last = client
    client = null
    await last?.end().catch(() => {})
  }

  const state = () => ({ connected: client !== null, waiting: served.length + refused.size })

  return { commit, note, flush, state, close }
}

/** Two parts, neither empty, of two or more rows: what was served apart from what was refused, else the middle. */
function halve(batch: Waiting[], refusals: CountedRecord[]): [Waiting[], CountedRecord[]][] {
  if (batch.length > 0 && refusals.length > 0)
    return [
      [batch, []],
      [[], refusals],
    ]
  const middle = Math.ceil(Math.max(batch.length, refusals.length) / 2)
  return [
    [batch.slice(0, middle), refusals.slice(0, middle)],
    [batch.slice(middle), refusals.slice(middle)],
  ]
}

function rejectAll(waiting: readonly Waiting[], detail: string): void {
  for (const { reject } of waiting) reject(unavailable(detail))
}

function unavailable(detail: string): Problem {
  return new Problem('unavailable', { detail, retryAfterSeconds: 1 })
}

/** Classes 22 and 23: the values themselves are at fault, not the connection. */
function isRefusedData(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return /^2[23]/.test(code)
}
