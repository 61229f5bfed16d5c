/** Read and search of what is computed: the one group of everybody in the practice. Nothing of it is stored. */
import { patientsOf } from '../../audit/call-rows.ts'
import { accessTo, findAccess } from '../../auth/access.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import { populationGroupId, populationGroupText } from '../../domain/practices/population-group.ts'
import { isUnchanged, validatorHeaders } from '../../http/conditions.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { checkId } from '../../http/fhir-id.ts'
import { compileSearch } from '../../search/compile.ts'
import type { Population } from '../../store/population.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { openPage, writePage } from '../page.ts'
import { refuseParameters } from './read.ts'

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
    const question = { access, parameters, handling, base, now: clock(), after, accessTo: accessToIncluded }
    const compiled = compileSearch(question)
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
      body: writePage(context, page, compiled, { alive: true, ...result }),
      count: matches.length,
      disclosed: membersOf(matches.length === 0 ? null : found.population),
    }
  })
  return { status: 200, headers: {}, body, count, ...disclosed }
}

/** The group names its members, unless there are too many. */
function membersOf(population: Population | null) {
  return patientsOf((population?.memberIds ?? []).map((id) => ({ id })))
}
