/** What is written down about a call: the app's activity, and the practice's record of access. Never a parameter. */
import type { AccessRow, ActivityRow, LogRecord } from '../audit/log-rows.ts'
import type { SmartPrincipal } from '../auth/principal.ts'
import type { Problem } from '../contract/problems.ts'
import type { Purpose } from '../contract/purposes.ts'
import type { Call } from './call.ts'

type Outcome =
  | { status: number; problem?: undefined; patientId: string | null; count: number }
  | { status: number; problem: Problem; patientId?: undefined; count?: undefined }

/** Why a caller of each kind looks at a record: FHIR has no header for it. */
const purposeOf: Record<SmartPrincipal['audience'], Purpose> = {
  patient: 'patient_request',
  clinician: 'treatment',
  backend: 'operations',
}

export function recordOf(call: Call, outcome: Outcome): LogRecord {
  const { edge, principal, request } = call
  const activity: ActivityRow = {
    at: edge.receivedAt,
    door: 'fhir',
    environment: principal?.environment ?? call.environment ?? 'production',
    keyId: null,
    clientId: principal?.clientId ?? call.clientId,
    claimedPrefix: null,
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
function accessOf({ edge, route }: Call, principal: SmartPrincipal, outcome: Outcome): AccessRow {
  return {
    at: edge.receivedAt,
    practiceId: principal.practice.id,
    principalKind: principal.audience === 'backend' ? 'backend_token' : 'smart_token',
    principalId: principal.fhirUser ?? principal.grantId,
    clientId: principal.clientId,
    action: actionOf(route),
    resourceType: 'type' in route ? route.type : null,
    patientId: outcome.patientId ?? null,
    count: outcome.count ?? 0,
    purpose: purposeOf[principal.audience],
    outcome: outcome.problem === undefined ? 'served' : outcome.status >= 500 ? 'failed' : 'refused',
    correlationId: edge.correlationId,
  }
}

function actionOf(route: Call['route']): string {
  return route.kind === 'operation' ? route.operation : route.kind
}

/** Where one kind has several causes, the Problem's detail is the code of the cause. */
function reasonOf({ kind, detail, field }: Problem): string {
  switch (kind) {
    case 'unauthorized':
    case 'forbidden':
    case 'rate_limited':
      return detail ?? kind
    case 'validation':
      return field === undefined ? 'validation' : `validation:${field}`
    default:
      return kind
  }
}
