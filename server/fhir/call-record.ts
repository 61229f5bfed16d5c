/** The log rows of a call: the app's activity and the practice's access record. They contain no parameters. */
import { activityOf, outcomeOf, refusalOf } from '../audit/call-rows.ts'
import type { AccessRow, LogRecord } from '../audit/log-rows.ts'
import type { SmartPrincipal } from '../auth/principal.ts'
import type { Problem } from '../contract/http/problems.ts'
import type { Purpose } from '../contract/rest/purposes.ts'
import type { Call } from './call.ts'
import type { Answer } from './handler.ts'

type Outcome =
  | (Disclosed & Pick<Answer, 'status' | 'resourceType'> & { problem?: undefined })
  | (Partial<Record<keyof Disclosed, undefined>> & { status: number; problem: Problem })

type Disclosed = Pick<Answer, 'count' | 'patientId' | 'patientIds' | 'exportId'>

/** The purpose by kind of caller, because FHIR has no header for it. */
const purposeOf: Record<SmartPrincipal['audience'], Purpose> = {
  patient: 'patient_request',
  clinician: 'treatment',
  backend: 'operations',
}

const withCause = ['unauthorized', 'forbidden', 'rate_limited'] as const

export function recordOf(call: Call, outcome: Outcome): LogRecord {
  const { principal, route } = call
  const activity = activityOf(call, {
    door: route.kind === 'export' ? 'bulk' : 'fhir',
    environment: principal?.environment ?? call.environment,
    clientId: principal?.clientId ?? call.clientId,
    practiceId: principal?.practice.id ?? call.practiceId,
    status: outcome.status,
    refusal: outcome.problem ? refusalOf(outcome.problem, withCause) : null,
  })
  return principal === null ? { activity } : { activity, access: accessOf(call, principal, outcome) }
}

/** A refused request names no patient, because its parameters are not verified. */
function accessOf({ edge, route }: Call, principal: SmartPrincipal, outcome: Outcome): AccessRow {
  const resourceType = 'type' in route ? route.type : 'resourceType' in outcome ? outcome.resourceType : null
  return {
    at: edge.receivedAt,
    practiceId: principal.practice.id,
    principalKind: principal.audience === 'backend' ? 'backend_token' : 'smart_token',
    principalId: principal.fhirUser ?? principal.grantId,
    clientId: principal.clientId,
    action: actionOf(route),
    resourceType: resourceType ?? null,
    patientId: outcome.patientId ?? null,
    patientIds: outcome.patientIds,
    exportId: outcome.exportId,
    count: outcome.count ?? 0,
    purpose: route.kind === 'export' ? 'operations' : purposeOf[principal.audience],
    outcome: outcomeOf(outcome.status, outcome.problem !== undefined),
    correlationId: edge.correlationId,
  }
}

function actionOf(route: Call['route']): string {
  if (route.kind === 'export') return `export_${route.step.replace('-', '_')}`
  return route.kind === 'operation' ? route.operation : route.kind
}
