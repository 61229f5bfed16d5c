/** `Patient/{id}/$everything`, https://hl7.org/fhir/R4/patient-operation-everything.html */

import { parseDateInterval } from '../contract/fhir/date-interval.ts'
import { type FhirType, fhirRegistry, isFhirType, registryRow } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import { isProblem, Problem } from '../contract/http/problems.ts'
import type { Access } from './access.ts'
import type { Handling, Ignored, Parameter } from './compile.ts'
import { overlapping, parseSearchDate } from './criteria.ts'
import { cursorParameter } from './cursor.ts'
import { visibleIn } from './includes.ts'
import { chartTypes, checkCompleteChart } from './patient-record.ts'
import type { EverythingPlan, Position } from './plan.ts'
import { notSupported, parseCount, truncate, wrongValue } from './result-parameters.ts'

interface EverythingRequest {
  readonly patientId: string
  /** The decoded parameters `_type`, `_since`, `start`, `end` and `_count`. */
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  readonly after: Position | null
  /** The caller's access to a type for reading or searching, if any. */
  readonly accessTo: (type: FhirType, interaction: 'read' | 'search') => Access | null
}

interface CompiledEverything {
  readonly plan: EverythingPlan
  readonly understood: readonly Parameter[]
  readonly ignored: readonly Ignored[]
  readonly count: number
}

const types = Object.keys(fhirRegistry) as FhirType[]
/** Types outside all charts. */
const outsideTypes = types.filter((type) => registryRow(type).compartment === null)

/**
 * @throws Problem `forbidden` unless every type of the chart may be read and searched without a filter,
 * `not_found` for a patient who is not the token's, `validation`
 */
export function compileEverything(request: EverythingRequest): CompiledEverything {
  const { patientId, accessTo } = request
  checkCompleteChart(request, '$everything')
  const reading = readParameters(request)
  const isRequested = (type: FhirType) => reading.types === null || reading.types.has(type)
  const referred = outsideTypes
    .filter(isRequested)
    .flatMap((type) => visibleIn(accessTo(type, 'search'), type, patientId) ?? [])
  const { start, end, since, count } = reading
  return {
    plan: {
      patientId,
      types: chartTypes.filter(isRequested),
      referred,
      since,
      care:
        start === null && end === null
          ? null
          : overlapping({ low: start ?? '-infinity', high: end ?? 'infinity' }),
      count: count ?? limits.fhirPageSizeMax,
      after: request.after,
    },
    understood: reading.understood,
    ignored: reading.ignored,
    count: count ?? limits.fhirPageSizeMax,
  }
}

interface Reading {
  types: ReadonlySet<FhirType> | null
  since: string | null
  start: string | null
  end: string | null
  count: number | null
  readonly understood: Parameter[]
  readonly ignored: Ignored[]
}

function readParameters({ parameters, handling }: EverythingRequest): Reading {
  const reading: Reading = {
    types: null,
    since: null,
    start: null,
    end: null,
    count: null,
    understood: [],
    ignored: [],
  }
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (name === '_format' || name === '_pretty') continue
    try {
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined
      if (read === undefined) {
        throw notSupported(
          `The parameter ${truncate(name)} of $everything is not supported. Supported: ${Object.keys(readers).join(', ')}.`,
          'unknown_parameter',
        )
      }
      if (seen.has(name) && name !== '_type') throw wrongValue(`${name} is given twice.`, name)
      seen.add(name)
      read(reading, value)
      reading.understood.push([name, name === '_count' ? String(reading.count) : value])
    } catch (thrown) {
      if (handling === 'strict' || !isProblem(thrown) || thrown.fhirIssue !== 'not-supported') throw thrown
      reading.ignored.push({ name: truncate(name), reason: thrown.message })
    }
  }
  return reading
}

const readers: Readonly<Record<string, (reading: Reading, value: string) => void>> = {
  _type: (reading, value) => {
    const named = value.split(',')
    if (!named.every(isFhirType))
      throw wrongValue('_type must list types of this server, separated by commas.', '_type')
    reading.types = new Set([...(reading.types ?? []), ...(named as FhirType[])])
  },
  _since: (reading, value) => {
    const interval = value.includes('T') ? parseSearchDate(value) : null
    if (interval === null) throw wrongValue('_since must be an instant, yyyy-mm-ddThh:mm:ssZ.', '_since')
    reading.since = interval.low
  },
  start: (reading, value) => {
    reading.start = dateOf('start', value).low
  },
  end: (reading, value) => {
    reading.end = dateOf('end', value).high
  },
  _count: (reading, value) => {
    reading.count = parseCount(value)
  },
}

function dateOf(name: string, value: string) {
  const interval = parseSearchDate(value)
  if (interval === null) throw wrongValue(`${name} must be a date, yyyy-mm-dd.`, name)
  return interval
}

// The parameters of `$docref`, https://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html

/** Converts each parameter to the search parameter that it stands for; null if there is none. */
const searchParameters: Readonly<Record<string, ((value: string) => Parameter) | null>> = {
  patient: (value) => ['patient', value],
  type: (value) => ['type', value],
  start: (value) => ['period', `ge${parseDay('start', value)}`],
  end: (value) => ['period', `le${parseDay('end', value)}`],
  _count: (value) => ['_count', value],
  'on-demand': null,
  [cursorParameter]: null,
}

/** @throws Problem `validation`; documents are distinguished by type alone, so a filter by profile is refused */
export function readDocref(parameters: readonly Parameter[]) {
  const search: Parameter[] = [['status', 'current']]
  let onDemandOnly = false
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (!Object.hasOwn(searchParameters, name)) throw unsupported(name)
    if (seen.has(name)) throw refused(`${name} is given twice.`, name)
    seen.add(name)
    const toParameter = searchParameters[name]
    if (toParameter) search.push(toParameter(value))
    if (name === 'on-demand') onDemandOnly = parseFlag(value)
  }
  const values = new Map(parameters)
  const [type = null, start = null, end = null] = ['type', 'start', 'end'].map((name) => values.get(name))
  return {
    /** The stored documents that the request covers. */
    search,
    /** On-demand documents only. */
    onDemandOnly,
    type,
    start,
    end,
  }
}

function parseDay(name: string, value: string): string {
  if (parseDateInterval(value) === null) {
    throw refused(`${name} must be a date or a date with time and offset.`, name)
  }
  return value
}

function parseFlag(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw refused('on-demand must be true or false.', 'on-demand')
  return value === 'true'
}

function refused(message: string, field: string): Problem {
  return new Problem('validation', { message, field, fhirIssue: 'value' })
}

function unsupported(name: string): Problem {
  const message =
    name === 'profile'
      ? 'Filters by document profile are not supported.'
      : '$docref accepts patient, start, end, type, on-demand and _count.'
  const field = name === 'profile' ? name : 'unknown_parameter'
  return new Problem('validation', { message, field, fhirIssue: 'not-supported' })
}
