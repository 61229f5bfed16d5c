/** What is written down about a call: the key's activity, and the practice's record of access. */
import type { AccessRow, ActivityRow, LogRecord } from '../audit/log-rows.ts'
import type { Problem } from '../contract/problems.ts'
import type { RefusalReason } from '../contract/refusal-reasons.ts'
import type { Call } from './call.ts'

type Outcome =
  | { status: number; problem?: undefined; patientId: string | null; count: number }
  | { status: number; problem: Problem; patientId?: undefined; count?: undefined }

export function recordOf(call: Call, outcome: Outcome): LogRecord {
  const { edge, principal, request } = call
  const activity: ActivityRow = {
    at: edge.receivedAt,
    door: 'rest',
    environment: call.environment,
    keyId: principal?.keyId ?? call.keyId,
    claimedPrefix: call.claimedPrefix,
    practiceId: principal?.practice.id ?? call.practiceId,
    method: request.method,
    route: edge.route,
    status: outcome.status,
    ip: edge.ip,
    correlationId: edge.correlationId,
    clientCorrelationId: edge.clientCorrelationId,
    durationMs: edge.elapsedMs(),
    refusal: outcome.problem ? reasonOf(outcome.problem) : null,
    fromBrowser: request.headers.has('origin'),
  }
  return principal === null ? { activity } : { activity, access: accessOf(call, principal, outcome) }
}

/** A refused request names no patient: what it asked for is the caller's word, not a record. */
function accessOf(call: Call, principal: NonNullable<Call['principal']>, outcome: Outcome): AccessRow {
  return {
    at: call.edge.receivedAt,
    practiceId: principal.practice.id,
    principalKind: principal.kind,
    principalId: principal.keyId,
    action: call.row?.access.action ?? 'none',
    resourceType: call.row?.access.resourceType ?? null,
    patientId: outcome.patientId ?? null,
    count: outcome.count ?? 0,
    purpose: call.purpose,
    outcome: outcome.problem === undefined ? 'served' : outcome.status >= 500 ? 'failed' : 'refused',
    correlationId: call.edge.correlationId,
  }
}

/** Where one kind has several causes, the Problem's detail is the code of the cause. */
function reasonOf({ kind, detail, field }: Problem): RefusalReason {
  switch (kind) {
    case 'unauthorized':
    case 'rate_limited':
    case 'structural':
      return (detail ?? kind) as RefusalReason
    case 'validation':
      return field === undefined ? 'validation' : `validation:${field}`
    default:
      return kind
  }
}
