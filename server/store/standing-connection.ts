/**
 * A database connection that stays open as long as the process runs, for the recorder and a worker's lock. A loop opens
 * it, checks that it still responds, and reconnects after a growing pause that differs between processes.
 */
import type pg from 'pg'
import { createChoice, DatabaseClient } from './database-client.ts'
import { createBackoff } from './retry.ts'

export type StandingConnection = {
  /**
   * The connection, after an attempt that is under way. Null between two attempts, and after `close`.
   * @param urgent a person waits, and the database has just responded to them: skips the pause before the next attempt
   */
  get(options?: { urgent?: boolean }): Promise<pg.Client | null>
  /** Resolves when there is a connection, or when it is closed. */
  opened(): Promise<void>
  isOpen(): boolean
  /** Drops this connection and opens another one. */
  replace(client: pg.Client): void
  /** Closes the connection for good. */
  close(): Promise<void>
}

type StandingConnectionOptions = {
  connectionString: string
  applicationName: string
  log: { warn(fields: object, message: string): void }
  /** Runs on each connection before it counts as open, without a time limit. */
  prepare?: (client: pg.Client) => Promise<unknown>
  /** No timeout by default. */
  statementTimeoutMs?: number
}

const connectMs = 2_000
/** An urgent request ends a pause only after it has lasted this long. */
const urgentPauseMs = 100
/** A connection that lasted this long resets the backoff. */
const stableMs = 10_000
/** The interval of the heartbeat, and the time limit for its response. */
const heartbeatMs = 3_000
const heartbeatAnswerMs = 2_000

/** The first call of `get` or `opened` connects, not this function. */
export function createStandingConnection({
  connectionString,
  applicationName,
  log,
  prepare,
  statementTimeoutMs,
}: StandingConnectionOptions): StandingConnection {
  let current: pg.Client | null = null
  /** The connection that is being opened or is open. */
  let latest: pg.Client | null = null
  let attempt: Promise<void> | null = null
  let supervised: Promise<void> | null = null
  const backoff = createBackoff()
  let closed = false
  let failedAt = Number.NEGATIVE_INFINITY
  let wake: () => void = () => {}
  const onAttempt: (() => void)[] = []
  const onOpened: (() => void)[] = []
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
      // A connection that ends while it is being opened has failed, even if `prepare` never settles.
      attempt = Promise.race([
        open(client),
        ended.then(() => Promise.reject(new Error('the connection ended before it was open'))),
      ])
      for (const resolve of onAttempt.splice(0)) resolve()
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
    for (const resolve of onOpened.splice(0)) resolve()
  }

  function createClient(): pg.Client {
    const client = new DatabaseClient({ ...config, choice })
    // `end` follows, but until then no caller may get the broken connection.
    client.on('error', () => {
      if (current === client) current = null
    })
    client.on('end', () => {
      if (current === client) current = null
    })
    return client
  }

  async function checkAlive(client: pg.Client): Promise<void> {
    const ping = { text: 'SELECT 1', query_timeout: heartbeatAnswerMs }
    await client.query(ping).catch(() => replace(client))
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
    const begun = new Promise<void>((resolve) => void onAttempt.push(resolve))
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
      if (current === null && !closed) await new Promise<void>((resolve) => void onOpened.push(resolve))
    },
    isOpen: () => current !== null,
    replace,
    async close() {
      closed = true
      current = null
      for (const resolve of [...onOpened.splice(0), ...onAttempt.splice(0)]) resolve()
      wake()
      await latest?.end().catch(() => {})
      await supervised
    },
  }
}
