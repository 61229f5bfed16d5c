/** Writes a practice for `npm run import`: an NDJSON file for each type, and the bytes of its documents. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FhirType, fhirTypeNumbers } from '../../server/contract/fhir/registry.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { makeFolder } from '../../server/store/make-folder.ts'
import type { Store } from '../../server/store/store.ts'
import { contentsFile, documentsFolder } from '../import/documents.ts'

/**
 * @param folder created if it is missing. Files of an earlier export are replaced after the new ones are complete, or
 * removed
 */
export async function exportPractice(
  store: Pick<Store, 'readAll' | 'datasets' | 'documents'>,
  datasetId: number,
  folder: string,
) {
  await makeFolder(folder)
  const counts = await store.datasets.counts(datasetId)
  for (const type of Object.keys(fhirTypeNumbers) as FhirType[]) {
    const file = join(folder, `${type}.ndjson`)
    if (counts[type]) counts[type] = await writeLines(file, store.readAll(datasetId, type))
    else await rm(file, { force: true })
  }
  return {
    /** The number of resources of each type that has any. */
    counts,
    /** The number of attachments in the folder `documents`. */
    documents: await exportDocuments(store, datasetId, join(folder, documentsFolder)),
  }
}

/** Writes each content once under its hash, and a list of the attachments that refer to it. */
async function exportDocuments({ documents }: Pick<Store, 'documents'>, datasetId: number, folder: string) {
  await rm(folder, { recursive: true, force: true })
  await makeFolder(folder)
  async function* lines() {
    for await (const attachment of documents.list(datasetId)) {
      const { type, id, ordinal, contentType, sha256 } = attachment
      const { document } = await documents.find(datasetId, attachment, noLiveness)
      if (!document) continue // deleted meanwhile
      const file = join(folder, sha256)
      if (!existsSync(file)) await writeWhole(file, document.bytes())
      yield [`${type}/${id}`, ordinal, contentType, sha256].join('\t')
    }
  }
  const count = await writeLines(join(folder, contentsFile), lines())
  if (count === 0) await rm(folder, { recursive: true })
  return count
}

/** @returns the number of lines */
async function writeLines(file: string, texts: AsyncIterable<string>): Promise<number> {
  let written = 0
  async function* lines() {
    for await (const text of texts) {
      written += 1
      yield `${text}\n`
    }
  }
  await writeWhole(file, lines())
  return written
}

async function writeWhole(file: string, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  await pipeline(Readable.from(pieces), createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
}
