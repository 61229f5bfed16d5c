/** Second reading: writes references as they lie in the store and stores what the ledger says. */
import { isProblem } from '../../server/contract/http/problems.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { type Batch, forEachBatch } from './read-resources.ts'
import { ImportError } from './report.ts'
import type { ReadyBatch } from './rows-batch.ts'
import type { Place } from './scan.ts'

/** @throws ImportError when the dataset went away under it */
export async function load(place: Place): Promise<void> {
  const busy = await place.ledger.busyFiles()
  await forEachBatch(
    place,
    (file) => busy.has(file),
    (batch) => make(place, batch),
    (ready) => storeBatch(place, ready),
  )
}

async function make(
  { ledger, report, store, datasetId, threads }: Place,
  { file, sources }: Batch,
): Promise<ReadyBatch | null> {
  const plans = await ledger.findPlanned(
    file,
    sources.map(({ position }) => position),
  )
  const work = sources.flatMap((source) => {
    const planned = plans.get(source.position)
    if (planned?.reason) report.reject(source, planned.reason, planned.type)
    if (!planned || planned.reason !== null || planned.task === 'nothing') return []
    return [{ source, planned }]
  })
  if (work.length === 0) return null
  const thread = threads.next()
  const batch = threads.nextBatch()
  const targets = await ledger.resolve(file, await thread.open(batch, work))
  const numbers = await store.numbersFor(await thread.follow(batch, targets))
  return thread.make(batch, numbers, { datasetId, numbers: await store.indexNumbers() })
}

async function storeBatch({ store, datasetId, report }: Place, ready: ReadyBatch | null): Promise<void> {
  if (ready === null) return
  try {
    if (ready.rows) await store.storeRows(datasetId, ready.rows)
    for (const { planned, resource } of ready.newer) {
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
  for (const { type, task, isRenamed, isTrimmed } of ready.followed) {
    const row = report.of(type)
    if (task === 'update') row.updated += 1
    else row.imported += 1
    if (isRenamed && task === 'load') row.renamed += 1
    if (isTrimmed) row.trimmed += 1
  }
}
