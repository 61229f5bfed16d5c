/**
 * What a practice may do with its data as a whole: keep one snapshot, go back to it, or start over from the
 * template. New data is made whole beside the old, then the practice points at it (decision 0010); the old is
 * deleted in the background. No one sees anything in between.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Dataset, OnCopyProgress } from '../../store/datasets.ts'
import type { Core } from '../core.ts'
import { movePractice } from './move-practice.ts'

type Practice = { id: string; slug: string; datasetId: number; purpose: string }

export type DataChange = Readonly<{
  onProgress?: OnCopyProgress
  /** Told of the dataset that was made, in the transaction that puts it in place; what it throws undoes the change. */
  within?: (tx: Prisma.TransactionClient, datasetId: number) => Promise<void>
}>

/**
 * How long replaced data is kept for answers that began on it, a long document to a slow reader among them. Statements
 * end after five seconds.
 */
const keptSeconds = 300
/** Held while this data is copied. */
const waiting = { maxWait: 10_000, timeout: 60_000 }

/** Keeps the practice's data as it is now, in place of an earlier snapshot. @returns the snapshot's dataset id */
export async function snapshot(core: Core, practiceId: string, { onProgress, within }: DataChange = {}) {
  const {
    store: { datasets },
    prisma,
  } = core
  const practice = await getPractice(core, practiceId)
  const copy = await datasets.copy(practice.datasetId, {
    name: snapshotName(practice),
    kind: 'snapshot',
    onProgress,
  })
  const earlier = (await listSnapshots(core, practice)).filter((dataset) => dataset.id < copy)
  let refused = false
  try {
    await prisma.$transaction(async (tx) => {
      for (const { id } of earlier) await deleteLater(core, tx, id)
      refused = true
      await within?.(tx, copy)
      refused = false
    }, waiting)
  } catch (thrown) {
    // Otherwise no one knows whether it was committed: the next snapshot removes what is too many.
    if (refused) await deleteDataset(core, copy)
    throw thrown
  }
  return copy
}

/** The snapshot's dataset; null without one. */
export async function findSnapshot(core: Core, practiceId: string): Promise<Dataset | null> {
  return (await listSnapshots(core, { id: practiceId })).at(-1) ?? null
}

/**
 * Brings the practice back to its snapshot, which stays.
 * @throws Problem `not_found` without one, `conflict` when another person changed the practice's data meanwhile
 */
export async function restore(core: Core, practiceId: string, change: DataChange = {}): Promise<void> {
  const practice = await getPractice(core, practiceId)
  const newest = await findSnapshot(core, practiceId)
  if (!newest) throw new Problem('not_found', { message: 'This practice has no snapshot.' })
  await replaceWith(core, practice, newest.id, change)
}

/**
 * Gives a sandbox practice the people of the template again, with its own copy to write to.
 * @throws Problem `conflict` for other practices, and when another person changed the practice's data meanwhile
 */
export async function reset(core: Core, practiceId: string, change: DataChange = {}): Promise<void> {
  const { prisma } = core
  const practice = await getPractice(core, practiceId)
  if (practice.purpose !== 'organization_sandbox') {
    throw new Problem('conflict', { message: 'Only a sandbox practice can be reset.' })
  }
  const template = await prisma.practice.findFirst({ where: { purpose: 'template' } })
  if (!template) throw new Problem('unavailable', { detail: 'no template practice: the seed has not run' })
  await replaceWith(core, practice, template.datasetId, change)
}

/** The job behind a change: safe to repeat; data that is in use again stays. */
export async function deleteDataset({ store: { datasets } }: Core, datasetId: number): Promise<void> {
  try {
    await datasets.remove(datasetId)
  } catch (error) {
    if (!isProblem(error) || error.kind !== 'conflict') throw error
  }
}

async function replaceWith(
  core: Core,
  practice: Practice,
  source: number,
  { onProgress, within }: DataChange,
): Promise<void> {
  const {
    store: { datasets },
    prisma,
  } = core
  // A request for changes since an earlier time must get everything.
  const copy = await datasets.copy(source, {
    name: practice.slug,
    kind: 'practice',
    restamp: true,
    onProgress,
  })
  await orRemove(core, copy, async () => {
    const old = await datasets.find(practice.datasetId)
    await prisma.$transaction(async (tx) => {
      const from = practice.datasetId
      if (!(await movePractice(tx, { practiceId: practice.id, from, to: copy, replaces: true })))
        throw new Problem('conflict', {
          message: 'The data of this practice was being replaced at the same time.',
        })
      // The template and the demonstration belong to many.
      if (old?.kind === 'practice') await deleteLater(core, tx, old.id, keptSeconds)
      await within?.(tx, copy)
    }, waiting)
  })
}

/** What was not put in place leaves nothing behind. What was, after all, is a practice's and stays. */
async function orRemove(core: Core, copy: number, putInPlace: () => Promise<void>): Promise<void> {
  try {
    await putInPlace()
  } catch (thrown) {
    await deleteDataset(core, copy)
    throw thrown
  }
}

function deleteLater({ jobs }: Core, tx: Prisma.TransactionClient, datasetId: number, delaySeconds = 0) {
  const jobKey = `delete-dataset:${datasetId}`
  return jobs.add(tx, 'delete-dataset', { datasetId }, { jobKey, delaySeconds })
}

async function listSnapshots({ store: { datasets } }: Core, practice: Pick<Practice, 'id'>) {
  const named = await datasets.listNamed(snapshotName(practice))
  return named.filter(({ kind, state }) => kind === 'snapshot' && state === 'ready')
}

async function getPractice({ prisma }: Core, id: string): Promise<Practice> {
  const practice = await prisma.practice.findUnique({
    where: { id },
    select: { id: true, slug: true, datasetId: true, purpose: true },
  })
  if (!practice) throw new Problem('not_found')
  return practice
}

/** By id: a practice may change its name. */
function snapshotName({ id }: Pick<Practice, 'id'>): string {
  return `snapshot of practice ${id}`
}
