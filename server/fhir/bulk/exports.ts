/**
 * Bulk Data Access, https://hl7.org/fhir/uv/bulkdata/STU2/export.html. After the steps of the FHIR API it checks the token's
 * practice and audience (403), headers and parameters (400), scopes (403), whether the group or export exists (404), and
 * whether another export is running (429).
 */
import { accessTo, findAccess } from '../../auth/access.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import { type FhirType, fhirRegistry, isFhirType } from '../../contract/fhir/registry.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { exportFaultOf } from '../../domain/bulk-exports/export-fault.ts'
import type { ExportPlan } from '../../domain/bulk-exports/export-types.ts'
import { parseInstantMicros } from '../../domain/bulk-exports/since.ts'
import { populationGroupId } from '../../domain/practices/population-group.ts'
import { checkId } from '../../http/fhir-answer.ts'
import type { Parameter } from '../../search/compile.ts'
import { scopeCodes } from '../../search/includes.ts'
import { parseParameters } from '../../search/query-string.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import type { ExportRoute } from '../routes.ts'
import { fileAnswer } from './file.ts'

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
  const { requested, plan, principal, found } = await ask(async (principal, liveness) => {
    if (principal.audience !== 'backend') planExport(principal, null)
    checkHeaders(call.request.headers)
    const parameters = parseKickOff(parseParameters(query))
    const plan = planExport(principal, parameters.types)
    checkId(groupId)
    const { datasetId } = principal.practice
    const groups = [{ kind: 'ids' as const, ids: [groupId] }]
    const found = await store.findPopulation(datasetId, populationGroupId, groups, liveness)
    return { alive: found.alive, requested: parameters, plan, principal, found }
  })
  checkPast(requested.sinceMicros, found.now)
  if (found.population === null) throw new Problem('not_found')
  const { base, fault } = call
  const request = `${origin}${path}${query === '' ? '' : `?${query}`}`
  const id = await bulkExports.kickOff(
    { base, request, plan, since: requested.since, lab: exportFaultOf(fault) },
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
  // The practice's policy or this token's scopes may have become narrower since the kick-off.
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

/** The path exactly as it was sent, so that links repeat it. */
const pathOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '/'

const queryOf = (url: string): string => /\?([^#]*)/.exec(url)?.[1] ?? ''

// The parameters of a kick-off, https://hl7.org/fhir/uv/bulkdata/STU2/export.html#query-parameters. Unsupported ones are
// refused and never ignored.

const outputFormats = new Set(['application/fhir+ndjson', 'application/ndjson', 'ndjson'])
const known = new Set(['_type', '_since', '_outputFormat'])

/** Both headers are required. @throws Problem `validation` */
function checkHeaders(headers: Headers): void {
  const accepts = (headers.get('accept') ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'application/fhir+json' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
  if (!accepts) throw refused('required', 'Accept', 'The header Accept: application/fhir+json is required.')
  const prefers = (headers.get('prefer') ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async')
  if (!prefers) throw refused('required', 'Prefer', 'The header Prefer: respond-async is required.')
}

/** @throws Problem `validation` */
function parseKickOff(parameters: readonly Parameter[]) {
  for (const [name] of parameters) {
    if (known.has(name)) continue
    const shown = name.replace(/[^\w.:$-]/g, '').slice(0, 40)
    throw refused(
      'not-supported',
      'parameters',
      `The parameter ${shown} is not supported here. Supported: ${[...known].join(', ')}.`,
    )
  }
  const format = singleValue(parameters, '_outputFormat')
  // An unencoded plus sign was decoded as a space.
  if (format !== null && !outputFormats.has(format.trim().toLowerCase().replace(' ', '+'))) {
    throw refused(
      'value',
      '_outputFormat',
      '_outputFormat must be application/fhir+ndjson, application/ndjson or ndjson.',
    )
  }
  const since = singleValue(parameters, '_since')
  const sinceMicros = since === null ? null : parseInstantMicros(since)
  if (since !== null && sinceMicros === null) {
    throw refused('value', '_since', '_since must be an instant, such as 2026-01-31T09:30:00Z, URL-encoded.')
  }
  return {
    /** The requested types; null for all that the token may read. */
    types: parseTypes(parameters),
    /** The `_since` parameter; null exports everything. */
    since,
    sinceMicros,
  }
}

/** @throws Problem `validation` */
function checkPast(sinceMicros: bigint | null, now: Date): void {
  if (sinceMicros === null || sinceMicros <= BigInt(now.getTime() + 1) * 1000n) return
  throw refused('value', '_since', '_since is in the future.')
}

/**
 * Plans the types in order. The token must allow both reading and searching each of them.
 * @throws Problem `forbidden`
 */
function planExport(principal: SmartPrincipal, types: readonly FhirType[] | null): ExportPlan {
  if (principal.audience !== 'backend') {
    throw new Problem('forbidden', {
      message: 'Bulk export needs the token of a backend system.',
      detail: 'not a backend token',
    })
  }
  const exporter = { ...principal, scopes: principal.scopes.filter(({ read, search }) => read && search) }
  const plan: ExportPlan = []
  for (const type of types ?? (Object.keys(fhirRegistry) as FhirType[])) {
    const access = findAccess(exporter, type, 'search')
    if (access === null && types === null) continue
    if (access === null) {
      throw new Problem('forbidden', {
        message: `This token doesn’t allow exporting ${type}. It needs system/${type}.rs.`,
        detail: `no scope for export of ${type}`,
      })
    }
    const codes = scopeCodes(access.grants)
    plan.push({ type, codes: codes === null ? null : codes.map((code) => ({ ...code })) })
  }
  if (plan.length > 0) return plan.sort((one, other) => (one.type < other.type ? -1 : 1))
  throw new Problem('forbidden', {
    message: 'This token allows no type to be exported. It needs scopes such as system/Patient.rs.',
    detail: 'no scope for export',
  })
}

function parseTypes(parameters: readonly Parameter[]): FhirType[] | null {
  const typeParameters = parameters.filter(([name]) => name === '_type')
  if (typeParameters.length === 0) return null
  const types = typeParameters.flatMap(([, value]) => value.split(',').map((type) => type.trim()))
  const wrong = types.find((type) => !isFhirType(type))
  if (wrong === undefined) return [...new Set(types)] as FhirType[]
  throw refused(
    'value',
    '_type',
    wrong === ''
      ? '_type must list resource types, separated by commas.'
      : `_type contains ${wrong.replace(/\W/g, '').slice(0, 40)}, which is not a resource type of this server.`,
  )
}

function singleValue(parameters: readonly Parameter[], name: string): string | null {
  const values = parameters.filter(([parameterName]) => parameterName === name)
  if (values.length > 1) throw refused('value', name, `${name} is given twice.`)
  return values[0]?.[1] ?? null
}

const refused = (fhirIssue: string, field: string, message: string): Problem =>
  new Problem('validation', { fhirIssue, field, message })
