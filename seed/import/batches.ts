/** Sources in batches, the next one made ready while the last is with the database. */
import type { Source } from './source.ts'

const batchSize = 500
const batchLengthMax = 1_500_000

async function* batches(sources: AsyncIterable<Source>): AsyncGenerator<Source[], void> {
  let batch: Source[] = []
  let length = 0
  for await (const source of sources) {
    batch.push(source)
    length += source.text?.length ?? 0
    if (batch.length === batchSize || length > batchLengthMax) {
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

/**
 * @param prepare works on a batch while `finish` of the one before is under way
 * @param finish is never called before the one before has ended
 */
export async function forEachBatch<Prepared>(
  sources: AsyncIterable<Source>,
  prepare: (batch: readonly Source[]) => Prepared | Promise<Prepared>,
  finish: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  let previous = Promise.resolve()
  try {
    for await (const batch of batches(sources)) {
      const prepared = await prepare(batch)
      await previous
      previous = finish(prepared)
      previous.catch(() => {}) // heard at the next await
    }
    await previous
  } finally {
    await previous.catch(() => {})
  }
}
