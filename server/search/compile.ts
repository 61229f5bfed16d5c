/** Compiles a FHIR search request to its plan, without side effects, and refuses invalid requests. */
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

/** A decoded parameter. */
export type Parameter = readonly [name: string, value: string]

/** https://hl7.org/fhir/R4/search.html#errors: `lenient` ignores unsupported parameters with a warning. */
export type Handling = 'strict' | 'lenient'

interface SearchRequest {
  readonly access: Access
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  /** The practice's FHIR base URL, without a slash at its end. */
  readonly base: string
  readonly now: Date
  /** The position of the cursor; null for the first page. */
  readonly after: Position | null
  /** The caller's access to an included type, if any. */
  readonly accessTo: (type: FhirType) => Access | null
  /** The registry without what the search index does not support yet (`store.offeredRows`); complete by default. */
  readonly rowOf?: (type: FhirType) => FhirTypeRow
}

export interface Ignored {
  /** The name as it was sent, safe to show. */
  readonly name: string
  readonly reason: string
}

export type CompiledSearch = ReturnType<typeof compileSearch>

/** Parameters of the format, which the API handles. */
const formParameters = new Set(['_format', '_pretty'])

/** Limited, because each criterion may be checked for every resource of a chart. */
const criteriaMax = 15

/** Limits the alternatives of all parameters together. */
const alternativesMax = 200

/**
 * @throws Problem `validation` (400; `field` is the parameter; `fhirIssue` is `required` without a patient and
 * `not-supported` for an unsupported parameter), `forbidden` (403 for another patient than the token's), `unsupported`
 * (404 for chained search)
 */
export function compileSearch(request: SearchRequest) {
  const reading = readParameters(request)
  const { access, rowOf = registryRow } = request
  const patientId = choosePatient(access, reading.patientIds)
  const visible = visibleIn(access, access.type, patientId)
  // choosePatient has already refused patients that no grant covers.
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
    /** The supported parameters, for the `self` link. */
    understood: reading.understood,
    /** The ignored parameters with reasons, for an OperationOutcome in the Bundle. */
    ignored,
    /** The searched chart, for the access record; null for types outside the compartment. */
    patientId,
    /** The page size in use. */
    count,
  }
}

/** Compiles a read. A resource that is not visible counts as not found. */
export function compileRead(access: Access, id: string): ReadPlan {
  const { type } = access
  const charts = [...new Set(access.grants.map(({ patientId }) => patientId))]
  const visible = charts.map((patientId) => ({
    type,
    patientId,
    codes: scopeCodes(access.grants.filter((grant) => grant.patientId === patientId)),
  }))
  // A grant for all resources makes the others redundant and allows the faster statement.
  const unlimited = visible.find(({ patientId, codes }) => patientId === null && codes === null)
  return { type, id, visible: unlimited ? [unlimited] : visible }
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
      // Chained search is refused even with lenient handling, because it is another kind of search.
      if (thrown.kind === 'unsupported') throw thrown
      reading.ignored.push({ name: truncate(parameter[0]), reason: thrown.message })
    }
  }
  return reading
}

/** @returns the parameter with its effective value */
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
      // Compiled here only to detect errors, so that lenient handling can ignore the parameter.
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
  const parameter = row.parameters.find((candidate) => candidate.name === code && candidate.offered !== false)
  if (parameter === undefined) throw unknownParameter(row, type, code)
  const modifier = modifiers.length === 0 ? null : modifiers.join(':')
  checkModifier(parameter, modifier)
  reading.alternatives += alternatives(parameter, value).length
  if (reading.alternatives > alternativesMax) {
    throw wrongValue(`A search has at most ${alternativesMax} values.`, parameter.name)
  }
  if (namesPatient(type, parameter)) {
    for (const alternative of alternatives(parameter, value))
      reading.patientIds.add(patientOf(parameter, alternative, request.base))
    return
  }
  if (reading.criteria.length === criteriaMax) {
    throw wrongValue(`A search has at most ${criteriaMax} criteria.`, parameter.name)
  }
  reading.criteria.push(compileCriterion(parameter, modifier, value, request))
}

/** True for `patient`, and for `_id` of Patient. */
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

/** @returns the chart to search; null for types outside all charts */
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
  const offered = row.parameters.filter((parameter) => parameter.offered !== false)
  const names = [...offered.map((parameter) => parameter.name), '_count', '_sort']
  if (row.includes.length > 0) names.push('_include')
  if (row.revIncludes.length > 0) names.push('_revinclude')
  return notSupported(
    `The parameter ${truncate(code)} of ${type} is not supported. Supported: ${names.join(', ')}.`,
    'unknown_parameter',
  )
}

const twice = (name: string): Problem => wrongValue(`${name} is given twice.`, name)
