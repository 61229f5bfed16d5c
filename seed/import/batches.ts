/** Sources in batches, some of them made ready while one is with the database. */
import type { ImportProgress } from './import-progress.ts'
import { readResources } from './read-resources.ts'
import type { Source } from './source.ts'
import type { ImportThreads } from './threads.ts'

const batchSize = 500
const batchLengthMax = 1_500_000

export interface Batch {
  /** Its place among the files. */
  readonly file: number
  readonly sources: readonly Source[]
}

interface Input {
  readonly files: readonly string[]
  readonly progress: ImportProgress
  readonly threads: ImportThreads
}

async function* batchesOf(
  { files, progress }: Input,
  isWanted: (file: number) => boolean,
): AsyncGenerator<Batch, void> {
  for (const [file, path] of files.entries()) {
    if (!isWanted(file)) continue
    let sources: Source[] = []
    let length = 0
    for await (const source of readResources(path, (bytes) => progress.add(bytes.length))) {
      sources.push(source)
      length += source.text?.length ?? 0
      if (sources.length === batchSize || length > batchLengthMax) {
        yield { file, sources }
        sources = []
        length = 0
      }
    }
    if (sources.length > 0) yield { file, sources }
  }
}

/**
 * @param prepare works on batches, in their order, while `finish` of one before is under way
 * @param finish is never called before the one before has ended
 */
export async function forEachBatch<Prepared>(
  input: Input,
  isWanted: (file: number) => boolean,
  prepare: (batch: Batch) => Prepared | Promise<Prepared>,
  finish: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  const ahead: Promise<Prepared>[] = []
  let previous = Promise.resolve()
  const next = async () => {
    const prepared = await (ahead.shift() as Promise<Prepared>)
    await previous
    previous = finish(prepared)
    previous.catch(() => {}) // heard at the next await
  }
  try {
    for await (const batch of batchesOf(input, isWanted)) {
      const preparing = Promise.resolve(prepare(batch))
      preparing.catch(() => {}) // heard in its turn
      ahead.push(preparing)
      if (ahead.length > input.threads.ahead) await next()
    }
    while (ahead.length > 0) await next()
    await previous
  } finally {
    await Promise.allSettled([...ahead, previous])
  }
}
