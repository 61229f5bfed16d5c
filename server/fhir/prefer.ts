/** https://hl7.org/fhir/R4/search.html#errors — strict unless the caller asks for lenient. */
import type { Handling } from '../search/compile.ts'

export function handlingOf(prefer: string | null): Handling {
  return prefer !== null && /(^|[,;])\s*handling\s*=\s*"?lenient"?\s*($|[,;])/i.test(prefer)
    ? 'lenient'
    : 'strict'
}
