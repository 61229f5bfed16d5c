/** The person of the builder's token, the scopes that a call needs, and the choices of scopes to request. */

import { sandboxPeople } from '../../../server/contract/lab/sandbox-people.ts'
import type { FhirRequest } from './fhir-request-parts.ts'

/** The kinds of people for whom the builder gets tokens. */
export type PersonKind = keyof typeof contextOf

export const contextOf = { patient: 'patient', clinician: 'user' } as const

export const scopeChoices = ['all', 'needed', 'without', 'own'] as const
type ScopeChoice = (typeof scopeChoices)[number]

/** The scopes that a token needs for a complete response, one for each type. */
export function neededScopes(kind: PersonKind, request: FhirRequest): readonly string[] {
  const { interaction, type, included, operation } = request
  if (operation?.needs === 'chart' || operation?.needs === 'ccd') return [`${contextOf[kind]}/*.rs`]
  const isRead = operation ? operation.needs === 'read' : interaction === 'read'
  const scope = `${contextOf[kind]}/${type}.${isRead ? 'r' : 's'}`
  return [scope, ...included.filter((name) => name !== type).map((name) => `${contextOf[kind]}/${name}.rs`)]
}

/**
 * The scopes to request a token with.
 * @param input.types types of the CapabilityStatement that this kind of person may see
 */
export function scopeText(
  choice: ScopeChoice,
  input: { kind: PersonKind; request: FhirRequest; types: readonly string[]; own: string },
): string {
  const context = contextOf[input.kind]
  switch (choice) {
    case 'all':
      return `${context}/*.rs`
    case 'needed':
      return neededScopes(input.kind, input.request).join(' ')
    case 'without':
      return input.types
        .filter((type) => type !== input.request.type && !(context === 'patient' && type === 'Group'))
        .map((type) => `${context}/${type}.rs`)
        .join(' ')
    case 'own':
      return input.own
  }
}

/** The person of a token, in the builder's URL `patient:pt-wren-testwell`. */
export interface BuilderPerson {
  readonly kind: PersonKind
  readonly id: string
}

const defaultPerson: BuilderPerson = { kind: 'patient', id: sandboxPeople[0]?.id ?? '' }

export const formatPerson = ({ kind, id }: BuilderPerson): string => `${kind}:${id}`

/** @param otherId a patient that is not on the list. It has precedence over `as`. */
export function parsePerson(as: string | null, otherId: string | null): BuilderPerson {
  const other = otherId?.trim() ?? ''
  if (other !== '') return { kind: 'patient', id: other.slice(0, 64) }
  const [, kind, id = ''] = /^(patient|clinician):(.{1,64})$/.exec(as ?? '') ?? []
  return kind === 'patient' || kind === 'clinician' ? { kind, id } : defaultPerson
}
