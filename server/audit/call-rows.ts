/** Builds the log rows that all APIs share. They contain the route's pattern and never the URL. */

import type { Problem, ProblemKind } from '../contract/http/problems.ts'
import { type FaultStep, formatFaultStep } from '../contract/lab/fault-script.ts'
import type { AccessRow, ActivityRow } from './log-rows.ts'

/** The facts about a request from the edge. */
type EdgeFacts = Readonly<
  Pick<ActivityRow, 'ip' | 'correlationId' | 'clientCorrelationId' | 'route'> & {
    receivedAt: Date
    elapsedMs(): number
  }
>

type Caller = Pick<ActivityRow, 'door' | 'environment' | 'practiceId' | 'status' | 'refusal'> &
  Partial<Pick<ActivityRow, 'keyId' | 'clientId' | 'claimedPrefix'>>

export function activityOf(
  call: { edge: EdgeFacts; request: Request; fault?: FaultStep | null },
  caller: Caller,
): ActivityRow {
  const { edge, request, fault } = call
  return {
    at: edge.receivedAt,
    keyId: null,
    claimedPrefix: null,
    method: request.method,
    route: edge.route,
    ip: edge.ip,
    correlationId: edge.correlationId,
    clientCorrelationId: edge.clientCorrelationId,
    durationMs: edge.elapsedMs(),
    fromBrowser: request.headers.has('origin'),
    ...(fault && { fault: formatFaultStep(fault) }),
    ...caller,
  }
}

export function outcomeOf(status: number, isRefused: boolean): AccessRow['outcome'] {
  if (!isRefused) return 'served'
  return status >= 500 ? 'failed' : 'refused'
}

/**
 * The code of a refusal in the log.
 * @param withCause kinds with several causes, whose Problem has the code of the cause as its detail
 */
export function refusalOf(problem: Problem, withCause: readonly ProblemKind[]): string {
  const { kind, detail, field } = problem
  if (kind === 'validation' && field !== undefined) return `validation:${field}`
  return withCause.includes(kind) ? (detail ?? kind) : kind
}

/** The patient or patients of a list, in the format of the access record. */
export function patientsOf(
  list: readonly { readonly id: string }[],
): Pick<AccessRow, 'patientId'> & { patientIds?: readonly string[] } {
  const [first, ...others] = list
  if (first === undefined || others.length === 0) return { patientId: first?.id ?? null }
  return { patientId: null, patientIds: [...new Set(list.map(({ id }) => id))] }
}
