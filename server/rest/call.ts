/** The state of one request while the pipeline handles it. */
import type { ApiKeyPrincipal } from '../auth/principal.ts'
import type { ClassNeed } from '../contract/keys/class-coverage.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { mcpOperations } from '../contract/mcp/operation.ts'
import { type OperationRow, operations } from '../contract/rest/operations.ts'
import { type Purpose, purposeDefault } from '../contract/rest/purposes.ts'
import type { DeprecationNotice } from '../http/deprecation-headers.ts'
import type { Edge } from '../http/edge.ts'
import type { Budget } from '../limits/windows.ts'

/** A path's pattern, and the operation of each of its methods. */
export type PathItem = {
  pattern: string
  rows: ReadonlyMap<string, Bound>
}

type Bound = { operationId: string; row: OperationRow }

export type Call = {
  readonly request: Request
  readonly edge: Edge
  readonly environment: 'sandbox' | 'production'
  /** The path below the API's base, percent-decoded. */
  readonly path: string
  /** GET for a HEAD request, too. */
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  readonly item: PathItem | null

  principal: ApiKeyPrincipal | null
  /** True once the database has confirmed during this request that the credential is valid. */
  alive: boolean
  /** True once this request has read data of the practice: a response must not mix it with newer data. */
  begun: boolean
  /** The fault that the Fault Lab injected. */
  fault: FaultStep | null
  /** The log names these three for a request that failed to authenticate. */
  keyId: string | null
  practiceId: string | null
  claimedPrefix: string | null
  budgets: readonly Budget[]
  /** The requested operation, once it is found. */
  bound: Bound | null
  /** The announced end of the requested operation or tool, if any. */
  notice: DeprecationNotice | null
  /** The row of the operation or of the MCP tool. */
  row: Pick<OperationRow, 'access' | 'status'> | null
  /** The data that the key must be allowed to read. */
  need: ClassNeed | null
  purpose: Purpose
  /** Checks whether the principal is allowed, again after each reload of it; null: nothing to check. */
  guard: ((principal: ApiKeyPrincipal) => void) | null
  /** For a capped key: its version when its caps were checked, and the number of its calls today. */
  caps: { version: number; calls: number | null } | null
  /** The `Idempotency-Key` header of a write. */
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
    notice: null,
    row: null,
    need: null,
    purpose: purposeDefault,
    guard: null,
    caps: null,
    idempotencyKey: null,
  }
}

/** Groups the operations by path, in the order of the tables. */
export function bindPaths(): PathItem[] {
  const items = new Map<string, Map<string, Bound>>()
  for (const [operationId, row] of Object.entries<OperationRow>({ ...operations, ...mcpOperations })) {
    const rows = items.get(row.path) ?? new Map()
    items.set(row.path, rows.set(row.method, { operationId, row }))
  }
  return [...items].map(([pattern, rows]) => ({ pattern, rows }))
}

/** Writes `/patients/{id}` as Hono does, `/patients/:id`. */
export const honoPath = (pattern: string): string => pattern.replace(/\{(\w+)\}/g, ':$1')
