/**
 * `DocumentReference/$docref`, https://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html — a search for
 * documents by the care they tell of, under the same scopes as any search; and the current CCD, which comes first.
 */
import { accessTo } from '../../auth/access.ts'
import { parseDateInterval } from '../../contract/date-interval.ts'
import type { FhirType } from '../../contract/fhir-registry.ts'
import { Problem } from '../../contract/problems.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { compileSearch, type Parameter } from '../../search/compile.ts'
import { cursorParameter } from '../../search/cursor.ts'
import type { Position } from '../../search/fhir-plan.ts'
import type { SearchPage } from '../../store/search.ts'
import type { StoredText } from '../bundle.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { openPage, writePage } from '../page.ts'
import { queryParameters } from '../parameters.ts'
import { isOfTime, isOfType, mayBeOffered, type OnDemandQuestion, onDemandReference } from './on-demand.ts'

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
  { call, store, ccd, cursors, clock, ask }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, patientId } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'search')
    const parameters = takeFormat(queryParameters(request), request.headers.get('accept'))
    const context = { call, cursors, principal, path: `${type}/$docref` }
    const page = openPage({ ...context, parameters })
    const asked = toSearch(page.parameters)
    const { plan, patientId } = compileSearch({
      access,
      parameters: asked.search,
      handling: 'strict',
      base,
      now: clock(),
      after: page.after,
      accessTo: () => null,
    })
    const offered =
      page.cursor === null && patientId !== null && isOfType(asked) && mayBeOffered(principal, patientId)
        ? await ccd.open(principal.practice, patientId, liveness)
        : null
    const { datasetId } = principal.practice
    const current = offered?.ccd && isOfTime(asked, offered.ccd) ? onDemandReference(offered.ccd) : null
    // One place of the first page is the current document's.
    const rest = current === null ? plan.count : Math.min(plan.count, Math.max(1, plan.count - 1))
    const stored = await store.search(datasetId, { ...plan, count: rest }, liveness)
    const alive = stored.alive && offered?.alive !== false
    // Stored documents are none that are made when they are asked for.
    const kept = asked.onDemandOnly ? { ...stored, total: 0, matches: [], included: [], next: null } : stored
    const found = current === null ? kept : withCurrent(current, kept, plan.count)
    const understood = page.parameters
    return {
      alive,
      body: alive ? writePage(context, page, { understood, ignored: [] }, found) : '',
      count: found.matches.length,
      patientId,
    }
  })
  return { status: 200, headers: {}, body, count, patientId }
}

/** Before all stored documents, so that a page of one begins with them. */
const first: Position = { sort: 'infinity', id: '~' }

function withCurrent(current: StoredText, stored: SearchPage, count: number): SearchPage {
  const total = (stored.total ?? 0) + 1
  if (count === 0) return { ...stored, total }
  if (count > 1) return { ...stored, total, matches: [current, ...stored.matches] }
  return { ...stored, total, matches: [current], next: total > 1 ? first : null }
}

type Asked = OnDemandQuestion & { search: Parameter[]; onDemandOnly: boolean }

/** @throws Problem `validation`; documents are told apart by type alone, so a filter by profile is refused */
function toSearch(parameters: readonly Parameter[]): Asked {
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
      : '$docref takes patient, start, end, type, on-demand and _count.'
  const field = name === 'profile' ? name : 'unknown_parameter'
  return new Problem('validation', { message, field, fhirIssue: 'not-supported' })
}
