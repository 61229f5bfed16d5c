/** Whom a token is for, as an address of the builder says it: `patient:pt-wren-testwell`. */
import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import type { PersonKind } from './fhir-scopes.ts'

export interface BuilderPerson {
  readonly kind: PersonKind
  readonly id: string
}

export const defaultPerson: BuilderPerson = { kind: 'patient', id: sandboxPeople[0]?.id ?? '' }

export function formatPerson({ kind, id }: BuilderPerson): string {
  return `${kind}:${id}`
}

/** @param otherId a patient that is not on the list; it goes before `as` */
export function parsePerson(as: string | null, otherId: string | null): BuilderPerson {
  const other = otherId?.trim() ?? ''
  if (other !== '') return { kind: 'patient', id: other.slice(0, 64) }
  const [, kind, id = ''] = /^(patient|clinician):(.{1,64})$/.exec(as ?? '') ?? []
  return kind === 'patient' || kind === 'clinician' ? { kind, id } : defaultPerson
}
