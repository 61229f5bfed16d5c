/** What the FHIR builder offers to choose from: the codes that the records of a practice hold. */

import type * as fhir from 'fhir/r4.js'
import { LRUCache } from 'lru-cache'
import { type FhirType, registryRow } from '../../contract/fhir/registry.ts'
import type { Core } from '../../domain/core.ts'
import { elementsAt } from '../../store/elements.ts'

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
