/**
 * Reads a chart of the key's practice with the plans of the FHIR API. A chart of another practice is not in the key's
 * dataset, so it is not found either.
 */
import type * as fhir from 'fhir/r4.js'
import { accessAt } from '../../auth/principal.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import { classesOf } from '../../contract/keys/class-coverage.ts'
import { mayRead } from '../../contract/keys/key-access.ts'
import { type Access, criteriaOfClasses } from '../../search/access.ts'
import { compileRead, compileSearch, type Parameter } from '../../search/compile.ts'
import type { CursorHolder } from '../../search/cursor.ts'
import type { FoundText, StoredResource } from '../../store/search.ts'
import type { Call } from '../call.ts'
import type { McpCore } from './mcp-core.ts'

type ChartPage<Resource> = Readonly<{
  resources: readonly Resource[]
  included: readonly fhir.FhirResource[]
  page: { limit: number; total: number | null; nextCursor: string | null }
}>

export type ChartSearch = Readonly<{
  type: FhirType
  patientId: string
  parameters: readonly Parameter[]
  limit: number
  cursor?: string | undefined
}>

/** @throws Problem `not_found` */
export async function read(core: McpCore, call: Call, type: FhirType, id: string): Promise<StoredResource> {
  const { operationCalls, store } = core
  const plan = compileRead(accessTo(type, null), id)
  const { resource } = await operationCalls.ask(call, ({ practice }, liveness) =>
    store.read(practice.datasetId, plan, liveness),
  )
  if (resource === null || !isVisible(core, call, resource)) throw new Problem('not_found')
  return resource
}

/** Resources with a data class that the key may not read count as not found. */
function isVisible({ clock }: McpCore, { principal }: Call, { content }: FoundText): boolean {
  const access = principal && accessAt(principal, clock())
  if (access === null) return true
  return classesOf(JSON.parse(content.toString())).every((dataClass) => mayRead(access, dataClass))
}

export const getPatient = async (core: McpCore, call: Call, patientId: string): Promise<fhir.Patient> =>
  parsed(await read(core, call, 'Patient', patientId))

/** Lists a page of a chart, newest first. @throws Problem `not_found` if the patient does not exist */
export async function list<Resource>(
  core: McpCore,
  call: Call,
  filter: ChartSearch,
): Promise<ChartPage<Resource>> {
  await read(core, call, 'Patient', filter.patientId)
  return search<Resource>(core, call, filter)
}

/** Like `list`, for a patient that is known to exist. */
export async function search<Resource>(
  core: McpCore,
  call: Call,
  filter: ChartSearch,
): Promise<ChartPage<Resource>> {
  const { operationCalls, clock, store } = core
  const { type, patientId, limit, cursor } = filter
  const parameters: Parameter[] = [['patient', patientId], ['_count', String(limit)], ...filter.parameters]
  const found = await operationCalls.ask(call, async (principal, liveness) => {
    const holder = holderOf(principal)
    const after = cursor === undefined ? null : open(core, cursor, { type, parameters, holder })
    const { plan } = compileSearch({
      access: accessTo(type, patientId),
      parameters,
      handling: 'strict',
      base: '',
      now: clock(),
      after: after?.position ?? null,
      accessTo: (included) => accessTo(included, null),
      rowOf: await store.offeredRows(),
    })
    const criteria = criteriaOfClasses(type, accessAt(principal, clock())?.classes ?? null)
    if (criteria === null) throw new Problem('class_not_allowed')
    const narrowed = { ...plan, criteria: [...plan.criteria, ...criteria] }
    return store.search(principal.practice.datasetId, narrowed, liveness).then((page) => ({
      ...page,
      included: page.included.filter((resource) => isVisible(core, call, resource)),
      total: page.total ?? after?.total ?? null,
      holder,
    }))
  })
  const { next, total, holder } = found
  return {
    resources: found.matches.map((match) => parsed<Resource>(match)),
    included: found.included.map((resource) => parsed<fhir.FhirResource>(resource)),
    page: {
      limit,
      total,
      nextCursor:
        next &&
        core.cursors.seal(
          { path: pathOf(type), parameters, handling: 'strict', position: next, total: total ?? 0 },
          holder,
        ),
    },
  }
}

/** @throws Problem `validation` for a cursor of other arguments */
function open(
  { cursors }: McpCore,
  cursor: string,
  { type, parameters, holder }: { type: FhirType; parameters: readonly Parameter[]; holder: CursorHolder },
) {
  const contents = cursors.open(cursor, pathOf(type), holder)
  if (JSON.stringify(contents.parameters) === JSON.stringify(parameters)) return contents
  throw new Problem('validation', {
    message: 'cursor: belongs to other arguments. Start again with the first page.',
    field: 'cursor',
  })
}

const pathOf = (type: FhirType) => `mcp ${type}`

function holderOf(principal: { keyId: string; practice: CursorHolder['practice'] }): CursorHolder {
  return { grantId: principal.keyId, clientId: 'api_key', practice: principal.practice }
}

/** A key may read the whole practice, one chart at a time. */
function accessTo(type: FhirType, patientId: string | null): Access {
  return { type, grants: [{ patientId, filter: null }], patientId, needsPatient: false }
}

const parsed = <Resource>({ content }: FoundText): Resource => JSON.parse(content.toString()) as Resource
