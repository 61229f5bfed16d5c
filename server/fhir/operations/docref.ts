/**
 * `DocumentReference/$docref`, https://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html — a search for
 * documents by the care they tell of, under the same scopes as any search.
 */
import { accessTo } from '../../auth/access.ts'
import { parseDateInterval } from '../../contract/date-interval.ts'
import type { FhirType } from '../../contract/fhir-registry.ts'
import { Problem } from '../../contract/problems.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { compileSearch, type Parameter } from '../../search/compile.ts'
import { cursorParameter } from '../../search/cursor.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { openPage, writePage } from '../page.ts'
import { queryParameters } from '../parameters.ts'

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

export async function docref(
  { call, store, cursors, clock, ask }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, patientId } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'search')
    const parameters = takeFormat(queryParameters(request), request.headers.get('accept'))
    const context = { call, cursors, principal, path: `${type}/$docref` }
    const page = openPage({ ...context, parameters })
    const asked = toSearch(page.parameters)
    const compiled = compileSearch({
      access,
      parameters: asked.search,
      handling: 'strict',
      base,
      now: clock(),
      after: page.after,
      accessTo: () => null,
    })
    const found = await store.search(principal.practice.datasetId, compiled.plan, liveness)
    // Stored documents are none that are made when they are asked for.
    const kept = asked.onDemandOnly ? { ...found, total: 0, matches: [], included: [], next: null } : found
    const understood = page.parameters
    return {
      alive: found.alive,
      body: found.alive ? writePage(context, page, { understood, ignored: [] }, kept) : '',
      count: kept.matches.length,
      patientId: compiled.patientId,
    }
  })
  return { status: 200, headers: {}, body, count, patientId }
}

/** @throws Problem `validation`; documents are told apart by type alone, so a filter by profile is refused */
function toSearch(parameters: readonly Parameter[]): { search: Parameter[]; onDemandOnly: boolean } {
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
  return { search, onDemandOnly }
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
      : '$docref takes patient, start, end, type, on-demand and _count.'
  const field = name === 'profile' ? name : 'unknown_parameter'
  return new Problem('validation', { message, field, fhirIssue: 'not-supported' })
}
