/**
 * What a reference of the FHIR builder can lead to in a practice: records by the words people know them by, with the id
 * as the value. Of charts only the one that is asked about, the newest first, and nothing that the practice lets no app see.
 */

import type * as fhir from 'fhir/r4.js'
import { LRUCache } from 'lru-cache'
import { type FhirType, registryRow, type SearchParameterRow } from '../../contract/fhir/registry.ts'
import { whatOf, whenOf } from '../../contract/fhir/resource-words.ts'
import type { Core } from '../../domain/core.ts'
import { planRead } from '../../search/lists.ts'
import type { TimePlan } from '../../search/plan.ts'
import { elementsAt } from '../../store/elements.ts'
import { noLiveness } from '../../store/liveness.ts'

export { clinicians } from '../launches/people.ts'

type Place = Readonly<{ id: string; datasetId: number; fhirTypes: readonly string[] }>
/** Null for a visitor who is not signed in, at the demonstration practice. */
export type SuggestionReader = Readonly<{ accountId: string | null; correlationId: string }>
const idPattern = /^[A-Za-z0-9.-]{1,64}$/
/** Of each type: as many as a list of suggestions is read through. */
const shownMax = 50

/** Whose records are looked into, and for whom. */
type Look = Readonly<{ core: Core; place: Place; patientId: string; reader: SuggestionReader }>

/**
 * By the name of the parameter: for `_id` the records of the type itself, for a reference to certain types its targets.
 * @param patientId whose chart is looked into; one that is not there gives no records of charts
 */
export async function listRecords(
  core: Core,
  place: Place,
  type: FhirType,
  patientId: string,
  reader: SuggestionReader,
): Promise<Record<string, readonly KnownCode[]>> {
  // An address holds What a person wrote into it, and no database takes all of that.
  if (!idPattern.test(patientId)) return {}
  const wanted = registryRow(type).parameters.filter(
    ({ kind, offered }) => offered !== false && (kind === 'id' || kind === 'reference'),
  )
  const look = { core, place, patientId, reader }
  const found = await Promise.all(
    wanted.map(async (row) => [row.name, await listTargets(look, row, type)] as const),
  )
  return Object.fromEntries(found.filter(([, choices]) => choices.length > 0))
}

async function listTargets(look: Look, { kind, targets = [] }: SearchParameterRow, type: FhirType) {
  if (kind === 'id') return listOwn(look, type)
  const [only, ...more] = targets
  if (only !== undefined && more.length === 0) return listOwn(look, only)
  const lists = await Promise.all(
    targets.map(async (each) =>
      (await listOwn(look, each)).map(({ value, display }) => ({ value: `${each}/${value}`, display })),
    ),
  )
  return lists.flat().slice(0, shownMax)
}

/** Records of one type: of the chart, or of the practice if the type belongs to no chart. Only types that the practice shares. */
export const listType = (
  core: Core,
  place: Place,
  type: FhirType,
  patientId: string,
  reader: SuggestionReader,
) => listOwn({ core, place, patientId, reader }, type)

async function listOwn(look: Look, type: FhirType): Promise<readonly KnownCode[]> {
  const { core, place, patientId } = look
  const { compartment, audience } = registryRow(type)
  if (audience !== undefined || !isLetOut(place, type)) return []
  if (compartment === 'self') return listPerson(look, type)
  const plan = newestOf(type, compartment === null ? null : patientId)
  const { matches } = await core.store.search(place.datasetId, plan, noLiveness)
  const choices = matches.map(({ id, content }) => ({ value: id, display: recordWords(content) }))
  if (compartment === null) return choices.sort(byDisplay)
  await record(look, type, choices.length)
  return choices
}

async function listPerson(look: Look, type: FhirType) {
  const { core, place, patientId } = look
  const { resource } = await core.store.read(place.datasetId, planRead(type, patientId), noLiveness)
  await record(look, type, resource === null ? 0 : 1)
  return resource === null ? [] : [{ value: patientId, display: recordWords(resource.content) }]
}

/** Recorded before the suggestions are sent. Resources outside charts have no patient, so no row. */
function record(look: Look, resourceType: FhirType, count: number): Promise<void> {
  const { core, place, patientId, reader } = look
  return core.recorder.commit({
    access: {
      ...{ resourceType, patientId, count },
      at: core.clock(),
      practiceId: place.id,
      principalKind: 'session',
      principalId: reader.accountId ?? 'visitor',
      action: 'suggest',
      purpose: 'operations',
      outcome: 'served',
      correlationId: reader.correlationId,
    },
  })
}

/** @param patientId null for a type that belongs to no chart */
function newestOf(type: FhirType, patientId: string | null): TimePlan {
  return {
    visible: { type, patientId, codes: null },
    criteria: [],
    sort: { by: patientId === null ? 'updated' : 'date', descending: true },
    count: shownMax,
    after: null,
    includes: [],
  }
}

/** A practice without a list lets out every type. */
function isLetOut({ fhirTypes }: Place, type: FhirType): boolean {
  return fhirTypes.length === 0 || fhirTypes.includes(type)
}

function byDisplay(one: KnownCode, other: KnownCode): number {
  return one.display.localeCompare(other.display, 'en') || (one.value < other.value ? -1 : 1)
}

/** A record in the few words by which people tell it from others of its kind: its day and what it is. */
function recordWords(content: Buffer): string {
  const resource = JSON.parse(content.toString()) as Readonly<Record<string, unknown>>
  return [whenOf(resource)?.slice(0, 10), whatOf(resource) ?? resource.resourceType].filter(Boolean).join(' ')
}

// What the FHIR builder offers to choose from: the codes that the records of a practice hold.

type KnownCode = Readonly<{ value: string; display: string }>

/** Enough resources of a type to find nearly every code in use. */
const sampled = 2_000
const codesMax = 250
const keptMs = 10 * 60_000

export function createExplorerChoices({ store, clock }: Pick<Core, 'store' | 'clock'>) {
  const cache = new LRUCache<string, Promise<Record<string, readonly KnownCode[]>>>({
    max: 200,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  })

  /** By the name of the parameter, ordered as people read them. Codes are no part of anybody's record. */
  function listCodes(datasetId: number, type: FhirType): Promise<Record<string, readonly KnownCode[]>> {
    const key = `${datasetId} ${type}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const reading = readCodes(datasetId, type)
    cache.set(key, reading)
    reading.catch(() => cache.delete(key))
    return reading
  }

  async function readCodes(datasetId: number, type: FhirType): Promise<Record<string, readonly KnownCode[]>> {
    const rows = registryRow(type).parameters.filter(
      ({ kind, offered }) =>
        offered !== false && (kind === 'token' || kind === 'canonical' || isPublicText(type, kind)),
    )
    if (rows.length === 0) return {}
    const found = new Map(rows.map(({ name }) => [name, new Map<string, string>()]))
    for (const content of await store.sample(datasetId, type, sampled)) {
      const resource = JSON.parse(content.toString()) as Record<string, unknown>
      for (const { name, paths, system } of rows)
        for (const element of elementsAt(resource, paths))
          for (const { value, display } of codesOf(element, system)) found.get(name)?.set(value, display)
    }
    return Object.fromEntries(
      [...found].map(([name, codes]) => [
        name,
        [...codes]
          .map(([value, display]) => ({ value, display }))
          .sort((one, other) => one.display.localeCompare(other.display, 'en'))
          .slice(0, codesMax),
      ]),
    )
  }

  return { listCodes }
}

/** Names of places and organizations can be offered; texts of charts, and names of people, name a person. */
function isPublicText(type: FhirType, kind: string): boolean {
  const { compartment, roster } = registryRow(type)
  return kind === 'string' && compartment === null && roster?.names !== 'person'
}

/** A code, a Coding, a CodeableConcept or a boolean, as a search writes it. */
function codesOf(element: unknown, system: string | undefined): KnownCode[] {
  if (typeof element === 'string')
    return [{ value: system === undefined ? element : `${system}|${element}`, display: element }]
  if (typeof element === 'boolean') return [{ value: `${element}`, display: `${element}` }]
  if (typeof element !== 'object' || element === null) return []
  const { coding, ...own } = element as fhir.CodeableConcept & fhir.Coding
  return (coding ?? [own]).flatMap(({ system: of, code, display }) =>
    code === undefined ? [] : [{ value: of ? `${of}|${code}` : code, display: display ?? code }],
  )
}
