/** What the linter says of a registration. A report without errors is what “complete” means. */
import type { RegistrationCheckId } from './registration-checks.ts'
import type { RegistrationField } from './registration-form.ts'

/** An error keeps a request from being submitted; a hint does not. */
export type LintSeverity = 'error' | 'hint'

export type LintFinding = Readonly<{
  /** Name of the rule, stable. */
  rule: string
  /** The published check that it is part of. */
  check: RegistrationCheckId
  field: RegistrationField
  severity: LintSeverity
  /** What is wrong; never repeats more than an address, a kid or a scope. */
  reason: string
  /** What to do about it. */
  fix: string
}>

export type LintReport = Readonly<{
  findings: readonly LintFinding[]
  /** What was looked at and found right, as sentences. */
  passed: readonly string[]
  /** No errors, and nothing was left unlooked at. */
  complete: boolean
}>

export function countFindings({ findings, passed }: LintReport): {
  errors: number
  hints: number
  passed: number
} {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return { errors, hints: findings.length - errors, passed: passed.length }
}
