/** From a FHIR search request to its plan: pure, and everything that can be refused is refused here. */
import {
  type FhirType,
  type FhirTypeRow,
  registryRow,
  type SearchParameterRow,
} from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import { isProblem, Problem } from '../contract/http/problems.ts'
import { type Access, grantsFor } from './access.ts'
import { alternatives, checkModifier, compileCriterion } from './criteria.ts'
import { compileInclude, scopeCodes, visibleIn } from './includes.ts'
import type { Criterion, IncludePlan, Position, ReadPlan, TimePlan } from './plan.ts'
import {
  notSupported,
  parseCount,
  parseReference,
  parseSort,
  truncate,
  wrongValue,
} from './result-parameters.ts'

/** Decoded, in the order given. */
export type Parameter = readonly [name: string, value: string]

/** https://hl7.org/fhir/R4/search.html#errors: `lenient` leaves out what is not supported and says so. */
export type Handling = 'strict' | 'lenient'

interface SearchRequest {
  readonly access: Access
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  /** Absolute FHIR base of the practice, no slash at its end. */
  readonly base: string
  readonly now: Date
  /** Of an opened cursor; null for a first page. */
  readonly after: Position | null
  /** What the caller may see of an included type; null: nothing. */
  readonly accessTo: (type: FhirType) => Access | null
  /** The registry without what the store cannot answer yet (`store.offeredRows`); all of it when left out. */
  readonly rowOf?: (type: FhirType) => FhirTypeRow
}

export interface Ignored {
  /** As it was given, fit to be shown. */
  readonly name: string
  readonly reason: string
}

export type CompiledSearch = ReturnType<typeof compileSearch>

/** Of the answer's form; the interface handles them. */
const formParameters = new Set(['_format', '_pretty'])

/** Ours: each is looked at for every resource of a chart. */
const criteriaMax = 15

/** Ours: every alternative of every parameter counts. */
const alternativesMax = 200

/**
 * @throws Problem `validation` (400, `field` is the parameter, `fhirIssue` `required` without a patient and
 * `not-supported` for what is not offered), `forbidden` (403: a patient who is not the token's), `unsupported`
 * (404: chained search, which is not available)
 */
export function compileSearch(request: SearchRequest) {
  const reading = readParameters(request)
  const { access, rowOf = registryRow } = request
  const patientId = choosePatient(access, reading.patientIds)
  const visible = visibleIn(access, access.type, patientId)
  // choosePatient has refused every patient that no grant is about.
  if (visible === null) throw new Problem('forbidden')
  const includes: IncludePlan[] = []
  const { ignored } = reading
  for (const { name, value } of reading.includes) {
    const compiled = compileInclude(name, value, {
      type: access.type,
      patientId,
      accessTo: request.accessTo,
      rowOf,
    })
    includes.push(...compiled.includes)
    for (const type of compiled.withheld)
      ignored.push({ name, reason: `${type} is not granted to this token, so none is included.` })
  }
  const sort = reading.sort ?? { by: 'date', descending: true }
  const count = reading.count ?? limits.fhirPageSizeDefault
  return {
    plan: { visible, criteria: reading.criteria, sort, count, after: request.after, includes },
    /** What was understood, for the `self` link. */
    understood: reading.understood,
    /** What was left out and why, each to be said in an OperationOutcome of the Bundle. */
    ignored,
    /** The chart that is searched; null for types outside the compartment. For the audit record. */
    patientId,
    /** Resources of a page, as served. */
    count,
  }
}

/** A read is a search by id: what is not visible is not there. */
export function compileRead(access: Access, id: string): ReadPlan {
  const { type } = access
  const charts = [...new Set(access.grants.map(({ patientId }) => patientId))]
  const visible = charts.map((patientId) => ({
    type,
    patientId,
    codes: scopeCodes(access.grants.filter((grant) => grant.patientId === patientId)),
  }))
  // Where one grant opens all of it the others say nothing more, and the statement would not use them.
  const whole = visible.find(({ patientId, codes }) => patientId === null && codes === null)
  return { type, id, visible: whole ? [whole] : visible }
}

interface Reading {
  readonly criteria: Criterion[]
  readonly patientIds: Set<string>
  readonly includes: { name: '_include' | '_revinclude'; value: string }[]
  sort: TimePlan['sort'] | null
  count: number | null
  alternatives: number
  readonly understood: Parameter[]
  readonly ignored: Ignored[]
}

function readParameters(request: SearchRequest): Reading {
  const reading: Reading = {
    criteria: [],
    patientIds: new Set(),
    includes: [],
    sort: null,
    count: null,
    alternatives: 0,
    understood: [],
    ignored: [],
  }
  for (const parameter of request.parameters) {
    if (formParameters.has(parameter[0])) continue
    try {
      const understood = readParameter(parameter, reading, request)
      reading.understood.push(understood)
    } catch (thrown) {
      if (request.handling === 'strict' || !isProblem(thrown) || thrown.fhirIssue !== 'not-supported')
        throw thrown
      // Chained search is no parameter but another kind of search.
      if (thrown.kind === 'unsupported') throw thrown
      reading.ignored.push({ name: truncate(parameter[0]), reason: thrown.message })
    }
  }
  return reading
}

/** @returns the parameter as it was understood */
function readParameter(parameter: Parameter, reading: Reading, request: SearchRequest): Parameter {
  const [name, value] = parameter
  const { type } = request.access
  const { rowOf = registryRow } = request
  if (/^_has(:|$)|\./.test(name)) {
    throw new Problem('unsupported', {
      field: 'unknown_parameter',
      message: 'Chained and reverse chained searches are not supported.',
    })
  }
  switch (name) {
    case '_count': {
      if (reading.count !== null) throw twice(name)
      reading.count = parseCount(value)
      return [name, String(reading.count)]
    }
    case '_sort': {
      if (reading.sort !== null) throw twice(name)
      reading.sort = parseSort(rowOf(type), type, value)
      return parameter
    }
    case '_include':
    case '_revinclude': {
      // Tried here, so that lenient handling can leave it out.
      compileInclude(name, value, { type, patientId: null, accessTo: () => null, rowOf })
      reading.includes.push({ name, value })
      return parameter
    }
  }
  readFilter(parameter, reading, request)
  return parameter
}

function readFilter([name, value]: Parameter, reading: Reading, request: SearchRequest): void {
  const { type } = request.access
  const row = (request.rowOf ?? registryRow)(type)
  const [code = '', ...modifiers] = name.split(':')
  const parameter = row.parameters.find((each) => each.name === code && each.offered !== false)
  if (parameter === undefined) throw unknownParameter(row, type, code)
  const modifier = modifiers.length === 0 ? null : modifiers.join(':')
  checkModifier(parameter, modifier)
  reading.alternatives += alternatives(parameter, value).length
  if (reading.alternatives > alternativesMax) {
    throw wrongValue(`A search has at most ${alternativesMax} values.`, parameter.name)
  }
  if (namesPatient(type, parameter)) {
    for (const each of alternatives(parameter, value))
      reading.patientIds.add(patientOf(parameter, each, request.base))
    return
  }
  if (reading.criteria.length === criteriaMax) {
    throw wrongValue(`A search has at most ${criteriaMax} criteria.`, parameter.name)
  }
  reading.criteria.push(compileCriterion(parameter, modifier, value, request))
}

/** `patient`, and `_id` of the type whose resources are the owners themselves. */
const namesPatient = (type: FhirType, { kind }: SearchParameterRow): boolean =>
  kind === 'patient' || (kind === 'id' && registryRow(type).compartment === 'self')

function patientOf(parameter: SearchParameterRow, value: string, base: string): string {
  if (parameter.kind === 'id') return value
  const reference = parseReference(value, base)
  const owner = reference && (reference.type === null || registryRow(reference.type).compartment === 'self')
  if (reference !== null && owner) return reference.id
  throw wrongValue(
    `${parameter.name} needs a patient’s id, Patient/id or a URL on this base.`,
    parameter.name,
  )
}

/** The chart to search; null for types that belong to no chart. */
function choosePatient(access: Access, named: ReadonlySet<string>): string | null {
  if (registryRow(access.type).compartment === null) return null
  const field = registryRow(access.type).compartment === 'self' ? '_id' : 'patient'
  if (named.size > 1) throw wrongValue(`A search must be about one patient, but ${field} has several.`, field)
  const [patientId = access.patientId] = named
  if (patientId === null) {
    throw new Problem('validation', {
      field,
      fhirIssue: 'required',
      message: `This token is not limited to one patient. Name the patient with ${field}.`,
    })
  }
  if (grantsFor(access, patientId).length > 0) return patientId
  throw new Problem('forbidden', {
    message: 'This token is for another patient.',
    detail: 'a patient other than the token’s',
  })
}

function unknownParameter(row: FhirTypeRow, type: FhirType, code: string): Problem {
  const offered = row.parameters.filter((each) => each.offered !== false)
  const names = [...offered.map((each) => each.name), '_count', '_sort']
  if (row.includes.length > 0) names.push('_include')
  if (row.revIncludes.length > 0) names.push('_revinclude')
  return notSupported(
    `The parameter ${truncate(code)} of ${type} is not supported. Supported: ${names.join(', ')}.`,
    'unknown_parameter',
  )
}

const twice = (name: string): Problem => wrongValue(`${name} is given twice.`, name)
