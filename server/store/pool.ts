/** The connections of one process, shared by the store and Prisma. */
import pg from 'pg'
import { Problem } from '../contract/problems.ts'

/** A caller waits so long for a connection, then gets 503. */
const connectionWaitMs = 1_000
/** No statement of a request runs longer. */
const statementMs = 5_000

export interface PoolOptions {
  connectionString: string
  /** Connections at most. */
  max: number
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
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs ?? statementMs,
    application_name: options.applicationName ?? 'sandpiper',
  })
  // An idle connection that the server closes: the pool opens another one for the next query.
  pool.on('error', (error) => options.log?.error({ err: error }, 'database connection lost'))
  // One in use tells its query too; an error event that nobody hears would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Server is gone, going, coming, or full. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  // Prisma's own: https://www.prisma.io/docs/orm/reference/error-reference
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
])

/** Of PostgreSQL or the driver where there is one; Prisma keeps it inside of its own. */
function codeOf(error: Error): string {
  const { code, meta } = error as Error & {
    code?: unknown
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } }
  }
  return String(meta?.driverAdapterError?.cause?.originalCode ?? code ?? '')
}

/**
 * Turns the driver's (and Prisma's) words for "no connection" and "took too long" into `unavailable` (503 with
 * `Retry-After`); every other error is passed on as it is.
 */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  if (code === '57014') return unavailable('statement timeout', error)
  if (error.message.startsWith('timeout exceeded when trying to connect')) {
    return unavailable('no free database connection within 1 s', error)
  }
  if (unreachable.has(code) || error.message.startsWith('Connection terminated')) {
    return unavailable('database unreachable', error)
  }
  return error
}

function unavailable(detail: string, cause: Error): Problem {
  return new Problem('unavailable', { detail, retryAfterSeconds: 1, cause })
}
