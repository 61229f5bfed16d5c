/**
 * A connection that is to be there as long as the process runs: the recorder's, a worker's lock. One loop opens it,
 * sees that it still answers, and opens the next one after a pause that grows and is never the same for two processes.
 */
import type pg from 'pg'
import { createChoice, DatabaseClient } from './database-client.ts'
import { type Backoff, createBackoff } from './retry.ts'

export type StandingConnection = {
  /**
   * The connection; waits for an attempt that is under way. Null between two attempts, and when it is closed.
   * @param urgent a request waits that the database has just answered: ends the pause between two attempts
   */
  get(options?: { urgent?: boolean }): Promise<pg.Client | null>
  /** Resolves when there is a connection, or when it is closed. */
  opened(): Promise<void>
  isOpen(): boolean
  /** Gives up this connection for another one. */
  replace(client: pg.Client): void
  /** After this, none is opened any more. */
  close(): Promise<void>
}

type StandingConnectionOptions = {
  connectionString: string
  applicationName: string
  log: { warn(fields: object, message: string): void }
  /** Run on each connection before it counts as open; may take as long as it wants. */
  prepare?: (client: pg.Client) => Promise<unknown>
  /** Milliseconds; none without it. */
  statementTimeoutMs?: number
  backoff?: Backoff
}

const connectMs = 2_000
/** The shortest pause, when a request urgently waits for the connection. */
const urgentPauseMs = 100
/** A connection that lasted so long was a good one. */
const stableMs = 10_000
/** How often an idle connection is asked whether it lives, and how long it may take to answer. */
const heartbeatMs = 3_000
const heartbeatAnswerMs = 2_000

/** Nothing connects before it is first asked for. */
export function createStandingConnection({
  connectionString,
  applicationName,
  log,
  prepare,
  statementTimeoutMs,
  backoff = createBackoff(),
}: StandingConnectionOptions): StandingConnection {
  let current: pg.Client | null = null
  /** The one that is being opened or is open. */
  let latest: pg.Client | null = null
  let attempt: Promise<void> | null = null
  let supervised: Promise<void> | null = null
  let closed = false
  let failedAt = Number.NEGATIVE_INFINITY
  let wake: () => void = () => {}
  const forAttempt: (() => void)[] = []
  const waiting: (() => void)[] = []
  const config = {
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...(statementTimeoutMs !== undefined && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 1_000,
    }),
  }
  const choice = createChoice(config)

  async function supervise(): Promise<void> {
    while (!closed) {
      const client = createClient()
      latest = client
      const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
      let openedAt = Number.POSITIVE_INFINITY
      // One that ends before it is open has failed, whatever its preparation still waits for.
      attempt = Promise.race([
        open(client),
        ended.then(() => Promise.reject(new Error('the connection ended before it was open'))),
      ])
      for (const resolve of forAttempt.splice(0)) resolve()
      try {
        await attempt
        attempt = null
        openedAt = performance.now()
        const heartbeat = setInterval(() => void checkAlive(client), heartbeatMs)
        heartbeat.unref()
        await ended
        clearInterval(heartbeat)
      } catch (error) {
        attempt = null
        if (!closed) log.warn({ err: error, applicationName }, 'no database connection; trying again')
        client.end().catch(() => {})
      }
      latest = null
      if (current === client) current = null
      failedAt = performance.now()
      if (performance.now() - openedAt >= stableMs) backoff.reset()
      if (!closed) await pause(backoff.next())
    }
  }

  async function open(client: pg.Client): Promise<void> {
    await client.connect()
    await prepare?.(client)
    if (closed || latest !== client) throw new Error('closed')
    current = client
    for (const resolve of waiting.splice(0)) resolve()
  }

  function createClient(): pg.Client {
    const client = new DatabaseClient({ ...config, choice })
    // `end` follows.
    client.on('error', () => {
      if (current === client) current = null
    })
    client.on('end', () => {
      if (current === client) current = null
    })
    return client
  }

  async function checkAlive(client: pg.Client): Promise<void> {
    const question = { text: 'SELECT 1', query_timeout: heartbeatAnswerMs }
    await client.query(question).catch(() => replace(client))
  }

  function replace(client: pg.Client): void {
    if (current === client) current = null
    client.end().catch(() => {})
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function endPause(): Promise<void> {
    if (current !== null || attempt !== null || closed) return
    if (performance.now() - failedAt < urgentPauseMs) return
    const begun = new Promise<void>((resolve) => void forAttempt.push(resolve))
    wake()
    await begun
  }

  function begin(): void {
    if (!closed) supervised ??= supervise()
  }

  return {
    async get({ urgent = false } = {}) {
      begin()
      if (urgent) await endPause()
      await attempt?.catch(() => {})
      return current
    },
    async opened() {
      begin()
      if (current === null && !closed) await new Promise<void>((resolve) => void waiting.push(resolve))
    },
    isOpen: () => current !== null,
    replace,
    async close() {
      closed = true
      current = null
      for (const resolve of [...waiting.splice(0), ...forAttempt.splice(0)]) resolve()
      wake()
      await latest?.end().catch(() => {})
      await supervised
    },
  }
}
