/** https://hl7.org/fhir/R4/http.html#search — the layers in their order: access, compile, store, bundle. */
import { pageMark } from '../../audit/call-rows.ts'
import { accessTo, findAccess } from '../../auth/access.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { heavyCosts } from '../../contract/http/limits.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { compileSearch } from '../../search/compile.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { countRecords, openPage, writePage } from '../page.ts'

export async function searchType(
  { call, store, cursors, clock, ask, readParameters, takeHeavy }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, patientId, mark } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'search')
    const sent = takeFormat(await readParameters(), request.headers.get('accept'))
    const context = { call, cursors, principal, path: type }
    const page = openPage({ ...context, parameters: sent })
    const compiled = compileSearch({
      access,
      parameters: page.parameters,
      handling: page.handling,
      base,
      now: clock(),
      after: page.after,
      accessTo: (included) => findAccess(principal, included, 'search'),
      rowOf: await store.offeredRows(),
    })
    if (compiled.plan.includes.length > 0) await takeHeavy(heavyCosts.included)
    const found = await store.search(principal.practice.datasetId, compiled.plan, liveness)
    return {
      alive: found.alive,
      body: found.alive ? writePage(context, page, compiled, found) : '',
      count: countRecords(found),
      patientId: compiled.patientId,
      mark: pageMark({ isFirst: page.cursor === null, hasMore: found.next !== null }),
    }
  })
  return { status: 200, headers: {}, body, count, patientId, page: mark }
}
