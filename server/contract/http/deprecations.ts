/** The deprecations of all interfaces, from their tables of operations. Today there is none. */
import { bulkOperations, type FhirOperationRow, fhirOperations } from '../fhir/operations.ts'
import { mcpOperations } from '../mcp/operation.ts'
import { type McpToolRow, mcpTools } from '../mcp/tools.ts'
import { type OperationRow, operations } from '../rest/operations.ts'
import { statusOperations } from '../status/operations.ts'
import type { Deprecation } from './deprecation.ts'

/** By the name of the operation or tool. */
type Deprecated = Readonly<Record<string, Deprecation>>

export type Deprecations = Readonly<{
  /** REST and Status APIs, and the MCP server as one operation. */
  rest: Deprecated
  tools: Deprecated
  /** Operations of FHIR and Bulk Data, without `$`. */
  fhir: Deprecated
}>

/** The tables whose rows may be deprecated. */
export const deprecableTables: Readonly<{
  rest: Readonly<Record<string, OperationRow>>
  tools: Readonly<Record<string, McpToolRow>>
  fhir: Readonly<Record<string, FhirOperationRow>>
}> = {
  rest: { ...operations, ...mcpOperations, ...statusOperations },
  tools: mcpTools,
  fhir: { ...fhirOperations, ...bulkOperations },
}

export const deprecations: Deprecations = {
  rest: deprecatedIn(deprecableTables.rest),
  tools: deprecatedIn(deprecableTables.tools),
  fhir: deprecatedIn(deprecableTables.fhir),
}

function deprecatedIn(rows: Readonly<Record<string, { readonly deprecation?: Deprecation }>>): Deprecated {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { deprecation }]) => (deprecation ? [[name, deprecation]] : [])),
  )
}
