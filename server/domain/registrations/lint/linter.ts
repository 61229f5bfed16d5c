/** Checks a registration by every rule. A registration is complete if the report has no errors. */
import type { LintFinding, LintReport } from '../../../contract/workflows/lint-findings.ts'
import type { RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Core } from '../../core.ts'
import { findSandboxFaults } from '../apply-approved.ts'
import { launchAddress, links, redirects } from './address-rules.ts'
import { attestations, clientType, contacts, identity, noSecrets } from './form-rules.ts'
import { keys } from './keys.ts'
import type { Fault, LintRule } from './lint-rule.ts'
import { scopes } from './scopes.ts'

/** The rules in the order of the page's fields. */
export const lintRules: readonly LintRule[] = [
  noSecrets,
  identity,
  links,
  contacts,
  clientType,
  redirects,
  launchAddress,
  keys,
  scopes,
  attestations,
]

/** Checks the form alone, without requests to other hosts: quick, but its report is never complete. */
export function look(form: RegistrationForm): LintReport {
  const results = lintRules.map((rule) => ({ rule, faults: rule.find(form) }))
  return toReport(form, results, false)
}

/** Checks the form, opens its URLs and fetches its keys, all at the same time. */
export async function lint(
  { outbound }: Pick<Core, 'outbound'>,
  form: RegistrationForm,
): Promise<LintReport> {
  const results = await Promise.all(
    lintRules.map(async (rule) => {
      const found = rule.find(form)
      return { rule, faults: [...found, ...((await rule.fetch?.find(form, outbound)) ?? [])] }
    }),
  )
  return toReport(form, results, true)
}

type RuleResult = Readonly<{ rule: LintRule; faults: readonly Fault[] }>

function toReport(form: RegistrationForm, results: readonly RuleResult[], opened: boolean): LintReport {
  const stopsSandbox = new Set(findSandboxFaults(form).map(({ field }) => field))
  const findings = results.flatMap(({ rule, faults }) =>
    faults.map(
      ({ severity = 'error', ...fault }): LintFinding => ({
        rule: rule.id,
        check: rule.check,
        severity,
        stage: severity === 'error' && stopsSandbox.has(fault.field) ? 'sandbox' : 'production',
        missing: isEmpty(form[fault.field]),
        ...fault,
      }),
    ),
  )
  // Errors come before hints; each group is in the order of the page.
  findings.sort((one, other) => Number(one.severity === 'hint') - Number(other.severity === 'hint'))
  return {
    findings,
    passed: results.flatMap(({ rule, faults }) => (faults.length > 0 ? [] : [rule.passed(form, opened)])),
    unopened: opened ? [] : lintRules.flatMap(({ fetch }) => fetch?.fields(form) ?? []),
    complete: opened && findings.every(({ severity }) => severity === 'hint'),
  }
}

function isEmpty(value: RegistrationForm[keyof RegistrationForm]): boolean {
  return typeof value === 'boolean' ? !value : value.length === 0
}
