/** One request on its way through the door, and what is written down about it. */
import type { LogRecord } from '../audit/log-rows.ts'
import type { SmartPrincipal } from '../auth/principal.ts'
import type { SmartCall } from '../auth/smart-caller.ts'
import type { Problem } from '../contract/problems.ts'
import type { Edge } from '../http/edge.ts'
import type { Budget } from '../limits/windows.ts'
import type { BulkRoute } from './routes.ts'

export type Call = SmartCall & {
  readonly edge: Edge
  readonly route: BulkRoute
  /** Absolute FHIR base of the practice in the path. */
  readonly base: string
  budgets: readonly Budget[]
}

export function openCall(request: Request, edge: Edge, route: BulkRoute, origin: string): Call {
  edge.route = route.pattern
  return {
    request,
    edge,
    route,
    base: `${origin}/r4/${encodeURIComponent(route.slug)}`,
    principal: null,
    alive: false,
    clientId: null,
    practiceId: null,
    environment: null,
    budgets: [],
  }
}

type Outcome = { status: number; problem?: Problem; count: number; resourceType: string | null }

/** The client's activity, and the practice's record of access. Never a parameter. */
export function recordOf(call: Call, { status, problem, count, resourceType }: Outcome): LogRecord {
  const { edge, principal, request } = call
  const activity = {
    at: edge.receivedAt,
    door: 'bulk' as const,
    environment: principal?.environment ?? call.environment ?? ('production' as const),
    keyId: null,
    clientId: principal?.clientId ?? call.clientId,
    claimedPrefix: null,
    practiceId: principal?.practice.id ?? call.practiceId,
    method: request.method,
    route: edge.route,
    status,
    ip: edge.ip,
    correlationId: edge.correlationId,
    clientCorrelationId: edge.clientCorrelationId,
    durationMs: edge.elapsedMs(),
    refusal: problem ? reasonOf(problem) : null,
    fromBrowser: request.headers.has('origin'),
  }
  if (principal === null) return { activity }
  const outcome = problem === undefined ? 'served' : status >= 500 ? 'failed' : 'refused'
  return { activity, access: { ...accessOf(call, principal), resourceType, count, outcome } }
}

function accessOf({ edge, route }: Call, principal: SmartPrincipal) {
  return {
    at: edge.receivedAt,
    practiceId: principal.practice.id,
    principalKind: principal.audience === 'backend' ? ('backend_token' as const) : ('smart_token' as const),
    principalId: principal.fhirUser ?? principal.grantId,
    clientId: principal.clientId,
    action: `export_${route.kind.replace('-', '_')}`,
    patientId: null,
    purpose: 'operations',
    correlationId: edge.correlationId,
  }
}

function reasonOf({ kind, detail, field }: Problem): string {
  if (kind === 'validation') return field === undefined ? kind : `validation:${field}`
  return ['unauthorized', 'forbidden', 'rate_limited'].includes(kind) ? (detail ?? kind) : kind
}
