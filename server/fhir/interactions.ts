/** The interactions read and search, and the metadata. https://hl7.org/fhir/R4/http.html#read */

import { createHash } from 'node:crypto'
import { patientsOf } from '../audit/call-rows.ts'
import { writtenWithRead } from '../audit/log-rows.ts'
import { accessTo, accessToRead, findAccess } from '../auth/access.ts'
import { type FhirType, registryRow } from '../contract/fhir/registry.ts'
import type { Deprecation } from '../contract/http/deprecation.ts'
import { heavyCosts } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { populationGroupId, populationGroupText } from '../domain/practices/population-group.ts'
import { isUnchanged, validatorHeaders } from '../http/conditions.ts'
import { checkId, takeFormat } from '../http/fhir-answer.ts'
import { compileRead, compileSearch } from '../search/compile.ts'
import type { OfferedRow } from '../store/index-versions.ts'
import type { Population } from '../store/population.ts'
import type { Call } from './call.ts'
import { recordOf } from './call-record.ts'
import { capabilityStatement } from './capability-statement.ts'
import type { Answer, HandlerCall } from './handler.ts'
import { findOnDemand, onDemandReference } from './operations/on-demand.ts'
import { countRecords, openPage, servedText, writePage } from './page.ts'
import { queryParameters } from './parameters.ts'

export async function read(
  { call, store, ccd, ask }: HandlerCall,
  type: FhirType,
  id: string,
): Promise<Answer> {
  const { headers } = call.request
  const isConditional = headers.has('if-none-match') || headers.has('if-modified-since')
  let patientId: string | null = null
  const { resource, made, isRecorded } = await ask(async (principal, liveness) => {
    const access = accessToRead(principal, type, id)
    refuseParameters(call.request)
    checkId(id)
    patientId = access.patientId
    const { datasetId } = principal.practice
    const record = recordOf(call, { status: 200, count: 1, patientId })
    const written = isConditional ? undefined : writtenWithRead(record)
    const found = await store.read(datasetId, compileRead(access, id), liveness, written)
    if (!found.alive || found.resource !== null || !registryRow(type).madeOnDemand) {
      return { ...found, made: null }
    }
    const onDemand = await findOnDemand(ccd.describe, principal, liveness, id)
    return { alive: onDemand.alive, resource: null, made: onDemand.ccd, isRecorded: undefined }
  })
  if (made !== null) {
    const validators = { etag: `W/"${made.id}"`, lastModified: made.changedAt }
    const unchanged = isUnchanged(headers, validators)
    return {
      status: unchanged ? 304 : 200,
      headers: validatorHeaders(validators),
      body: unchanged ? null : servedText(call.base, onDemandReference(made)),
      count: 1,
      patientId: made.patientId,
    }
  }
  if (resource === null) throw new Problem('not_found')
  const validators = { etag: `W/"${resource.version}"`, lastModified: resource.lastUpdated }
  const unchanged = isUnchanged(headers, validators)
  return {
    status: unchanged ? 304 : 200,
    headers: validatorHeaders(validators),
    body: unchanged ? null : servedText(call.base, resource),
    count: 1,
    patientId: resource.patientId ?? patientId,
    ...(isRecorded && { isRecorded }),
  }
}

/** A read accepts only format parameters, because `_summary` and `_elements` would have no effect. */
function refuseParameters(request: Request): void {
  const [unknown] = takeFormat(queryParameters(request), request.headers.get('accept'))
  if (unknown === undefined) return
  throw new Problem('validation', {
    message: 'A read accepts only the parameters _format and _pretty.',
    field: 'parameters',
    fhirIssue: 'not-supported',
  })
}

// https://hl7.org/fhir/R4/http.html#search in four steps: access, compile, store, bundle.

export async function searchType(
  { call, store, cursors, clock, ask, readParameters, takeHeavy }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, patientId } = await ask(async (principal, liveness) => {
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
    }
  })
  return { status: 200, headers: {}, body, count, patientId }
}

// Read and search of the one computed resource: the Group of all patients of the practice.

export async function readPopulation(
  { call, store, ask }: HandlerCall,
  type: FhirType,
  id: string,
): Promise<Answer> {
  const { population, practiceName } = await ask(async (principal, liveness) => {
    accessTo(principal, type, 'read')
    refuseParameters(call.request)
    checkId(id)
    const criteria = [{ kind: 'ids', ids: [id] } as const]
    const { datasetId, name } = principal.practice
    const found = await store.findPopulation(datasetId, populationGroupId, criteria, liveness)
    return { ...found, practiceName: name }
  })
  if (population === null) throw new Problem('not_found')
  const { lastUpdated } = population
  const validators = { etag: `W/"${lastUpdated?.getTime() ?? 0}"`, lastModified: lastUpdated }
  const unchanged = isUnchanged(call.request.headers, validators)
  return {
    status: unchanged ? 304 : 200,
    headers: validatorHeaders(validators),
    body: unchanged ? null : populationGroupText(practiceName, population),
    count: 1,
    ...membersOf(unchanged ? null : population),
  }
}

export async function searchPopulation(
  { call, store, cursors, clock, ask, readParameters }: HandlerCall,
  type: FhirType,
): Promise<Answer> {
  const { request, base } = call
  const { body, count, disclosed } = await ask(async (principal, liveness) => {
    const access = accessTo(principal, type, 'search')
    const sent = takeFormat(await readParameters(), request.headers.get('accept'))
    const context = { call, cursors, principal, path: type }
    const page = openPage({ ...context, parameters: sent })
    const { handling, after, parameters } = page
    const accessToIncluded = (included: FhirType) => findAccess(principal, included, 'search')
    const searchRequest = {
      access,
      parameters,
      handling,
      base,
      now: clock(),
      after,
      accessTo: accessToIncluded,
    }
    const compiled = compileSearch(searchRequest)
    const { datasetId, name } = principal.practice
    const { criteria } = compiled.plan
    const found = await store.findPopulation(datasetId, populationGroupId, criteria, liveness)
    const texts =
      found.population === null
        ? []
        : [{ type, id: populationGroupId, content: populationGroupText(name, found.population) }]
    const matches = compiled.count === 0 ? [] : texts
    const result = { matches, included: [], total: texts.length, includedCut: false, next: null }
    return {
      alive: found.alive,
      body: writePage(context, page, compiled, result),
      count: matches.length,
      disclosed: membersOf(matches.length === 0 ? null : found.population),
    }
  })
  return { status: 200, headers: {}, body, count, ...disclosed }
}

/** The patients that the group lists, unless there are too many. */
const membersOf = (population: Population | null) =>
  patientsOf((population?.memberIds ?? []).map((id) => ({ id })))

// https://hl7.org/fhir/R4/http.html#capabilities is public, and the same for all callers of a practice.

type Written = { text: string; etag: string }

/**
 * @param deprecated deprecated operations by name
 * @param manageApps the URL of the page where people revoke an app's access
 */
export function createMetadata(deprecated: Readonly<Record<string, Deprecation>>, manageApps: string) {
  const written = new Map<string, Written>()
  let writtenFrom: OfferedRow | null = null

  /**
   * @param practiceName the name of the base's practice
   * @param rowOf the registry without what the search index does not support yet
   */
  return function metadata({ request, base }: Call, practiceName: string, rowOf: OfferedRow): Answer {
    takeFormat(queryParameters(request), request.headers.get('accept'))
    const { text, etag } = write(base, practiceName, rowOf)
    const validators = { etag, lastModified: null }
    const unchanged = isUnchanged(request.headers, validators)
    // Not cacheable, because clients with got 11 on Node 20 or later, such as SMART's bulk client, wait forever for a
    // cacheable response. Clients can still send conditional requests.
    return {
      status: unchanged ? 304 : 200,
      headers: validatorHeaders(validators),
      body: unchanged ? null : text,
      count: 0,
      patientId: null,
    }
  }

  /** The cache stays small, because there is an entry for each practice. */
  function write(base: string, practiceName: string, rowOf: OfferedRow): Written {
    if (rowOf !== writtenFrom) written.clear()
    writtenFrom = rowOf
    const key = `${base} ${practiceName}`
    const known = written.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(capabilityStatement({ base, practiceName, rowOf, deprecated, manageApps }))
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
    if (written.size > 1_000) written.clear()
    written.set(key, { text, etag })
    return { text, etag }
  }
}
