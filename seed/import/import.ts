/**
 * Loads resources of elsewhere into a practice. Two readings of the files: the first gives every
 * resource its id and finds everything that is to be refused before anything is stored, the second stores in chunks
 * that stand for themselves: killed and run again, it goes on with what is missing.
 */
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { Store } from '../../server/store/store.ts'
import { alone } from '../alone.ts'
import { checkDocuments, storeDocuments } from './documents.ts'
import { createImportProgress, type OnImportProgress } from './import-progress.ts'
import { openLedger } from './ledger.ts'
import { load } from './load.ts'
import { findOutside } from './outside.ts'
import { listFiles } from './read-resources.ts'
import { createReport, ImportError, type ImportReport, type ReportOptions } from './report.ts'
import { type Place, scan } from './scan.ts'
import { closeTarget, findPractice, findTarget } from './target-practice.ts'
import { openThreads } from './threads.ts'

export interface ImportOptions extends ReportOptions {
  readonly practice: string
  readonly paths: readonly string[]
  /** Somebody answers for it that nobody's real record is among them; production practices ask for it. */
  readonly synthetic: boolean
  /** The first refusal ends the import with nothing stored. */
  readonly strict?: boolean
  readonly onProgress?: OnImportProgress
  /** How many threads parse and check beside this one; by cores and size when left out. */
  readonly threads?: number
}

interface ImportDependencies {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly store: Store
}

/** @throws ImportError for what people can mend, a refusal among them when `strict` */
export async function importResources(
  { pool, prisma, store }: ImportDependencies,
  options: ImportOptions,
): Promise<ImportReport> {
  const started = performance.now()
  const files = await listFiles(options.paths)
  if (files.length === 0) throw new ImportError('there is no .ndjson or .json file at these paths')
  const report = createReport(options)
  const progress = await createImportProgress(files, report, options.onProgress)
  const threads = openThreads(options.threads ?? threadsFor(progress.bytes))
  const run = async (client: pg.PoolClient) => {
    const practice = await findPractice(prisma, options.practice, options)
    const target = await findTarget(store, practice)
    const ledger = await openLedger(client)
    const place: Place = { files, ledger, store, datasetId: target.datasetId, report, progress, threads }
    await scan(place)
    await ledger.close()
    await findOutside(place)
    for (const { type, count } of await ledger.settle()) report.of(type).repeated -= count
    await ledger.refuseDangling()
    const documents = await checkDocuments(place, options.paths)
    const { pending, refused } = await ledger.summary()
    if (refused && options.strict) {
      const { file, position, reason } = refused
      throw new ImportError(`${files[file]}, ${position}: ${reason}; nothing was imported (--strict)`)
    }
    if (pending + documents.pending === 0) return load(place) // which names the refused
    const datasetId = await target.open()
    await load({ ...place, datasetId })
    await storeDocuments({ ...place, datasetId }, documents)
    await store.adoptOrphans(datasetId)
    await closeTarget({ prisma, store }, practice, datasetId)
  }
  await alone(pool, run).finally(threads.end)
  return {
    types: report.types,
    documents: report.documents,
    unchanged: report.sum('imported') + report.sum('updated') + report.documents === 0,
    seconds: (performance.now() - started) / 1000,
  }
}

/** Below this many bytes a thread takes longer to start than it saves. */
const smallBytes = 4_000_000
const threadsMax = 4

/** One core is left to this thread, and one to the database: with two there is none for another. */
function threadsFor(bytes: number): number {
  return bytes < smallBytes ? 0 : Math.max(0, Math.min(threadsMax, availableParallelism() - 2))
}
