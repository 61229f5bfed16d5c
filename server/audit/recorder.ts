/**
 * Writes the activity log and the practices' access record by group commit: one batch at a time on its own connection.
 * Served requests wait for their rows before the first byte is sent, and fail if these cannot be written. Rows of refused
 * requests are queued.
 */
import type pg from 'pg'
import { Problem } from '../contract/http/problems.ts'
import { createStandingConnection } from '../store/standing-connection.ts'
import { type AccessRecord, type CountedRecord, insertRecords, type LogRecord } from './log-rows.ts'

export type Recorder = ReturnType<typeof createRecorder>

type RecorderDependencies = {
  connectionString: string
  log: { error(fields: object, message: string): void }
  /** The most served requests that may wait. Further ones get 503. */
  waitingMax?: number
}

type Waiting = { record: LogRecord | AccessRecord; resolve: () => void; reject: (problem: Problem) => void }

const statementMs = 5_000
/** The most records in one statement. */
const batchMax = 1_000
/** The time between attempts to write refusals without a connection. */
const pauseMs = 200

export function createRecorder({ connectionString, log, waitingMax = 5_000 }: RecorderDependencies) {
  const served: Waiting[] = []
  const refused = createRefusalQueue()
  const connection = createStandingConnection({
    connectionString,
    applicationName: 'sandpiper-recorder',
    log: { warn: (fields) => log.error(fields, 'no database connection for the activity log') },
    statementTimeoutMs: statementMs,
  })
  let running: Promise<void> | null = null
  let retry: NodeJS.Timeout | null = null
  let closed = false
  let abandoned = false

  /**
   * Resolves when the record is committed.
   * @throws Problem `unavailable` if that failed: then nothing of the response may be sent
   */
  function commit(record: LogRecord | AccessRecord): Promise<void> {
    if (closed) return Promise.reject(unavailable('recorder is closed'))
    if (served.length >= waitingMax) return Promise.reject(unavailable('recorder queue is full'))
    return new Promise((resolve, reject) => {
      served.push({ record, resolve, reject })
      run()
    })
  }

  /** Queues the record of a refusal. Never waits or throws. */
  function note(record: LogRecord): void {
    refused.add(record)
    run()
  }

  function run(): void {
    running ??= work().finally(() => {
      running = null
      // These records came while the last batch was rejected.
      if (served.length > 0) run()
    })
  }

  async function work(): Promise<void> {
    while (served.length > 0 || refused.size > 0) {
      // A served request has just read from the database, so the database responds.
      const client = await connection.get({ urgent: served.length > 0 })
      if (client === null) {
        rejectAll(served.splice(0), 'log database unreachable')
        if (!closed && refused.size > 0) retryLater()
        return
      }
      const batch = served.splice(0, batchMax)
      const refusals = refused.drain()
      if (!(await write(client, batch, refusals))) {
        if (!closed && refused.size > 0) retryLater()
        return
      }
    }
  }

  function retryLater(): void {
    if (retry !== null) return
    retry = setTimeout(() => {
      retry = null
      run()
    }, pauseMs).unref()
  }

  /** @returns false if the caller should wait before the next attempt */
  async function write(client: pg.Client, batch: Waiting[], refusals: CountedRecord[]): Promise<boolean> {
    const records = [...batch.map(({ record }) => record), ...refusals]
    try {
      await client.query(insertRecords(records))
      for (const { resolve } of batch) resolve()
      return true
    } catch (error) {
      if (isRefusedData(error) && records.length > 1) {
        // One row is invalid. Splitting the batch finds it, so that the others are written.
        let written = true
        for (const [servedHalf, refusedHalf] of halve(batch, refusals))
          written = (await write(client, servedHalf, refusedHalf)) && written
        return written
      }
      log.error(
        { err: error, served: batch.length, refused: refusals.length },
        'activity could not be written',
      )
      rejectAll(batch, 'activity could not be written')
      // An invalid row must not be tried again forever.
      if (isRefusedData(error)) return true
      refused.restore(refusals)
      // After a refused statement the connection still works. A new one would only open after a pause.
      if (!isRefusedStatement(error)) connection.replace(client)
      return false
    }
  }

  /** Resolves when the queues are empty, which may take until the database is back. */
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

  /** Writes the rows that are still queued, for at most `withinMs`, and closes the connection. */
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
    await connection.close()
  }

  const state = () => ({ connected: connection.isOpen(), waiting: served.length + refused.size })

  return { commit, note, flush, state, close }
}

/** Whether the server rejected the statement (SQLSTATE) and the connection still works (not classes 08 and 57). */
function isRefusedStatement(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^\d[0-9A-Z]{4}$/.test(code) && !/^(08|57)/.test(code)
}

/** Splits two or more rows into two parts: served and refused requests, or else the two halves. */
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

const unavailable = (detail: string): Problem => new Problem('unavailable', { detail, retryAfterSeconds: 1 })

/** Whether the values are invalid (SQLSTATE classes 22 and 23). */
function isRefusedData(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return /^2[23]/.test(code)
}

// The queue of refused requests. Under a flood, equal refusals of the same key and second become one row with a count,
// so that the queue stays short and every refusal is counted.

/** Refusals are combined while more than this wait. */
const foldAbove = 500
/** The most combined rows. Further ones lose their prefixes, routes and addresses, but not their keys. */
const rowsMax = 5_000

function createRefusalQueue() {
  let plain: CountedRecord[] = []
  const folded = new Map<string, CountedRecord>()

  function fold(record: CountedRecord): void {
    const { activity } = record
    const second = Math.floor(activity.at.getTime() / 1_000)
    const event = `${second} ${activity.environment} ${activity.status} ${activity.refusal} ${activity.fault ?? ''}`
    const caller = activity.keyId ?? activity.clientId ?? activity.claimedPrefix ?? ''
    const exact = `${event} ${caller} ${activity.method} ${activity.route}`
    if (increase(exact, record.count)) return
    if (folded.size < rowsMax) {
      folded.set(exact, record)
      return
    }
    const coarse = `${event} ${activity.keyId ?? activity.clientId ?? ''}`
    if (increase(coarse, record.count)) return
    folded.set(coarse, {
      ...record,
      activity: { ...activity, claimedPrefix: null, route: '*', ip: null, clientCorrelationId: null },
    })
  }

  function increase(name: string, count: number): boolean {
    const known = folded.get(name)
    if (known === undefined) return false
    known.count += count
    return true
  }

  function accept(record: CountedRecord): void {
    if (plain.length < foldAbove) plain.push(record)
    else fold(record)
  }

  /** Removes one batch from the queue, oldest first. */
  function drain(): CountedRecord[] {
    const out = plain.slice(0, batchMax)
    plain = plain.slice(batchMax)
    for (const [name, record] of folded) {
      if (out.length >= batchMax) break
      out.push(record)
      folded.delete(name)
    }
    return out
  }

  return {
    add: (record: LogRecord) => accept({ ...record, count: 1 }),
    drain,
    /** Puts back rows that could not be written. */
    restore: (records: readonly CountedRecord[]) => {
      for (const record of records) accept(record)
    },
    get size() {
      return plain.length + folded.size
    },
  }
}
