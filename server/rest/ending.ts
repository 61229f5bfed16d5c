/** What a call is told about the end of its operation or tool. */
import type { Deprecation } from '../contract/http/deprecation.ts'
import { mcpOperations } from '../contract/mcp/operation.ts'
import type { McpToolName } from '../contract/mcp/tools.ts'
import { paths } from '../contract/portal/paths.ts'
import { type OperationRow, operations } from '../contract/rest/operations.ts'
import { type Ending, fillPath } from '../http/deprecation-headers.ts'
import type { Call } from './call.ts'

type Deprecated = Readonly<Record<string, Deprecation>>

const rows: Readonly<Record<string, OperationRow>> = { ...operations, ...mcpOperations }

/**
 * Known before the credential is, so that refusals tell it, too.
 * @param base absolute, without a slash at its end
 */
export function endingOf(
  { item, method, params }: Pick<Call, 'item' | 'method' | 'params'>,
  base: string,
  deprecated: Deprecated,
): Ending | null {
  const operationId = item?.rows.get(method)?.operationId ?? ''
  const deprecation = deprecated[operationId]
  if (deprecation === undefined) return null
  const next = rows[deprecation.successor ?? '']
  const path = next ? fillPath(next.path, params) : null
  return {
    deprecation,
    page: Object.hasOwn(mcpOperations, operationId) ? paths.mcpGuide : paths.operationReference(operationId),
    successor: path === null ? null : `${base}${path}`,
  }
}

/** Of several tools in one request, the one that ends first. */
export function toolEnding(known: Ending | null, name: McpToolName, deprecated: Deprecated): Ending | null {
  const deprecation = deprecated[name]
  if (deprecation === undefined || (known && known.deprecation.sunset <= deprecation.sunset)) return known
  // A tool has no address of its own.
  return { deprecation, page: paths.mcpGuide, successor: null }
}
