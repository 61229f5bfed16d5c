/** One thing that is looked at before a registration may be submitted. */
import type { LintFinding } from '../../../contract/workflows/lint-findings.ts'
import type { RegistrationCheckId } from '../../../contract/workflows/registration-checks.ts'
import type { RegistrationField, RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Outbound } from '../../../outbound/outbound.ts'

export type Fault = Readonly<{
  field: RegistrationField
  /** Left out: it keeps the request from being submitted. */
  severity?: LintFinding['severity']
  reason: string
  fix: string
}>

export type LintRule = Readonly<{
  id: string
  check: RegistrationCheckId
  /**
   * Said when nothing is wrong: exactly what was checked, and no more.
   * @param opened the addresses of the form were opened; without `fetch` no rule opens one
   */
  passed: (form: RegistrationForm, opened: boolean) => string
  /** What is wrong in what the form says. */
  find: (form: RegistrationForm) => readonly Fault[]
  /** What other hosts are asked. */
  fetch?: Readonly<{
    /** The fields whose address is opened: those with which `find` is content. */
    fields: (form: RegistrationForm) => readonly RegistrationField[]
    /** What is wrong with what the hosts of these fields answer. */
    find: (form: RegistrationForm, outbound: Outbound) => Promise<readonly Fault[]>
  }>
}>

/** A complete https address without credentials. */
export function parseHttps(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null
}

/** As a sentence may repeat it. */
export function shorten(text: string, charactersMax = 80): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}
