/** What the linter says of a registration. A report without errors is what “complete” means. */
import type { RegistrationCheckId } from './registration-checks.ts'
import type { RegistrationField } from './registration-form.ts'

/** An error keeps a request from being submitted; a hint does not. */
export type LintSeverity = 'error' | 'hint'

/** `sandbox`: the sandbox client can't be registered like this. `production`: the sandbox works without it. */
export type LintStage = 'sandbox' | 'production'

export type LintFinding = Readonly<{
  /** Name of the rule, stable. */
  rule: string
  /** The published check that it is part of. */
  check: RegistrationCheckId
  field: RegistrationField
  severity: LintSeverity
  stage: LintStage
  /** The field is empty: something is still to come, and nothing that was typed is wrong. */
  missing: boolean
  /** What is wrong; never repeats more than an address, a kid or a scope. */
  reason: string
  /** What to do about it. */
  fix: string
}>

export type LintReport = Readonly<{
  findings: readonly LintFinding[]
  /** What was looked at and found right, as sentences. */
  passed: readonly string[]
  /** Fields with an address that no one opened yet; that is done when the registration is submitted. */
  unopened: readonly RegistrationField[]
  /** No errors, and nothing was left unlooked at. */
  complete: boolean
}>

export function countFindings({ findings, passed }: LintReport) {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return { errors, hints: findings.length - errors, passed: passed.length }
}
