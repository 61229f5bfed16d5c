/**
 * First reading: every resource gets its id and its task, or the reason why it is refused, and the ledger learns
 * by which keys others may refer to it and what it refers to.
 */
import { isProblem } from '../../server/contract/http/problems.ts'
import { checkStorable } from '../../server/store/drafts.ts'
import { parseExact } from '../../server/store/exact-json.ts'
import type { Store } from '../../server/store/store.ts'
import { forEachBatch } from './batches.ts'
import type { ImportProgress } from './import-progress.ts'
import { type Entry, type Ledger, type ReferenceKeys, refusedNumber } from './ledger.ts'
import { hashOf, labelled, newId, type ParsedResource, parseSource } from './parse-source.ts'
import { planOf } from './plan.ts'
import { readResources } from './read-resources.ts'
import { findStoredReferences, keysOf, ownKeys } from './references.ts'
import type { Report } from './report.ts'
import type { Source } from './source.ts'

export interface Place {
  readonly files: readonly string[]
  readonly ledger: Ledger
  readonly store: Store
  readonly datasetId: number
  readonly report: Report
  readonly progress: ImportProgress
}

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

export async function scan(place: Place): Promise<void> {
  for (const [file, path] of place.files.entries()) {
    const sources = readResources(path, (bytes) => place.progress.add(bytes.length))
    await forEachBatch(
      sources,
      (batch) => parseAll(place, batch),
      (parsed) => enter(place, file, parsed),
    )
  }
}

interface Parsed {
  readonly found: readonly Found[]
  /** Keys of resources whose type is not stored here. */
  readonly unstored: readonly string[]
  /** Keys of refused resources: a reference to one must not lead to whatever has that id here. */
  readonly refused: readonly string[]
}

interface Found extends ParsedResource {
  readonly source: Source
  readonly hash: string
  readonly keys: readonly string[]
  readonly references: readonly ReferenceKeys[]
  /** Its id at the source; of one without, an id made of its text. */
  readonly origin: string
}

function parseAll({ report }: Place, batch: readonly Source[]): Parsed {
  const found: Found[] = []
  const unstored: string[] = []
  const refused: string[] = []
  for (const source of batch) {
    const parsed = parseSource(source)
    if ('reason' in parsed) {
      if ('resource' in parsed) unstored.push(...ownKeys(parsed.resource, parsed.fullUrl))
      const type = 'resource' in parsed ? parsed.resource.resourceType : undefined
      report.reject(source, parsed.reason, type)
      continue
    }
    const { type, resource, fullUrl } = parsed
    const hash = hashOf(source)
    const { id } = resource
    const origin = typeof id === 'string' && idPattern.test(id) ? id : newId(type, id, hash)
    const refusal = refusalOf(parsed, origin)
    if (refusal) {
      report.reject(source, refusal, type)
      refused.push(...ownKeys({ resourceType: type, id }, fullUrl))
    } else {
      const references = findStoredReferences(resource).map(({ reference }) => ({ keys: keysOf(reference) }))
      found.push({ ...parsed, source, hash, origin, keys: ownKeys(resource, fullUrl), references })
    }
  }
  return { found, unstored, refused }
}

/** What the store would say of it. */
function refusalOf({ resource }: ParsedResource, id: string): string | null {
  try {
    checkStorable(labelled(resource, id))
    return null
  } catch (error) {
    if (isProblem(error) && error.kind === 'validation') return error.message
    throw error
  }
}

/**
 * With each reference, where the same one leads in the stored text. A stored text that lost references to types that
 * are not stored cannot be compared one by one, and is taken as it is.
 */
function compared({ references }: Found, content: string | null): readonly ReferenceKeys[] {
  const stored = content ? findStoredReferences(parseExact(content)) : []
  if (stored.length !== references.length) return []
  return references.map(({ keys }, at) => ({ keys, expected: stored[at]?.reference ?? '' }))
}

/** Into the ledger; a resource that is there already is counted once, another one of its id is refused. */
async function enter(
  { ledger, store, datasetId, report }: Place,
  file: number,
  parsed: Parsed,
): Promise<void> {
  const { found, unstored, refused } = parsed
  const known = await store.origins.find(
    datasetId,
    found.map(({ type, origin }) => ({ type, source: origin })),
  )
  const stored = await store.findStored(
    datasetId,
    found.map(({ type, origin }) => ({ type, id: known.get(`${type}/${origin}`)?.id ?? origin })),
  )
  const planned = found.flatMap((each) => {
    const address = `${each.type}/${each.origin}`
    const earlier = known.get(address)
    const content = stored.get(earlier ? `${each.type}/${earlier.id}` : address)?.content ?? null
    const { id, task, refusal, spareId = null } = planOf(each, earlier, content)
    if (refusal !== null) report.reject(each.source, refusal, each.type)
    if (task === null) return []
    const isCompared = task === 'nothing' && refusal === null && earlier?.stored?.version === earlier?.version
    const references = task !== 'nothing' ? each.references : isCompared ? compared(each, content) : []
    return [{ ...each, id, spareId, task, references, isRefused: refusal !== null }]
  })
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
