/** Writes a practice as NDJSON, one file a type: what `npm run import` reads. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FhirType, fhirTypeNumbers } from '../../server/contract/fhir-registry.ts'
import type { Store } from '../../server/store/store.ts'

/**
 * @param folder made when it is missing; files of the same name are replaced, each when it is whole
 * @returns how many resources of each type were written, types without any left out
 */
export async function exportPractice(
  store: Pick<Store, 'readAll' | 'datasets'>,
  datasetId: number,
  folder: string,
): Promise<Partial<Record<FhirType, number>>> {
  await mkdir(folder, { recursive: true })
  const counts = await store.datasets.counts(datasetId)
  for (const type of Object.keys(fhirTypeNumbers) as FhirType[]) {
    if (!counts[type]) continue
    const file = join(folder, `${type}.ndjson`)
    let written = 0
    async function* lines() {
      for await (const text of store.readAll(datasetId, type)) {
        written += 1
        yield `${text}\n`
      }
    }
    await pipeline(Readable.from(lines()), createWriteStream(`${file}.part`))
    await rename(`${file}.part`, file)
    counts[type] = written
  }
  return counts
}
