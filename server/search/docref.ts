/** The parameters of `$docref`, https://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html */
import { parseDateInterval } from '../contract/fhir/date-interval.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Parameter } from './compile.ts'
import { cursorParameter } from './cursor.ts'

/** Each parameter as the search that it means; null where it is no search. */
const meanings: Readonly<Record<string, ((value: string) => Parameter) | null>> = {
  patient: (value) => ['patient', value],
  type: (value) => ['type', value],
  start: (value) => ['period', `ge${parseDay('start', value)}`],
  end: (value) => ['period', `le${parseDay('end', value)}`],
  _count: (value) => ['_count', value],
  'on-demand': null,
  [cursorParameter]: null,
}

interface DocrefQuestion {
  /** The stored documents that are asked for. */
  readonly search: readonly Parameter[]
  /** Only what is made when it is asked for. */
  readonly onDemandOnly: boolean
  readonly type: string | null
  readonly start: string | null
  readonly end: string | null
}

/** @throws Problem `validation`; documents are told apart by type alone, so a filter by profile is refused */
export function readDocref(parameters: readonly Parameter[]): DocrefQuestion {
  const search: Parameter[] = [['status', 'current']]
  let onDemandOnly = false
  const seen = new Set<string>()
  for (const [name, value] of parameters) {
    if (!Object.hasOwn(meanings, name)) throw unsupported(name)
    if (seen.has(name)) throw refused(`${name} is given twice.`, name)
    seen.add(name)
    const meaning = meanings[name]
    if (meaning) search.push(meaning(value))
    if (name === 'on-demand') onDemandOnly = parseFlag(value)
  }
  const given = new Map(parameters)
  const [type = null, start = null, end = null] = ['type', 'start', 'end'].map((name) => given.get(name))
  return { search, onDemandOnly, type, start, end }
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
