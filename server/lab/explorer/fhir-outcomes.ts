/**
 * What tokens of other people and other scopes would get of one FHIR request, and why: decided by the functions that
 * the interface decides by (auth/access, search/compile), without a token, a request or a look at the store.
 */
import { accessTo, findAccess } from '../../auth/access.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { type ResourceScope, readScopes } from '../../contract/smart/scopes.ts'
import type { Core } from '../../domain/core.ts'
import { checkFhirAccess, type SmartPractice, typesLetOut } from '../../domain/practices/fhir-access.ts'
import { compileRead, compileSearch, type Parameter } from '../../search/compile.ts'
import { compileEverything, readDocref } from '../../search/everything.ts'
import { checkCcd } from '../../search/patient-record.ts'

export type FhirQuestion = Readonly<{
  type: FhirType
  /**
   * `chart` and `ccd`: an operation over all of a chart. Of a later page nothing can be told: its link is good for one
   * grant.
   */
  interaction: 'read' | 'search' | 'docref' | 'chart' | 'ccd'
  /** Of a read, or of the patient whose chart it is. */
  id: string
  /** Of a search or a chart, decoded. */
  parameters: readonly Parameter[]
  /** Absolute FHIR base of the practice. */
  base: string
}>

export type TokenAsked = Readonly<{
  audience: SmartPrincipal['audience']
  /** Whose token it is, if a patient's. */
  patientId: string | null
  scope: string
}>

export type TokenOutcome = Readonly<{ allowed: boolean; why: string }>

type Caller = Parameters<typeof accessTo>[0]

export function decide(
  core: Core,
  practice: SmartPractice,
  question: FhirQuestion,
  token: TokenAsked,
): TokenOutcome {
  try {
    checkFhirAccess(practice, token.audience)
  } catch (thrown) {
    return refusedBy(thrown, 'No token is issued: ')
  }
  const caller: Caller = {
    audience: token.audience,
    patientId: token.patientId,
    scopes: readScopes(token.scope).filter((scope): scope is ResourceScope => scope.kind === 'resource'),
    typesAllowed: typesLetOut(practice),
  }
  try {
    return {
      allowed: true,
      why: answers[question.interaction](core, question, caller),
    }
  } catch (thrown) {
    return refusedBy(thrown)
  }
}

function read(_: Core, { type, id }: FhirQuestion, caller: Caller): string {
  const { visible } = compileRead(accessTo(caller, type, 'read'), id)
  const charts = visible.flatMap(({ patientId }) => patientId ?? [])
  if (charts.length === visible.length)
    return `Found if it is in the chart of ${charts.join(' or ')}; not found in any other chart.`
  const narrowed = visible.every(({ codes }) => codes !== null)
  return narrowed ? 'Found if it matches the narrowed scope.' : 'Found for any patient of this practice.'
}

function chart(_: Core, { id, parameters }: FhirQuestion, caller: Caller): string {
  compileEverything({ ...chartOf(id, caller), parameters, handling: 'strict', after: null })
  return `The complete chart of ${id}.`
}

function ccd(_: Core, { id }: FhirQuestion, caller: Caller): string {
  checkCcd(chartOf(id, caller))
  return `The complete chart of ${id}, and the people it refers to.`
}

function docref(core: Core, { parameters, ...question }: FhirQuestion, caller: Caller): string {
  // What may not be seen is refused before what is asked wrongly, as the interface does it.
  accessTo(caller, question.type, 'search')
  return search(core, { ...question, parameters: readDocref(parameters).search }, caller)
}

function search({ clock }: Core, { type, parameters, base }: FhirQuestion, caller: Caller): string {
  const access = accessTo(caller, type, 'search')
  const { patientId, plan, ignored } = compileSearch({
    access,
    parameters,
    handling: 'strict',
    base,
    now: clock(),
    after: null,
    accessTo: (included) => findAccess(caller, included, 'search'),
  })
  const where = patientId === null ? 'In the complete practice.' : `In the chart of ${patientId}.`
  const narrowed = plan.visible.codes === null ? [] : ['Only what the narrowed scopes allow.']
  return [where, ...narrowed, ...new Set(ignored.map(({ reason }) => reason))].join(' ')
}

const answers = { read, search, docref, chart, ccd }

function chartOf(patientId: string, caller: Caller) {
  const of = (type: FhirType, interaction: 'read' | 'search') => findAccess(caller, type, interaction)
  return { patientId, accessTo: of }
}

function refusedBy(thrown: unknown, lead = ''): TokenOutcome {
  if (!isProblem(thrown) || thrown.status >= 500) throw thrown
  return { allowed: false, why: `${lead}${thrown.status}: ${thrown.message}` }
}
