/** https://hl7.org/fhir/R4/datatypes.html#id — what cannot be an id names nothing that is there. */
import { Problem } from '../contract/http/problems.ts'

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

/** @throws Problem `not_found` */
export function checkId(id: string): void {
  if (!idPattern.test(id)) throw new Problem('not_found')
}
