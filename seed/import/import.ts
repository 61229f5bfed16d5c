/**
 * Imports resources from elsewhere into a practice. It reads the files twice: the first time it assigns all ids and finds
 * everything to refuse, the second time it stores independent batches. After a kill, a second run stores what is missing.
 */
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import type { DatasetKind } from '../../server/store/dataset-lock.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import type { Store } from '../../server/store/store.ts'
import { alone } from '../database.ts'
import { checkDocuments, storeDocuments } from './documents.ts'
import { openLedger } from './ledger.ts'
import { type Batch, forEachBatch, listFiles } from './read-resources.ts'
import {
  createImportProgress,
  createReport,
  ImportError,
  type ImportReport,
  type OnImportProgress,
  type ReportOptions,
} from './report.ts'
import type { ReadyBatch } from './rows-batch.ts'
import { findOutside, type Place, scan } from './scan.ts'
import { openThreads } from './threads.ts'

export interface ImportOptions extends ReportOptions {
  readonly practice: string
  readonly paths: readonly string[]
  /** The operator confirms that all records are synthetic, which production practices require. */
  readonly synthetic: boolean
  /** Stores nothing if any resource is refused. */
  readonly strict?: boolean
  readonly onProgress?: OnImportProgress
  /** The number of additional threads; by default it depends on cores and size. */
  readonly threads?: number
}

interface ImportDependencies {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly store: Store
}

/** @throws ImportError for errors that the user can fix, and for refusals if `strict` */
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

/** For smaller files, starting a thread takes longer than it saves. */
const smallBytes = 4_000_000
const threadsMax = 4

/** Leaves one core to this thread and one to the database. */
const threadsFor = (bytes: number): number =>
  bytes < smallBytes ? 0 : Math.max(0, Math.min(threadsMax, availableParallelism() - 2))

interface TargetPractice {
  readonly id: string
  readonly slug: string
  readonly datasetId: number
  readonly purpose: string
}

interface Dependencies {
  readonly prisma: PrismaClient
  readonly store: Store
}

/** @throws ImportError for an unknown practice, and for a production practice without `synthetic` */
async function findPractice(
  prisma: PrismaClient,
  slug: string,
  { synthetic }: { readonly synthetic: boolean },
): Promise<TargetPractice> {
  const practice = await prisma.practice.findUnique({ where: { slug } })
  if (!practice) throw new ImportError(`there is no practice “${slug}”`)
  if (practice.environment === 'production' && !synthetic) {
    throw new ImportError(
      `${slug} is a production practice, and this service holds synthetic people only: ` +
        'say --synthetic when that is what the files hold',
    )
  }
  return practice
}

/** Continues with the copy of an earlier import that was killed. */
async function findTarget(store: Store, practice: TargetPractice) {
  const current = await store.datasets.find(practice.datasetId)
  const isOwn = current?.kind === 'practice' || current?.kind === 'canary'
  const begun = isOwn
    ? current
    : (await store.datasets.listNamed(practice.slug)).find(
        ({ state, source }) => state === 'loading' && source === sourceOf(practice),
      )
  if (begun) return { datasetId: begun.id, open: () => Promise.resolve(begun.id) }
  return {
    /** The dataset with the existing resources. */
    datasetId: practice.datasetId,
    /** @returns the dataset to load: the served one, or a copy of it */
    open: () =>
      store.datasets.copy(practice.datasetId, {
        name: practice.slug,
        kind: kindOf(practice.purpose),
        state: 'loading',
        source: sourceOf(practice),
      }),
  }
}

/**
 * Replaces the practice's dataset by the copy.
 * @throws ImportError if the practice's data was replaced meanwhile (reset, restore, seed)
 */
async function closeTarget(
  { prisma, store }: Dependencies,
  { id, slug, datasetId: old, purpose }: TargetPractice,
  datasetId: number,
): Promise<void> {
  const replaced = new ImportError(
    `the data of ${slug} was replaced by a reset, a restore or a seed meanwhile: run the import again`,
  )
  if (datasetId === old) {
    if ((await prisma.practice.count({ where: { id, datasetId } })) === 0) throw replaced
    return
  }
  await store.datasets.markReady(datasetId)
  // Practices that share the template move with it. Others have their own data.
  const where = purpose === 'template' ? { datasetId: old } : { id, datasetId: old }
  const { count } = await prisma.practice.updateMany({ where, data: { datasetId } })
  if (count === 0) {
    await store.datasets.remove(datasetId)
    throw replaced
  }
  if ((await prisma.practice.count({ where: { datasetId: old } })) === 0) await store.datasets.remove(old)
}

/** Identifies the unfinished copy of an import. */
const sourceOf = ({ datasetId }: TargetPractice): string => `copy of dataset ${datasetId} with an import`

const kindOf = (purpose: string): DatasetKind =>
  purpose === 'template' || purpose === 'demonstration' || purpose === 'canary' ? purpose : 'practice'

// Second pass: rewrites references and stores the resources that the ledger lists.

/** @throws ImportError if the dataset was removed meanwhile */
async function load(place: Place): Promise<void> {
  const busy = await place.ledger.busyFiles()
  await forEachBatch(
    place,
    (file) => busy.has(file),
    (batch) => make(place, batch),
    (ready) => storeBatch(place, ready),
  )
}

async function make({ ledger, report, store, datasetId, threads }: Place, { file, sources }: Batch) {
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
        within: async ({ run }, [written]) =>
          store.origins.renew(run, datasetId, {
            ...planned,
            source: planned.origin,
            version: written?.version ?? 0,
          }),
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
