/** One request, and what is known of it so far. */
import type { ApiKeyPrincipal } from '../auth/principal.ts'
import type { ClassNeed } from '../contract/keys/class-coverage.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { mcpOperations } from '../contract/mcp/operation.ts'
import { type OperationRow, operations } from '../contract/rest/operations.ts'
import { type Purpose, purposeDefault } from '../contract/rest/purposes.ts'
import type { Ending } from '../http/deprecation-headers.ts'
import type { Edge } from '../http/edge.ts'
import type { Budget } from '../limits/windows.ts'

/** What a path answers: its pattern, and a row per method. */
export type PathItem = {
  pattern: string
  rows: ReadonlyMap<string, Bound>
}

type Bound = { operationId: string; row: OperationRow }

export type Call = {
  readonly request: Request
  readonly edge: Edge
  readonly environment: 'sandbox' | 'production'
  /** Below the base, percent-decoded. */
  readonly path: string
  /** HEAD is GET without a body. */
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly item: PathItem | null

  principal: ApiKeyPrincipal | null
  /** The database has said during this request that the principal is good. */
  alive: boolean
  /** The practice's data has answered during this request: the rest is read from the same data. */
  begun: boolean
  /** What the Fault Lab injected. */
  fault: FaultStep | null
  /** To whom a request is logged that did not authenticate. */
  keyId: string | null
  practiceId: string | null
  claimedPrefix: string | null
  budgets: readonly Budget[]
  /** The operation that was asked for, once it was found. */
  bound: Bound | null
  /** The end of the operation or tool that was asked for, where one is announced. */
  ending: Ending | null
  /** Of the operation, or of the tool. */
  row: Pick<OperationRow, 'access' | 'status'> | null
  /** What its key must be allowed to read. */
  need: ClassNeed | null
  purpose: Purpose
  /** Whether the principal may do it, asked again whenever it was read anew; null: nothing more to ask. */
  guard: ((principal: ApiKeyPrincipal) => void) | null
  /** Of a capped key: the version of it whose caps were asked, and how many calls it made today. */
  caps: { version: number; calls: number | null } | null
  /** `Idempotency-Key` of a write. */
  idempotencyKey: string | null
}

export function openCall(
  fixed: Pick<Call, 'request' | 'edge' | 'environment' | 'path' | 'params' | 'item'>,
): Call {
  return {
    ...fixed,
    method: fixed.request.method === 'HEAD' ? 'GET' : fixed.request.method,
    principal: null,
    alive: false,
    begun: false,
    fault: null,
    keyId: null,
    practiceId: null,
    claimedPrefix: null,
    budgets: [],
    bound: null,
    ending: null,
    row: null,
    need: null,
    purpose: purposeDefault,
    guard: null,
    caps: null,
    idempotencyKey: null,
  }
}

// From the tables of operations to what each path answers.

/** Paths in the table's order, each with its methods. */
export function bindPaths(): PathItem[] {
  const items = new Map<string, Map<string, { operationId: string; row: OperationRow }>>()
  for (const [operationId, row] of Object.entries<OperationRow>({ ...operations, ...mcpOperations })) {
    const rows = items.get(row.path) ?? new Map()
    items.set(row.path, rows.set(row.method, { operationId, row }))
  }
  return [...items].map(([pattern, rows]) => ({ pattern, rows }))
}

/** `/patients/{id}` as Hono writes it. */
export function honoPath(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, ':$1')
}
