/** The connection pool of a process, which the store and Prisma share. */
import pg from 'pg'
import { createChoice, DatabaseClient } from './database-client.ts'

/** A request waits this long for a connection, then gets 503. */
const connectionWaitMs = 1_000
/** The time limit for a statement of a request. */
export const statementMs = 5_000
/** A server that has not responded this long after its own limit hangs, so the connection is dropped. */
const answerGraceMs = 1_000

interface PoolOptions {
  connectionString: string
  /** The most connections. */
  max: number
  /** How long to wait for a free connection, in milliseconds. */
  waitMs?: number | undefined
  /** In milliseconds; 0 means no limit, for loading and copying. */
  statementTimeoutMs?: number
  log?: { error(fields: object, message: string): void }
  applicationName?: string
}

/**
 * Creates a pool. If the server is lost, running requests fail, but the process continues. It connects at the first query.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const limitMs = options.statementTimeoutMs ?? statementMs
  const connection = {
    connectionString: options.connectionString,
    connectionTimeoutMillis: options.waitMs ?? connectionWaitMs,
    keepAlive: true,
    statement_timeout: limitMs,
    query_timeout: answerMsFor(limitMs),
    application_name: options.applicationName ?? 'sandpiper',
  }
  const poolOptions = {
    ...connection,
    choice: createChoice(connection),
    Client: DatabaseClient as unknown as new () => pg.ClientBase,
    max: options.max,
    // Longer than a minute, so that the jobs that a worker runs every minute find an open connection.
    idleTimeoutMillis: 120_000,
  }
  const pool = new pg.Pool(poolOptions)
  // The server closed an idle connection. The pool opens another one for the next query.
  pool.on('error', (error) => options.log?.error({ err: error }, 'database connection lost'))
  // DatabaseClient already listens, but graphile-worker logs a warning unless the pool does, too.
  pool.on('connect', (client) => client.on('error', () => {}))
  cutIdleWithLost(pool)
  return pool
}

/**
 * A server that vanished leaves connections that look idle, and each would delay a request until its time limit. So the
 * first connection that is lost in use closes all idle ones.
 */
function cutIdleWithLost(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => {
    if (!error) idle.add(client)
    else if (isLost(error)) for (const each of idle) (each as unknown as DatabaseClient).cut()
  })
}

/** @param error `true` after `release(true)`, which only closes this connection */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message === 'Query read timeout' || error.message.startsWith('Connection terminated')
}

/**
 * Makes the client wait for statements of this connection as long as another limit than the pool's allows.
 * @returns a function that restores the pool's limit
 */
export function waitForStatements(client: pg.PoolClient, limitMs: number): () => void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } }
  const before = connectionParameters.query_timeout
  connectionParameters.query_timeout = answerMsFor(limitMs)
  return () => {
    connectionParameters.query_timeout = before
  }
}

/** 0 means no limit. */
function answerMsFor(limitMs: number): number {
  return limitMs === 0 ? 0 : limitMs + answerGraceMs
}

/**
 * Runs a query once for all callers of one turn of the event loop. It is sent at the end of the turn, so that it sees
 * every change that was committed before any of the calls.
 */
type TurnShare<Answer> = (database: object, name: string, ask: () => Promise<Answer>) => Promise<Answer>

export function createTurnShare<Answer>(): TurnShare<Answer> {
  /** Queries by connection, so that a transaction does not share results with other connections. */
  const pending = new WeakMap<object, Map<string, Promise<Answer>>>()

  return (database, name, ask) => {
    const known = pending.get(database) ?? new Map<string, Promise<Answer>>()
    pending.set(database, known)
    const shared = known.get(name)
    if (shared !== undefined) return shared
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      known.delete(name)
      return ask()
    })
    known.set(name, answer)
    return answer
  }
}
