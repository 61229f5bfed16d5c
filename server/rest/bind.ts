/** From the tables of operations to what each path answers. */
import { mcpOperations } from '../contract/mcp/operation.ts'
import { type OperationRow, operations } from '../contract/rest/operations.ts'
import type { PathItem } from './call.ts'

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
