/** How a search says what it does not take. What was sent is repeated only as far as it is a parameter's name. */
import { Problem } from '../contract/http/problems.ts'

/** Not offered: left out under lenient handling. `field` is one of ours or `unknown_parameter`. */
export function notSupported(message: string, field: string): Problem {
  return new Problem('validation', { message, field, fhirIssue: 'not-supported' })
}

/** Offered, but this value is none: refused under any handling. */
export function wrongValue(message: string, field: string): Problem {
  return new Problem('validation', { message, field, fhirIssue: 'value' })
}

/** A caller's name in our sentence: short, and nothing a terminal or log would act on. */
export function truncate(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain
}
