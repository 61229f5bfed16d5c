/**
 * Seeds the practices into a database. A dataset is only served when it is complete, so that a seed can be killed and run
 * again.
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
  /** Where document contents are stored; in the database by default. */
  readonly contents?: ContentStorage | undefined
}

const batchSize = 250
/** Raise it when the same options generate other records. */
const recordsVersion = 5

const datasetKinds: Readonly<Record<PracticeRow['purpose'], DatasetKind>> = {
  template: 'template',
  demonstration: 'demonstration',
  office: 'practice',
  canary: 'canary',
}

/** Seeds the practices one after the other. A concurrent seed waits. */
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
    /** Slugs of practices that were up to date. */
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
  // Sandbox practices that share the template move with it.
  if (current) await moveAll(prisma, current.id, datasetId)
  await savePractice(prisma, practice, datasetId, clock())
  if (current) await store.datasets.remove(current.id)
  return { datasetId, resources }
}

/** Describes the dataset's records: the same description means the same records. */
function sourceOf({ seed, patients, asOf, longChart }: SeedOptions): string {
  const long = longChart === undefined ? '' : `, long chart of ${longChart}`
  return `seed ${seed}, ${patients} patients, as of ${asOf}, records ${recordsVersion}${long}`
}

async function currentDataset({ store, prisma }: Omit<Dependencies, 'clock'>, slug: string) {
  const practice = await prisma.practice.findUnique({ where: { slug }, select: { datasetId: true } })
  return practice && store.datasets.find(practice.datasetId)
}

/** Removes datasets of a killed seed: incomplete ones, and complete ones that no practice uses yet. */
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
  // Replaces the time of writing, so that the same seed gives the same texts.
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

/** Changes by people (state, name …) stay. The table is only used for new rows. */
async function savePractice(prisma: PrismaClient, practice: PracticeRow, datasetId: number, now: Date) {
  const { slug, name, environment, fhirEnabled, inDirectory, state, purpose } = practice
  await prisma.practice.upsert({
    where: { slug },
    create: { slug, name, environment, fhirEnabled, inDirectory, state, purpose, datasetId, createdAt: now },
    update: { datasetId },
  })
}
