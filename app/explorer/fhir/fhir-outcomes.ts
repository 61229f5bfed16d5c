/** Which tokens a page compares for one request, and how it says what each of them gets. */
import { isFhirType } from '../../../server/contract/fhir/registry.ts'
import type { FhirQuestion, TokenAsked, TokenOutcome } from '../../../server/lab/explorer/fhir-outcomes.ts'
import { type BuilderPerson, defaultPerson } from './fhir-person.ts'
import type { FhirRequest } from './fhir-request.ts'
import { scopeText, type TokenKind } from './fhir-scopes.ts'

export interface TokenRow {
  readonly level: string
  readonly title: string
  readonly allowed: boolean
  readonly why: string
}

export interface TokenGroup {
  readonly title: string
  readonly rows: readonly TokenRow[]
}

const choices = ['all', 'needed', 'without'] as const

/** @param decide by the rules of the interface, of this practice */
export function outcomesOf(
  {
    request,
    person,
    types,
    base,
  }: {
    request: FhirRequest
    person: BuilderPerson
    types: readonly string[]
    base: string
  },
  decide: (question: FhirQuestion, token: TokenAsked) => TokenOutcome,
): readonly TokenGroup[] {
  const { type, path } = request
  const interaction = interactionOf(request)
  if (!isFhirType(type) || interaction === null) return []
  const [address = '', query = ''] = path.split('?')
  const parameters = [...new URLSearchParams(query)]
  const id = address.split('/')[1] ?? ''
  const question = { type, interaction, id, parameters, base }
  const patientId = patientFor(person, question)
  const titles: Record<TokenKind, string> = {
    patient: `Token of the patient ${patientId}`,
    clinician: 'Token of a clinician',
    backend: 'Token of a backend system',
  }
  const words = {
    all: 'Everything',
    needed: 'Only what this call needs',
    without: `Everything except ${type}`,
  }
  return (['patient', 'clinician', 'backend'] as const).map((audience) => ({
    title: titles[audience],
    rows: choices.map((choice) => {
      const scope = scopeText(choice, { kind: audience, request, types, own: '' })
      const token = { audience, patientId: audience === 'patient' ? patientId : null, scope }
      const { allowed, why } = decide(question, token)
      const provided = allowed ? request.operation?.provided : undefined
      return { level: choice, title: words[choice], allowed, why: [why, provided].filter(Boolean).join(' ') }
    }),
  }))
}

/** A next page is good for the grant that was given its link, and for nobody else. */
function interactionOf({ interaction, operation, path }: FhirRequest): FhirQuestion['interaction'] | null {
  if (operation) return new URLSearchParams(path.split('?')[1]).has('_cursor') ? null : operation.needs
  return interaction === 'read' || interaction === 'search' ? interaction : null
}

/** The builder's own patient; for a clinician's call the one it asks for. */
function patientFor({ kind, id }: BuilderPerson, question: FhirQuestion): string {
  if (kind === 'patient') return id
  const isPatient = question.type === 'Patient'
  const named = question.parameters.find(([name]) => name === (isPatient ? '_id' : 'patient'))?.[1]
  const asked = (isPatient && question.id) || named?.replace(/^.*\//, '')
  return asked || defaultPerson.id
}
