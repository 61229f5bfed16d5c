/** https://hl7.org/fhir/R4/patient-operation-everything.html, for callers who may read the whole chart. */
import { accessTo, findAccess } from '../../auth/access.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { heavyCosts } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { checkId, takeFormat } from '../../http/fhir-answer.ts'
import { compileSearch } from '../../search/compile.ts'
import { compileEverything, readDocref } from '../../search/everything.ts'
import type { Position } from '../../search/plan.ts'
import type { SearchPage } from '../../store/search.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { countRecords, openPage, type StoredText, writePage } from '../page.ts'
import { isOfTime, isOfType, mayBeOffered, onDemandReference } from './on-demand.ts'

export async function everything(
  { call, store, cursors, ask, readParameters, takeHeavy }: HandlerCall,
  patientId: string,
): Promise<Answer> {
  const { request } = call
  const { found, body, count } = await ask(async (principal, liveness) => {
    const parameters = takeFormat(await readParameters(), request.headers.get('accept'))
    const context = { call, cursors, principal, path: `Patient/${patientId}/$everything` }
    const page = openPage({ ...context, parameters })
    const compiled = compileEverything({
      patientId,
      parameters: page.parameters,
      handling: page.handling,
      after: page.after,
      accessTo: (type, interaction) => findAccess(principal, type, interaction),
    })
    checkId(patientId)
    await takeHeavy(heavyCosts.everything)
    const chart = await store.everything(principal.practice.datasetId, compiled.plan, liveness)
    return {
      alive: chart.alive,
      found: chart.found,
      body: chart.alive && chart.found ? writePage(context, page, compiled, chart) : '',
      count: countRecords(chart),
    }
  })
  if (!found) throw new Problem('not_found')
  return { status: 200, headers: {}, body, count, patientId }
}

// `DocumentReference/$docref` searches documents by the period of the care that they describe, and puts the current CCD
// first. It needs the same scopes as a search. https://hl7.org/fhir/us/core/STU6.1/OperationDefinition-docref.html

export async function docref(
  { call, store, ccd, cursors, clock, ask, readParameters }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, patientId } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'search')
    const parameters = takeFormat(await readParameters(), request.headers.get('accept'))
    const context = { call, cursors, principal, path: `${type}/$docref` }
    const page = openPage({ ...context, parameters })
    const query = readDocref(page.parameters)
    const { plan, patientId } = compileSearch({
      access,
      parameters: query.search,
      handling: 'strict',
      base,
      now: clock(),
      after: page.after,
      accessTo: () => null,
      rowOf: await store.offeredRows(),
    })
    const offered =
      page.cursor === null && patientId !== null && isOfType(query) && mayBeOffered(principal, patientId)
        ? await ccd.describe(principal.practice, patientId, liveness)
        : null
    const { datasetId } = principal.practice
    const current = offered?.ccd && isOfTime(query, offered.ccd) ? onDemandReference(offered.ccd) : null
    // On the first page, the current CCD takes the place of one stored document.
    const rest = current === null ? plan.count : Math.min(plan.count, Math.max(1, plan.count - 1))
    const stored = await store.search(datasetId, { ...plan, count: rest }, liveness)
    const alive = stored.alive && offered?.alive !== false
    // A stored document is never an on-demand document.
    const hits = query.onDemandOnly ? { ...stored, total: 0, matches: [], included: [], next: null } : stored
    const found = current === null ? hits : withCurrent(current, hits, plan.count)
    const understood = page.parameters
    return {
      alive,
      body: alive ? writePage(context, page, { understood, ignored: [] }, found) : '',
      count: countRecords(found),
      patientId,
    }
  })
  return { status: 200, headers: {}, body, count, patientId }
}

/** A position before all stored documents: where the next page starts if the CCD alone fills the first one. */
const first: Position = { sort: 'infinity', id: '~' }

function withCurrent(current: StoredText, stored: SearchPage, count: number) {
  const total = (stored.total ?? 0) + 1
  if (count === 0) return { ...stored, total }
  if (count > 1) return { ...stored, total, matches: [current, ...stored.matches] }
  return { ...stored, total, matches: [current], next: total > 1 ? first : null }
}
