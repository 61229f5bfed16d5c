/** The log rows of a call: the key's activity and the practice's access record. */
import { activityOf, outcomeOf, refusalOf } from '../audit/call-rows.ts'
import type { AccessRow, LogRecord } from '../audit/log-rows.ts'
import type { Deprecation } from '../contract/http/deprecation.ts'
import type { Problem } from '../contract/http/problems.ts'
import { mcpOperations } from '../contract/mcp/operation.ts'
import type { McpToolName } from '../contract/mcp/tools.ts'
import { paths } from '../contract/portal/paths.ts'
import { type OperationId, type OperationRow, operations } from '../contract/rest/operations.ts'
import { type DeprecationNotice, fillPath } from '../http/deprecation-headers.ts'
import type { Call } from './call.ts'
import type { HandlerAnswer } from './handler-types.ts'

type Outcome =
  | (Disclosed & { status: number; problem?: undefined })
  | (Partial<Record<keyof Disclosed, undefined>> & { status: number; problem: Problem })

type Disclosed = Pick<HandlerAnswer<OperationId>, 'count' | 'patientId' | 'patientIds'>

const withCause = ['unauthorized', 'rate_limited', 'structural'] as const

export function recordOf(call: Call, outcome: Outcome): LogRecord {
  const { principal } = call
  const activity = activityOf(call, {
    door: 'rest',
    environment: call.environment,
    keyId: principal?.keyId ?? call.keyId,
    claimedPrefix: call.claimedPrefix,
    practiceId: principal?.practice.id ?? call.practiceId,
    status: outcome.status,
    refusal: outcome.problem ? refusalOf(outcome.problem, withCause) : null,
  })
  return principal === null ? { activity } : { activity, access: accessOf(call, principal, outcome) }
}

/** A refused request names no patient, because its parameters are not verified. */
function accessOf(call: Call, principal: NonNullable<Call['principal']>, outcome: Outcome): AccessRow {
  return {
    at: call.edge.receivedAt,
    practiceId: principal.practice.id,
    principalKind: principal.kind,
    principalId: principal.keyId,
    action: call.row?.access.action ?? 'none',
    resourceType: call.row?.access.resourceType ?? null,
    patientId: outcome.patientId ?? null,
    patientIds: outcome.patientIds,
    count: outcome.count ?? 0,
    purpose: call.purpose,
    outcome: outcomeOf(outcome.status, outcome.problem !== undefined),
    correlationId: call.edge.correlationId,
  }
}

// Deprecation headers of an operation or tool that will end.

type Deprecated = Readonly<Record<string, Deprecation>>

const rows: Readonly<Record<string, OperationRow>> = { ...operations, ...mcpOperations }

/**
 * Works before authentication, so that errors also have the headers.
 * @param base the absolute base URL, without a slash at its end
 */
export function findNotice(
  { item, method, params }: Pick<Call, 'item' | 'method' | 'params'>,
  base: string,
  deprecated: Deprecated,
): DeprecationNotice | null {
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

/** If a request calls several deprecated tools, the earliest sunset counts. */
export function findToolNotice(known: Call['notice'], name: McpToolName, deprecated: Deprecated) {
  const deprecation = deprecated[name]
  if (deprecation === undefined || (known && known.deprecation.sunset <= deprecation.sunset)) return known
  // A tool has no URL, so there is no successor URL.
  return { deprecation, page: paths.mcpGuide, successor: null }
}
