/** One request on its way through the door, and what is written down about it. */
import { activityOf, outcomeOf, refusalOf } from '../audit/call-rows.ts'
import type { LogRecord } from '../audit/log-rows.ts'
import type { SmartPrincipal } from '../auth/principal.ts'
import type { SmartCall } from '../auth/smart-caller.ts'
import type { FaultStep } from '../contract/fault-script.ts'
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
  /** What the Fault Lab injected. */
  fault: FaultStep | null
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
    fault: null,
  }
}

type Outcome = { status: number; problem?: Problem; count: number; resourceType: string | null }

const withCause = ['unauthorized', 'forbidden', 'rate_limited'] as const

/** The client's activity, and the practice's record of access. Never a parameter. */
export function recordOf(call: Call, { status, problem, count, resourceType }: Outcome): LogRecord {
  const { principal } = call
  const activity = activityOf(call, {
    door: 'bulk',
    environment: principal?.environment ?? call.environment,
    clientId: principal?.clientId ?? call.clientId,
    practiceId: principal?.practice.id ?? call.practiceId,
    status,
    refusal: problem ? refusalOf(problem, withCause) : null,
  })
  if (principal === null) return { activity }
  const outcome = outcomeOf(status, problem !== undefined)
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
