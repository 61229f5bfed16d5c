/** Looks at a registration by every rule; a report without errors is what “complete” means. */
import type { LintFinding, LintReport } from '../../../contract/workflows/lint-findings.ts'
import type { RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Core } from '../../core.ts'
import { findSandboxFaults } from '../apply-approved.ts'
import { launchAddress, links, redirects } from './address-rules.ts'
import { attestations, clientType, contacts, identity, noSecrets } from './form-rules.ts'
import { keys } from './keys.ts'
import type { Fault, LintRule } from './lint-rule.ts'
import { scopes } from './scopes.ts'

/** In the order of the page. */
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

/** By what the form says alone: quick, and never complete, as no one else was asked. */
export function look(form: RegistrationForm): LintReport {
  const looked = lintRules.map((rule) => ({ rule, faults: rule.find(form) }))
  return toReport(form, looked, false)
}

/** The whole of it: addresses are opened and keys fetched, at the same time. */
export async function lint(
  { outbound }: Pick<Core, 'outbound'>,
  form: RegistrationForm,
): Promise<LintReport> {
  const looked = await Promise.all(
    lintRules.map(async (rule) => {
      const found = rule.find(form)
      return { rule, faults: [...found, ...((await rule.fetch?.find(form, outbound)) ?? [])] }
    }),
  )
  return toReport(form, looked, true)
}

type Looked = Readonly<{ rule: LintRule; faults: readonly Fault[] }>

function toReport(form: RegistrationForm, looked: readonly Looked[], opened: boolean): LintReport {
  const stopsSandbox = new Set(findSandboxFaults(form).map(({ field }) => field))
  const findings = looked.flatMap(({ rule, faults }) =>
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
  // Errors first; the order of the page within.
  findings.sort((one, other) => Number(one.severity === 'hint') - Number(other.severity === 'hint'))
  return {
    findings,
    passed: looked.flatMap(({ rule, faults }) => (faults.length > 0 ? [] : [rule.passed(form, opened)])),
    unopened: opened ? [] : lintRules.flatMap(({ fetch }) => fetch?.fields(form) ?? []),
    complete: opened && findings.every(({ severity }) => severity === 'hint'),
  }
}

function isEmpty(value: RegistrationForm[keyof RegistrationForm]): boolean {
  return typeof value === 'boolean' ? !value : value.length === 0
}
