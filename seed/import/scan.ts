/**
 * First pass: assigns an id and a task, or the reason of a refusal, to every resource, and adds its keys and references to
 * the ledger.
 */

import { type FhirType, isFhirType } from '../../server/contract/fhir/registry.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import type { IdentifierKey } from '../../server/store/lookup.ts'
import type { KnownOrigin } from '../../server/store/origins.ts'
import { parseExact } from '../../server/store/resource-text.ts'
import type { Store } from '../../server/store/store.ts'
import {
  type Entry,
  type Ledger,
  type ReferenceKeys,
  refusedNumber,
  type Target,
  type Task,
} from './ledger.ts'
import { type Found, isStoredAs, newId, parseSource, type ReadBatch } from './parse-source.ts'
import { forEachBatch } from './read-resources.ts'
import { findStoredReferences } from './references.ts'
import type { ImportProgress, Report, Source } from './report.ts'
import type { ImportThreads } from './threads.ts'

export interface Place {
  readonly files: readonly string[]
  readonly ledger: Ledger
  readonly store: Store
  readonly datasetId: number
  readonly report: Report
  readonly progress: ImportProgress
  readonly threads: ImportThreads
}

export async function scan(place: Place): Promise<void> {
  const { threads } = place
  await forEachBatch(
    place,
    () => true,
    async ({ file, sources }) => ({ file, sources, read: await threads.next().read(sources) }),
    ({ file, sources, read }) => enter(place, file, sources, read),
  )
}

/**
 * Adds the target of the same reference in the stored text to each reference. A stored text that has lost references to
 * unsupported types cannot be compared, and counts as equal.
 */
function compared({ references }: Found, content: string | null): readonly ReferenceKeys[] {
  const stored = content ? findStoredReferences(parseExact(content)) : []
  if (stored.length !== references.length) return []
  return references.map(({ keys }, at) => ({ keys, expected: stored[at]?.reference ?? '' }))
}

/** Adds sources to the ledger. Duplicates are counted once; another resource with the same id is refused. */
async function enter(
  place: Place,
  file: number,
  sources: readonly Source[],
  { found, unstored, refused, refusals }: ReadBatch,
): Promise<void> {
  const { ledger, report } = place
  const sourceOf = ({ at }: { at: number }) => sources[at] as Source
  for (const refusal of refusals) report.reject(sourceOf(refusal), refusal.reason, refusal.type)
  const planned = await planAll(place, found, sourceOf)
  const taken = await ledger.findTaken(planned.map(({ type, origin }) => ({ type, origin })))
  const entries: (Entry & { n: number })[] = []
  const more: { keys: readonly string[]; file: number; n?: number }[] = [
    { keys: unstored, file },
    { keys: refused, file, n: refusedNumber },
  ]
  for (const each of planned) {
    const { type, origin, hash, keys, source } = each
    const earlier = taken.get(`${type}/${origin}`)
    if (earlier && earlier.hash !== hash) {
      report.reject(source, 'another resource of this id came before', type)
    } else if (earlier) {
      report.of(type).repeated += 1
      more.push({ keys, file, n: earlier.n })
    } else {
      const n = ledger.nextNumber()
      entries.push({ ...each, file, position: source.position, n })
      taken.set(`${type}/${origin}`, { hash, n })
      if (each.task === 'nothing' && !each.isRefused) report.of(type).repeated += 1
    }
  }
  await ledger.add(entries)
  await ledger.addKeys(more)
}

/** Plans the tasks by what the practice already has. */
async function planAll(
  { store, datasetId, report }: Place,
  found: readonly Found[],
  sourceOf: (found: Found) => Source,
) {
  const known = await store.origins.find(
    datasetId,
    found.map(({ type, origin }) => ({ type, source: origin })),
  )
  const stored = await store.findStored(
    datasetId,
    found.map(({ type, origin }) => ({ type, id: known.get(`${type}/${origin}`)?.id ?? origin })),
  )
  return found.flatMap((each) => {
    const source = sourceOf(each)
    const address = `${each.type}/${each.origin}`
    const earlier = known.get(address)
    const content = stored.get(earlier ? `${each.type}/${earlier.id}` : address)?.content ?? null
    const resource = () => resourceOf(source)
    const { id, task, refusal, spareId = null } = planOf({ ...each, resource }, earlier, content)
    if (refusal !== null) report.reject(source, refusal, each.type)
    if (task === null) return []
    const isCompared = task === 'nothing' && refusal === null && earlier?.stored?.version === earlier?.version
    const references = task !== 'nothing' ? each.references : isCompared ? compared(each, content) : []
    return [{ ...each, source, id, spareId, task, references, isRefused: refusal !== null }]
  })
}

/** Parses again, for the few that are compared with a stored resource. */
function resourceOf(source: Source) {
  const parsed = parseSource(source)
  if ('reason' in parsed) throw new Error('a source that was read is none any more')
  return parsed.resource
}

interface Plan {
  /** The id in the store. */
  readonly id: string
  /** Null if the resource is not stored. */
  readonly task: Task | null
  readonly refusal: string | null
  /** The id in case its references turn out to differ from those of the stored resource that it equals. */
  readonly spareId?: string
}

interface Arrival {
  readonly type: FhirType
  readonly resource: () => Resource
  /** The id at the source. */
  readonly origin: string
  readonly hash: string
}

/**
 * @param known from an earlier import of the same source
 * @param stored the stored text with the source's id; empty if it is deleted, null if the id is free
 */
function planOf(
  { type, resource, origin, hash }: Arrival,
  known: KnownOrigin | undefined,
  stored: string | null,
): Plan {
  if (known) {
    const { id } = known
    if (known.stored === null || known.stored.deleted) return { id, task: null, refusal: 'was deleted here' }
    if (known.hash === hash) return { id, task: 'nothing', refusal: null }
    if (known.stored.version !== known.version) {
      return { id, task: 'nothing', refusal: 'was changed here since it was imported' }
    }
    return { id, task: 'update', refusal: null }
  }
  if (stored === null) return { id: origin, task: 'load', refusal: null }
  const spareId = newId(type, origin, hash)
  if (stored !== '' && isStoredAs(resource(), origin, stored)) {
    return { id: origin, task: 'nothing', refusal: null, spareId }
  }
  return { id: spareId, task: 'load', refusal: null }
}

/** Adds resources of the practice that the import refers to, by id, source id or identifier. */
export async function findOutside({
  ledger,
  store,
  datasetId,
}: {
  readonly ledger: Ledger
  readonly store: Store
  readonly datasetId: number
}): Promise<void> {
  for await (const keys of ledger.openKeys()) {
    const found = new Map<string, Target>()
    const addresses = keys.flatMap(addressOf)
    const stored = await store.findStored(datasetId, addresses)
    for (const { key, type, id } of addresses) {
      if (stored.get(key)?.deleted === false) found.set(key, { type, id })
    }
    // An earlier import may have given it another id; that one is meant then.
    const origins = await store.origins.find(
      datasetId,
      addresses.map(({ type, id }) => ({ type, source: id })),
    )
    for (const [key, { type, id, stored: current }] of origins) {
      if (current?.deleted === false) found.set(key, { type, id })
      else found.delete(key)
    }
    const identifiers = keys.flatMap(identifierOf)
    const ids = await store.findIdentified(datasetId, identifiers)
    for (const [at, { key, type }] of identifiers.entries()) {
      const id = ids[at]
      if (typeof id === 'string') found.set(key, { type, id })
    }
    await ledger.addOutside(found)
  }
}

function addressOf(key: string) {
  const [type = '', id, rest] = key.split('/')
  return id !== undefined && rest === undefined && isFhirType(type) ? [{ key, type, id }] : []
}

/** https://hl7.org/fhir/R4/search.html#token */
function identifierOf(key: string): (IdentifierKey & { key: string })[] {
  const [, type = '', token = ''] = /^(\w+)\?identifier=(.+)$/s.exec(key) ?? []
  if (!isFhirType(type)) return []
  const at = token.indexOf('|')
  const system = at < 0 ? null : token.slice(0, at)
  return [{ key, type, system, value: token.slice(at + 1) }]
}
