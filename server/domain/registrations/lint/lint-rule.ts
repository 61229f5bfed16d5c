/** A check that runs before a registration can be submitted. */
import type { LintFinding } from '../../../contract/workflows/lint-findings.ts'
import type { RegistrationCheckId } from '../../../contract/workflows/registration-checks.ts'
import type { RegistrationField, RegistrationForm } from '../../../contract/workflows/registration-form.ts'
import type { Outbound } from '../../../outbound/outbound.ts'

export type Fault = Readonly<{
  field: RegistrationField
  /** By default, the fault keeps the registration from being submitted. */
  severity?: LintFinding['severity']
  reason: string
  fix: string
}>

export type LintRule = Readonly<{
  id: string
  check: RegistrationCheckId
  /**
   * The message if nothing is wrong. It must name exactly what was checked, and no more.
   * @param opened whether the URLs of the form were fetched; a rule without `fetch` fetches none
   */
  passed: (form: RegistrationForm, opened: boolean) => string
  /** Faults that the form itself shows. */
  find: (form: RegistrationForm) => readonly Fault[]
  /** The part of the check that sends requests to other hosts. */
  fetch?: Readonly<{
    /** The fields whose URL is fetched. `find` above has no fault for them. */
    fields: (form: RegistrationForm) => readonly RegistrationField[]
    /** Faults in the responses of these fields' hosts. */
    find: (form: RegistrationForm, outbound: Outbound) => Promise<readonly Fault[]>
  }>
}>

/** Parses an absolute https URL without credentials. Anything else gives null. */
export function parseHttps(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url : null
}

/** Shortens a value so that a sentence can quote it. */
export const shorten = (text: string, charactersMax = 80): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
