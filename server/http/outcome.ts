/**
 * How this interface says no: an OperationOutcome, the same bytes for the same cause but for the correlation id.
 * https://hl7.org/fhir/R4/operationoutcome.html
 */
import type { Problem } from '../contract/http/problems.ts'

export interface OutcomeIssue {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly diagnostics: string
  /** The parameter at fault. */
  readonly expression?: readonly string[]
}

export function outcomeText(issues: readonly OutcomeIssue[], correlationId?: string): string {
  return JSON.stringify({
    resourceType: 'OperationOutcome',
    ...(correlationId !== undefined && { id: correlationId }),
    issue: issues.map(({ severity, code, diagnostics, expression }) => ({
      severity,
      code,
      details: { text: diagnostics },
      diagnostics,
      ...(expression !== undefined && { expression }),
    })),
  })
}

/** Fields that stand for no parameter of ours, or for all of them. */
const unnamed = new Set(['unknown_parameter', 'parameters', 'encoding'])

/** `expression` names a parameter as FHIR asks: `http.` and its name. */
export function problemOutcome({ fhirIssue, message, field }: Problem, correlationId: string): string {
  const expression = field === undefined || unnamed.has(field) ? undefined : [`http.${field}`]
  return outcomeText(
    [{ severity: 'error', code: fhirIssue, diagnostics: message, ...(expression && { expression }) }],
    correlationId,
  )
}
