/** The linter's findings by field. */
import type { LintFinding, LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import type { RegistrationField } from '../../../server/contract/workflows/registration-form.ts'
import { type RegistrationStep, stepOfField } from '../../../server/contract/workflows/registration-steps.ts'

/** The report that the page requests while a person types. */
export type TypedReport = Pick<LintReport, 'findings' | 'passed' | 'unopened'> & {
  /** Text that the form can't hold, by field. */
  faults: Partial<Record<RegistrationField, string>>
  /** How the redirect URIs of a native app work. */
  explained: readonly string[]
}

interface FieldNote {
  fault?: string
  hints: readonly string[]
  /** The field's URL was not opened yet. */
  isUnopened: boolean
}

/** An empty field has no note: the list for production names it. */
export function noteOf(
  report: Pick<LintReport, 'findings' | 'unopened'> | null,
  field: RegistrationField,
): FieldNote {
  const findings = report?.findings.filter((finding) => finding.field === field && !finding.missing) ?? []
  const wrong = findings.find(({ severity }) => severity === 'error')
  return {
    ...(wrong && { fault: asSentences(wrong) }),
    hints: findings.filter(({ severity }) => severity === 'hint').map(asSentences),
    isUnopened: report?.unopened.includes(field) ?? false,
  }
}

const asSentences = ({ reason, fix }: LintFinding) => `${reason} ${fix}`

/** @param formPath the form's path; empty if the form is on this page */
export function hrefOfField(formPath: string, field: RegistrationField): string {
  return formPath === '' ? `#${field}` : `${pathOfStep(formPath, stepOfField(field))}#${field}`
}

/** The path of a step, with which a person can continue later or on another machine. */
export const pathOfStep = (formPath: string, step: RegistrationStep) => `${formPath}?step=${step}`
