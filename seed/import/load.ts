/** Second reading: writes references as they lie in the store and stores what the ledger says. */
import { isProblem } from '../../server/contract/http/problems.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { forEachBatch } from './batches.ts'
import type { Planned, Target } from './ledger.ts'
import { labelled, parseSource } from './parse-source.ts'
import { readResources } from './read-resources.ts'
import { findReferences, isOfUnstoredType, keysOf, pruneLists } from './references.ts'
import { ImportError } from './report.ts'
import type { Place } from './scan.ts'
import type { Source } from './source.ts'

interface Ready {
  readonly planned: Planned
  readonly resource: Resource
  readonly isRenamed: boolean
  readonly isTrimmed: boolean
}

/** @throws ImportError when the dataset went away under it */
export async function load(place: Place): Promise<void> {
  const busy = await place.ledger.busyFiles()
  for (const [file, path] of place.files.entries()) {
    if (!busy.has(file)) continue
    const sources = readResources(path, (bytes) => place.progress.add(bytes.length))
    await forEachBatch(
      sources,
      (batch) => follow(place, file, batch),
      (ready) => storeBatch(place, ready),
    )
  }
}

async function follow(
  { ledger, report }: Place,
  file: number,
  batch: readonly Source[],
): Promise<readonly Ready[]> {
  const plans = await ledger.findPlanned(
    file,
    batch.map(({ position }) => position),
  )
  const work = batch.flatMap((source) => {
    const planned = plans.get(source.position)
    if (planned?.reason) report.reject(source, planned.reason, planned.type)
    if (!planned || planned.reason !== null || planned.task === 'nothing') return []
    const parsed = parseSource(source)
    if ('reason' in parsed) throw new ImportError(`${source.file} was changed while it was read`)
    return [{ planned, resource: parsed.resource, references: findReferences(parsed.resource) }]
  })
  const keys = work.flatMap(({ references }) => references.flatMap(({ reference }) => keysOf(reference)))
  const targets = await ledger.resolve(file, [...new Set(keys)])
  return work.map(({ planned, resource, references }) => {
    let isTrimmed = false
    for (const { reference, lead } of references) {
      const target = isOfUnstoredType(reference) ? null : targetOf(reference, targets)
      lead(target && `${target.type}/${target.id}`)
      isTrimmed ||= target === null
    }
    if (isTrimmed) pruneLists(resource)
    const isRenamed = resource.id !== planned.id
    return { planned, resource: labelled(resource, planned.id), isRenamed, isTrimmed }
  })
}

/** The most exact of the keys that names something. Null: of a type that is not stored. */
function targetOf(reference: string, targets: ReadonlyMap<string, Target | null>): Target | null {
  for (const key of keysOf(reference).reverse()) {
    const target = targets.get(key)
    if (target !== undefined) return target
  }
  throw new ImportError(`${reference} names nothing any more: the practice was changed while it was read`)
}

async function storeBatch({ store, datasetId, report }: Place, ready: readonly Ready[]): Promise<void> {
  const fresh = ready.filter(({ planned }) => planned.task === 'load')
  const newer = ready.filter(({ planned }) => planned.task === 'update')
  try {
    if (fresh.length > 0) {
      await store.bulkLoad(
        datasetId,
        fresh.map(({ resource }) => resource),
        { origins: fresh.map(({ planned }) => ({ ...planned, source: planned.origin, version: 1 })) },
      )
    }
    for (const { planned, resource } of newer) {
      await store.write(datasetId, [resource], {
        liveness: noLiveness,
        within: async (client, [written]) =>
          store.origins.renew(
            datasetId,
            { ...planned, source: planned.origin, version: written?.version ?? 0 },
            client,
          ),
      })
    }
  } catch (error) {
    if (!isProblem(error) || !['conflict', 'forbidden'].includes(error.kind)) throw error
    throw new ImportError(
      'the data of the practice was replaced, or somebody wrote the same resources, meanwhile: run the import again',
      { cause: error },
    )
  }
  for (const { planned, isRenamed, isTrimmed } of ready) {
    const row = report.of(planned.type)
    if (planned.task === 'update') row.updated += 1
    else row.imported += 1
    if (isRenamed && planned.task === 'load') row.renamed += 1
    if (isTrimmed) row.trimmed += 1
  }
}
