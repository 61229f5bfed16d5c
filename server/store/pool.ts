/** The connections of one process, shared by the store and Prisma. */
import pg from 'pg'
import { createChoice, DatabaseClient } from './database-client.ts'

/** A caller waits so long for a connection, then gets 503. */
const connectionWaitMs = 1_000
/** No statement of a request runs longer. */
export const statementMs = 5_000
/** A server that has not answered so long after its own limit hangs: the connection is given up. */
const answerGraceMs = 1_000

interface PoolOptions {
  connectionString: string
  /** Connections at most. */
  max: number
  /** Milliseconds until a wait for a free connection is given up. */
  waitMs?: number | undefined
  /** Milliseconds; 0 switches the limit off, for loading and copying. */
  statementTimeoutMs?: number
  log?: { error(fields: object, message: string): void }
  applicationName?: string
}

/**
 * A pool whose loss of the server is an error of the request under way, never of the process.
 * Nothing connects before the first query.
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
    // Longer than the minute after which a worker's jobs come again.
    idleTimeoutMillis: 120_000,
  }
  const pool = new pg.Pool(poolOptions)
  // An idle connection that the server closes: the pool opens another one for the next query.
  pool.on('error', (error) => options.log?.error({ err: error }, 'database connection lost'))
  // DatabaseClient has a listener already; graphile-worker warns people at the start unless the pool adds one.
  pool.on('connect', (client) => client.on('error', () => {}))
  cutIdleWithLost(pool)
  return pool
}

/**
 * A server that went away without a word leaves connections that look idle, and each would hold up a request until its
 * limit. The first one that is lost in use takes them with it.
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

/** @param error may be `true`: a connection given back with `release(true)` is only to be closed. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message === 'Query read timeout' || error.message.startsWith('Connection terminated')
}

/**
 * Waits for statements of this connection as long as a limit other than the pool's needs.
 * @returns a function that brings the pool's limit back
 */
export function waitForStatements(client: pg.PoolClient, limitMs: number): () => void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } }
  const before = connectionParameters.query_timeout
  connectionParameters.query_timeout = answerMsFor(limitMs)
  return () => {
    connectionParameters.query_timeout = before
  }
}

/** 0: without end. */
function answerMsFor(limitMs: number): number {
  return limitMs === 0 ? 0 : limitMs + answerGraceMs
}

/**
 * A question asked several times in one turn of the event loop is one statement. It is sent at the end of the turn, so
 * that it sees every change that was committed before any of the callers asked.
 */
type TurnShare<Answer> = (database: object, name: string, ask: () => Promise<Answer>) => Promise<Answer>

export function createTurnShare<Answer>(): TurnShare<Answer> {
  /** By connection: a transaction shares with nothing outside of it. */
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
