/** `Patient/{id}/$everything`, https://hl7.org/fhir/R4/patient-operation-everything.html */
import { type FhirType, fhirRegistry, isFhirType, registryRow } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import { isProblem } from '../contract/http/problems.ts'
import type { Access } from './access.ts'
import type { Handling, Ignored, Parameter } from './compile.ts'
import { chartTypes, checkCompleteChart } from './complete-chart.ts'
import { overlapping, parseSearchDate } from './date-bounds.ts'
import { visibleIn } from './includes.ts'
import type { EverythingPlan, Position } from './plan.ts'
import { notSupported, truncate, wrongValue } from './refusals.ts'
import { parseCount } from './result-parameters.ts'

interface EverythingRequest {
  readonly patientId: string
  /** `_type`, `_since`, `start`, `end`, `_count`; decoded. */
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  readonly after: Position | null
  /** What the caller may read and may search of a type; null: nothing. */
  readonly accessTo: (type: FhirType, interaction: 'read' | 'search') => Access | null
}

interface CompiledEverything {
  readonly plan: EverythingPlan
  readonly understood: readonly Parameter[]
  readonly ignored: readonly Ignored[]
  readonly count: number
}

const types = Object.keys(fhirRegistry) as FhirType[]
/** What lies outside of all charts. */
const outsideTypes = types.filter((type) => registryRow(type).compartment === null)

/**
 * @throws Problem `forbidden` unless every type of the chart may be read and searched without a filter,
 * `not_found` for a patient who is not the token's, `validation`
 */
export function compileEverything(request: EverythingRequest): CompiledEverything {
  const { patientId, accessTo } = request
  checkCompleteChart(request, '$everything')
  const reading = readParameters(request)
  const wanted = (type: FhirType) => reading.types === null || reading.types.has(type)
  const referred = outsideTypes
    .filter(wanted)
    .flatMap((type) => visibleIn(accessTo(type, 'search'), type, patientId) ?? [])
  const { start, end, since, count } = reading
  return {
    plan: {
      patientId,
      types: chartTypes.filter(wanted),
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
