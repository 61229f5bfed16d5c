/**
 * Bulk Data Access, https://hl7.org/fhir/uv/bulkdata/STU2/export.html. After the steps of the FHIR API: the token's
 * practice and audience (403), headers and parameters (400), scopes (403), what is there (404), what runs already (429).
 */
import { accessTo } from '../../auth/access.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { exportFaultOf } from '../../domain/bulk-exports/export-fault.ts'
import { populationGroupId } from '../../domain/practices/population-group.ts'
import { checkId } from '../../http/fhir-id.ts'
import { parseParameters } from '../../search/query-string.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { fileAnswer } from './file.ts'
import { checkHeaders, checkPast, parseKickOff, planExport } from './kick-off-request.ts'
import type { ExportRoute } from './routes.ts'

const nothing = { count: 0, patientId: null, resourceType: null } as const

export async function answerExport(handlerCall: HandlerCall, route: ExportRoute): Promise<Answer> {
  switch (route.step) {
    case 'kick-off':
      return kickOff(handlerCall, route.groupId)
    case 'status':
      return status(handlerCall, route.id)
    case 'cancel':
      await handlerCall.bulkExports.cancel(route.id, await handlerCall.confirm())
      return { ...nothing, status: 202, headers: {}, body: null }
    case 'file':
      return file(handlerCall, route)
    default:
      throw new Problem('unsupported')
  }
}

async function kickOff({ call, ask, store, bulkExports, origin }: HandlerCall, groupId: string) {
  const path = pathOf(call.request.url)
  const query = queryOf(call.request.url)
  const { asked, plan, principal, found } = await ask(async (principal, liveness) => {
    if (principal.audience !== 'backend') planExport(principal, null)
    checkHeaders(call.request.headers)
    const asked = parseKickOff(parseParameters(query))
    const plan = planExport(principal, asked.types)
    checkId(groupId)
    const { datasetId } = principal.practice
    const groups = [{ kind: 'ids' as const, ids: [groupId] }]
    const found = await store.findPopulation(datasetId, populationGroupId, groups, liveness)
    return { alive: found.alive, asked, plan, principal, found }
  })
  checkPast(asked.sinceMicros, found.now)
  if (found.population === null) throw new Problem('not_found')
  const { base, fault } = call
  const request = `${origin}${path}${query === '' ? '' : `?${query}`}`
  const id = await bulkExports.kickOff(
    { base, request, plan, since: asked.since, lab: exportFaultOf(fault) },
    principal,
  )
  return { ...nothing, status: 202, headers: { 'Content-Location': `${base}/bulk/${id}` }, body: null }
}

async function status({ confirm, bulkExports }: HandlerCall, id: string): Promise<Answer> {
  const polled = await bulkExports.poll(id, await confirm())
  if (polled.state === 'running') {
    const headers = {
      'X-Progress': progressText(polled.written, polled.total),
      'Retry-After': String(limits.bulkPollSeconds),
    }
    return { ...nothing, status: 202, headers, body: null }
  }
  const headers = { 'Content-Type': 'application/json', Expires: polled.linksEndAt.toUTCString() }
  return { ...nothing, status: 200, headers, body: polled.manifest }
}

async function file(
  { call, confirm, bulkExports, exportStorage }: HandlerCall,
  { id, name }: { id: string; name: string },
): Promise<Answer> {
  const principal: SmartPrincipal = await confirm()
  const query = new URLSearchParams(queryOf(call.request.url))
  const link = { name, expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
  const found = await bulkExports.findFile(id, link, principal)
  // The policy, and this token's scopes, may be narrower than those of the kick-off.
  if (found.file !== null) accessTo(principal, found.file.type, 'read')
  return {
    ...(await fileAnswer(call.request, found, exportStorage)),
    count: found.file?.count ?? 0,
    patientId: null,
    exportId: id,
    resourceType: found.file?.type ?? 'OperationOutcome',
  }
}

function progressText(written: number, total: number | null): string {
  if (total === null) return 'Queued'
  const percent = total === 0 ? 99 : Math.min(99, Math.floor((100 * written) / total))
  return `${percent} % (${written} of ${total} resources)`
}

/** As they were sent. */
function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '/'
}

function queryOf(url: string): string {
  return /\?([^#]*)/.exec(url)?.[1] ?? ''
}
