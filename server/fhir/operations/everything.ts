/** https://hl7.org/fhir/R4/patient-operation-everything.html — the whole chart, or nothing of it. */
import { pageMark } from '../../audit/call-rows.ts'
import { findAccess } from '../../auth/access.ts'
import { heavyCosts } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { checkId } from '../../http/fhir-id.ts'
import { compileEverything } from '../../search/everything.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { countRecords, openPage, writePage } from '../page.ts'

export async function everything(
  { call, store, cursors, ask, readParameters, takeHeavy }: HandlerCall,
  patientId: string,
): Promise<Answer> {
  const { request } = call
  const { found, body, count, mark } = await ask(async (principal, liveness) => {
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
      mark: pageMark({ isFirst: page.cursor === null, hasMore: chart.next !== null }),
    }
  })
  if (!found) throw new Problem('not_found')
  return { status: 200, headers: {}, body, count, patientId, page: mark }
}
