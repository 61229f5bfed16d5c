/** An answer of FHIR with everything its page says of it: its parts, its scopes, what else would get it, and code. */

import { isFhirType } from '../../../server/contract/fhir/registry.ts'
import { jsonOf } from '../../../server/contract/http/answer-head.ts'
import { covers } from '../../../server/contract/smart/scope-narrowing.ts'
import { readScopes } from '../../../server/contract/smart/scopes.ts'
import type { FhirQuestion, TokenAsked, TokenOutcome } from '../../../server/lab/explorer/fhir-outcomes.ts'
import type { Services } from '../../../server/services.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import type { LevelOutcome } from '../answers/answer-levels.tsx'
import type { HereAnswer } from '../calls/caller.server.ts'
import type { FhirRequest } from './fhir-request-parts.ts'
import { readResult } from './fhir-result.ts'
import { type BuilderPerson, defaultPerson, neededScopes, scopeText, type TokenKind } from './fhir-token.ts'

/** More than that is of no use on a page. */
const shownMax = 200_000

interface Asked {
  request: FhirRequest
  person: BuilderPerson
  /** What the token holds. */
  granted: string
  /** Types that a token may be asked for. */
  types: readonly string[]
  base: string
  practice: Parameters<Services['decideFhir']>[0]
}

export function showFhirAnswer(
  { text, ...answer }: HereAnswer,
  asked: Asked,
  { decideFhir, compareFhir }: Pick<Services, 'decideFhir' | 'compareFhir'>,
) {
  const { request, person, granted, base, practice } = asked
  const body = jsonOf(text)
  const result = readResult(body)
  const isCut = text.length > shownMax
  return {
    ...answer,
    request: { type: request.type, interaction: request.interaction },
    text: isCut ? (body === undefined ? text : JSON.stringify(body, null, 2)).slice(0, shownMax) : text,
    shortened: isCut,
    result: result && { ...result, next: result.next?.startsWith(`${base}/`) ? result.next : null },
    comparison: compareFhir(body),
    outcomes: outcomesOf(asked, (question, token) => decideFhir(practice, question, token)),
    scope: granted,
    ...scopesOf(person, request, granted),
    snippets: withColors(
      snippetsFor({
        method: 'GET',
        url: `${base}/${request.path}`,
        headers: [
          { name: 'Accept', value: request.operation?.accept ?? 'application/fhir+json' },
          { name: 'Authorization', value: 'Bearer $ACCESS_TOKEN' },
        ],
        fhirBase: base,
      }),
    ),
  }
}

/** What the call needs, and what of that this token does not hold. */
function scopesOf({ kind }: BuilderPerson, request: FhirRequest, granted: string) {
  const held = readScopes(granted)
  const needed = neededScopes(kind, request)
  return { needed, missing: needed.filter((text) => readScopes(text).some((scope) => !covers(held, scope))) }
}

/** Which tokens a page compares for one request, and how it says what each of them gets. */
interface TokenGroup {
  readonly title: string
  readonly rows: readonly LevelOutcome[]
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

/** A link to a next page works only for the grant that received it. */
function interactionOf({ interaction, operation, path }: FhirRequest): FhirQuestion['interaction'] | null {
  if (operation) return new URLSearchParams(path.split('?')[1]).has('_cursor') ? null : operation.needs
  return interaction === 'read' || interaction === 'search' ? interaction : null
}

/** The builder's own patient; for a clinician's call the one it asks for. */
function patientFor({ kind, id }: BuilderPerson, question: FhirQuestion): string {
  if (kind === 'patient') return id
  const isPatient = question.type === 'Patient'
  const named = question.parameters.find(([name]) => name === (isPatient ? '_id' : 'patient'))?.[1]
  const patientId = (isPatient && question.id) || named?.replace(/^.*\//, '')
  return patientId || defaultPerson.id
}
