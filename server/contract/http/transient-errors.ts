/**
 * Errors that pass without a change to the request: each is answered 503 with `Retry-After` by every interface.
 * SQLSTATEs: https://www.postgresql.org/docs/15/errcodes-appendix.html,
 * Prisma's codes: https://www.prisma.io/docs/orm/reference/error-reference
 */

type TransientError = Readonly<{
  /** For the log. */
  cause: string
  retryAfterSeconds: number
  /** SQLSTATEs, or beginnings of them. */
  sqlStates?: readonly string[]
  /** Of the operating system. */
  systemCodes?: readonly string[]
  prismaCodes?: readonly string[]
  /** Prisma's names for what its driver reported. */
  driverKinds?: readonly string[]
  /** Beginnings of messages, where a library gives no code. */
  messages?: readonly string[]
  /** Decides before the causes, which are another server's and have codes that the database's have, too. */
  beforeCauses?: true
}>

/** The first row that fits decides: single SQLSTATEs stand before their class. */
export const transientErrors: readonly TransientError[] = [
  {
    cause: 'statement timeout',
    retryAfterSeconds: 1,
    sqlStates: ['57014', '55P03'],
    messages: ['Query read timeout'],
  },
  {
    cause: 'no free database connection in time',
    retryAfterSeconds: 1,
    prismaCodes: ['P2024'],
    messages: ['timeout exceeded when trying to connect'],
  },
  {
    cause: 'disk full',
    retryAfterSeconds: 30,
    sqlStates: ['53100', '58030'],
    systemCodes: ['ENOSPC', 'EDQUOT'],
  },
  {
    cause: 'object storage away',
    retryAfterSeconds: 30,
    systemCodes: ['EOBJECTSTORAGE'],
    beforeCauses: true,
  },
  {
    cause: 'database out of resources',
    retryAfterSeconds: 1,
    sqlStates: ['53'],
    systemCodes: ['EMFILE', 'ENFILE'],
    prismaCodes: ['P2037'],
    driverKinds: ['TooManyConnections'],
  },
  {
    cause: 'transaction ended by the database',
    retryAfterSeconds: 1,
    // Conflicts with another transaction, and time limits of a whole transaction.
    sqlStates: ['40', '25P03', '25P04'],
    prismaCodes: ['P2028', 'P2034'],
    driverKinds: ['TransactionWriteConflict'],
  },
  {
    cause: 'database is a read-only standby',
    retryAfterSeconds: 1,
    sqlStates: ['25006'],
  },
  {
    cause: 'database unreachable',
    retryAfterSeconds: 1,
    sqlStates: ['08', '57'],
    systemCodes: [
      'EAI_AGAIN',
      'ECONNABORTED',
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTDOWN',
      'EHOSTUNREACH',
      'ENETDOWN',
      'ENETUNREACH',
      'ENOTFOUND',
      'EPIPE',
      'ETIMEDOUT',
    ],
    prismaCodes: ['P1001', 'P1002', 'P1008', 'P1017'],
    driverKinds: ['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'],
    messages: [
      // A Unix socket that is gone or has too many callers; any other missing file does not come back by itself.
      'connect ENOENT',
      'connect EAGAIN',
      'Connection terminated',
      'timeout expired',
      'There was an error establishing an SSL connection',
      'Client has encountered a connection error',
      'Client was closed and is not queryable',
      'Cannot use a pool after calling end on the pool',
    ],
  },
]

/** Errors in errors: Prisma's hold its driver's, and that one holds PostgreSQL's. */
const depthMax = 6

/** The row for what was thrown, or for any error that caused it; null when it would not pass by itself. */
export function findTransientError(thrown: unknown, depth = 0): TransientError | null {
  if (typeof thrown !== 'object' || thrown === null || depth > depthMax) return null
  const { cause, meta } = thrown as { cause?: unknown; meta?: { driverAdapterError?: unknown } }
  return (
    transientErrors.find((row) => row.beforeCauses && fits(row, thrown as Reported)) ??
    findTransientError(meta?.driverAdapterError, depth + 1) ??
    findTransientError(cause, depth + 1) ??
    transientErrors.find((row) => fits(row, thrown as Reported)) ??
    null
  )
}

type Reported = {
  code?: unknown
  originalCode?: unknown
  kind?: unknown
  name?: unknown
  message?: unknown
}

function fits(row: TransientError, error: Reported): boolean {
  const code = String(error.originalCode ?? error.code ?? '')
  return (
    (/^[0-9A-Z]{5}$/.test(code) && row.sqlStates?.some((start) => code.startsWith(start))) ||
    row.systemCodes?.includes(code) ||
    row.prismaCodes?.includes(code) ||
    row.driverKinds?.includes(String(error.kind)) ||
    row.messages?.some((start) => sentenceOf(error).startsWith(start)) ||
    false
  )
}

/** Prisma puts the call in front of the driver's sentence. */
function sentenceOf({ name, message }: Reported): string {
  const text = typeof message === 'string' ? message.trim() : ''
  return String(name).startsWith('PrismaClient') ? (text.split('\n').at(-1) ?? '').trim() : text
}
