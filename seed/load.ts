/**
 * Fills a database with the practices: the only file here that touches one. Each practice is a dataset that is
 * served only when whole, so that a seed killed halfway and run again ends as an undisturbed one.
 */
import type pg from 'pg'
import type { PrismaClient } from '../prisma/generated/client/client.ts'
import { movePractice } from '../server/domain/practices/move-practice.ts'
import type { DatasetKind } from '../server/store/dataset-lock.ts'
import type { Dataset } from '../server/store/datasets.ts'
import type { Resource } from '../server/store/index-rows.ts'
import type { ContentStorage } from '../server/store/s3-client.ts'
import { createStore, type Store } from '../server/store/store.ts'
import { alone } from './database.ts'
import type { DocumentFile } from './documents/files.ts'
import type { SeedOptions } from './options.ts'
import { peopleCount, practiceBatches } from './practice-records.ts'
import { getPractice, type PracticeRow, practices } from './practices.ts'

export type SeedReport = Awaited<ReturnType<typeof seedDatabase>>

interface SeedDependencies {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly clock: () => Date
  /** Of documents; in the database unless said otherwise. */
  readonly contents?: ContentStorage | undefined
}

const batchSize = 250
/** Raised when the same options make other records than before. */
const recordsVersion = 5

const datasetKinds: Readonly<Record<PracticeRow['purpose'], DatasetKind>> = {
  template: 'template',
  demonstration: 'demonstration',
  office: 'practice',
  canary: 'canary',
}

/** Seeds the practices, one after the other; a second seed started meanwhile waits for its turn. */
export async function seedDatabase(
  { pool, prisma, clock, contents }: SeedDependencies,
  options: SeedOptions,
) {
  const started = performance.now()
  const store = createStore({ pool, clock, contents })
  const rows = options.only ? options.only.map(getPractice) : practices
  const seeded: { slug: string; datasetId: number; resources: number }[] = []
  const unchanged: string[] = []
  const people = rows.map((practice) => peopleCount(practice, options))
  const all = people.reduce((sum, count) => sum + count, 0)
  await alone(pool, async () => {
    for (const [index, practice] of rows.entries()) {
      const before = people.slice(0, index).reduce((sum, count) => sum + count, 0)
      const earlier = seeded.reduce((sum, each) => sum + each.resources, 0)
      const progress = (written: number, patients: number) =>
        options.onProgress?.({
          resources: earlier + written,
          share: (before + patients) / all,
        })
      const result = await seedPractice({ store, prisma, clock }, practice, options, progress)
      if (result === 'unchanged') unchanged.push(practice.slug)
      else seeded.push({ slug: practice.slug, ...result })
    }
  })
  const resources = seeded.reduce((sum, each) => sum + each.resources, 0)
  return {
    practices: seeded,
    /** Slugs that were as they should be. */
    unchanged,
    resources,
    seconds: (performance.now() - started) / 1000,
  }
}

type Dependencies = { store: Store; prisma: PrismaClient; clock: () => Date }

async function seedPractice(
  { store, prisma, clock }: Dependencies,
  practice: PracticeRow,
  options: SeedOptions,
  onProgress: (resources: number, patients: number) => void,
): Promise<'unchanged' | { datasetId: number; resources: number }> {
  const source = sourceOf(options)
  const current = await currentDataset({ store, prisma }, practice.slug)
  await removeLeftovers(store, practice.slug, current)
  const isMade = current?.source === source && !options.anew
  if (current?.state === 'ready' && (options.ifEmpty || isMade)) {
    await savePractice(prisma, practice, current.id, clock())
    return 'unchanged'
  }
  const datasetId = await store.datasets.create({
    name: practice.slug,
    kind: datasetKinds[practice.purpose],
    source,
  })
  const resources = await loadRecords(store, datasetId, practice, options, onProgress)
  await store.adoptOrphans(datasetId)
  await store.datasets.markReady(datasetId)
  // Sandbox practices that share the template go along with it.
  if (current) await moveAll(prisma, current.id, datasetId)
  await savePractice(prisma, practice, datasetId, clock())
  if (current) await store.datasets.remove(current.id)
  return { datasetId, resources }
}

/** Written into the dataset: equal sources hold equal records. */
function sourceOf({ seed, patients, asOf, longChart }: SeedOptions): string {
  const long = longChart === undefined ? '' : `, long chart of ${longChart}`
  return `seed ${seed}, ${patients} patients, as of ${asOf}, records ${recordsVersion}${long}`
}

async function currentDataset({ store, prisma }: Omit<Dependencies, 'clock'>, slug: string) {
  const practice = await prisma.practice.findUnique({ where: { slug }, select: { datasetId: true } })
  return practice && store.datasets.find(practice.datasetId)
}

/** Of a seed that was killed: half-loaded, half-removed, or whole with no practice pointing at it yet. */
async function removeLeftovers(store: Store, slug: string, current: Dataset | null): Promise<void> {
  for (const dataset of await store.datasets.listNamed(slug)) {
    if (dataset.id !== current?.id) await store.datasets.remove(dataset.id)
  }
}

async function loadRecords(
  store: Store,
  datasetId: number,
  practice: PracticeRow,
  options: SeedOptions,
  onProgress: (resources: number, patients: number) => void,
): Promise<number> {
  // Stands for the time of writing, so that the same seed gives the same texts.
  const stamp = new Date(`${options.asOf}T12:00:00.000Z`)
  let written = 0
  let patients = 0
  let batch: Resource[] = []
  let files: DocumentFile[] = []
  const load = store.beginLoad(datasetId, { stamp })
  const flush = async () => {
    await load.add(batch)
    for (const { documentId, contentType, bytes } of files) {
      await store.documents.put(datasetId, { type: 'DocumentReference', id: documentId }, contentType, bytes)
    }
    written += batch.length
    batch = []
    files = []
    onProgress(written, patients)
  }
  for (const belonging of practiceBatches(practice, options)) {
    files.push(...belonging.files)
    for (const resource of belonging.resources) {
      batch.push(resource)
      if (batch.length === batchSize) await flush()
    }
    if (belonging.resources[0]?.resourceType === 'Patient') patients++
  }
  if (batch.length > 0 || files.length > 0) await flush()
  await load.end()
  return written
}

async function moveAll(prisma: PrismaClient, from: number, to: number): Promise<void> {
  const pointing = await prisma.practice.findMany({ where: { datasetId: from }, select: { id: true } })
  for (const { id } of pointing) {
    await prisma.$transaction((tx) => movePractice(tx, { practiceId: id, from, to, replaces: true }))
  }
}

/** What people have changed since (state, name …) stays as they left it; the table speaks for new rows only. */
async function savePractice(prisma: PrismaClient, practice: PracticeRow, datasetId: number, now: Date) {
  const { slug, name, environment, fhirEnabled, inDirectory, state, purpose } = practice
  await prisma.practice.upsert({
    where: { slug },
    create: { slug, name, environment, fhirEnabled, inDirectory, state, purpose, datasetId, createdAt: now },
    update: { datasetId },
  })
}
