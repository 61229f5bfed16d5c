/**
 * First reading: every resource gets its id and its task, or the reason why it is refused, and the ledger learns
 * by which keys others may refer to it and what it refers to.
 */
import { parseExact } from '../../server/store/exact-json.ts'
import type { Store } from '../../server/store/store.ts'
import { forEachBatch } from './batches.ts'
import type { ImportProgress } from './import-progress.ts'
import { type Entry, type Ledger, type ReferenceKeys, refusedNumber } from './ledger.ts'
import { parseSource } from './parse-source.ts'
import { planOf } from './plan.ts'
import type { Found, ReadBatch } from './read-batch.ts'
import { findStoredReferences } from './references.ts'
import type { Report } from './report.ts'
import type { Source } from './source.ts'
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

/** By what the practice has of them already. */
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

/** Once more, of the few that are compared with what is stored. */
function resourceOf(source: Source) {
  const parsed = parseSource(source)
  if ('reason' in parsed) throw new Error('a source that was read is none any more')
  return parsed.resource
}
