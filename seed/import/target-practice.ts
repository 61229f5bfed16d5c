/**
 * Where an import goes. A practice with data of its own takes it while it is served, chunk by chunk, as any other
 * writer's; data that many share is read-only, so that it is copied, filled and put in the old one's place.
 */
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { DatasetKind } from '../../server/store/dataset-state.ts'
import type { Store } from '../../server/store/store.ts'
import { ImportError } from './report.ts'

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

/** @throws ImportError when there is none, and for a production practice without `synthetic` */
export async function findPractice(
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

interface Target {
  /** Where to look for what is there already. */
  readonly datasetId: number
  /** @returns the dataset to load, served or beside the served one */
  readonly open: () => Promise<number>
}

/** A copy that an earlier, killed import has begun is gone on with. */
export async function findTarget(store: Store, practice: TargetPractice): Promise<Target> {
  const current = await store.datasets.find(practice.datasetId)
  const isOwn = current?.kind === 'practice' || current?.kind === 'canary'
  const begun = isOwn
    ? current
    : (await store.datasets.listNamed(practice.slug)).find(
        ({ state, source }) => state === 'loading' && source === sourceOf(practice),
      )
  if (begun) return { datasetId: begun.id, open: () => Promise.resolve(begun.id) }
  return {
    datasetId: practice.datasetId,
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
 * Puts a copy in the place of the old data.
 * @throws ImportError when somebody replaced the practice's data meanwhile (reset, restore, seed)
 */
export async function closeTarget(
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
  // Those who share the template go along with it; anybody else's data is their own.
  const where = purpose === 'template' ? { datasetId: old } : { id, datasetId: old }
  const { count } = await prisma.practice.updateMany({ where, data: { datasetId } })
  if (count === 0) {
    await store.datasets.remove(datasetId)
    throw replaced
  }
  if ((await prisma.practice.count({ where: { datasetId: old } })) === 0) await store.datasets.remove(old)
}

/** Tells an import's unfinished copy from others. */
function sourceOf({ datasetId }: TargetPractice): string {
  return `copy of dataset ${datasetId} with an import`
}

function kindOf(purpose: string): DatasetKind {
  return purpose === 'template' || purpose === 'demonstration' || purpose === 'canary' ? purpose : 'practice'
}
