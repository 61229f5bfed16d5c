/**
 * Snapshots, restores and resets of a practice's data. The new dataset is complete before the practice points at it
 * (decision 0010), so readers see either the old or the new data. The old dataset is deleted in the background.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Dataset, OnCopyProgress } from '../../store/datasets.ts'
import type { Core } from '../core.ts'
import { movePractice } from './move-practice.ts'

type Practice = { id: string; slug: string; datasetId: number; purpose: string }

export type DataChange = Readonly<{
  onProgress?: OnCopyProgress
  /** Runs in the transaction that puts the new dataset in place: an error from it undoes the change. */
  within?: (tx: Prisma.TransactionClient, datasetId: number) => Promise<void>
}>

/**
 * How long replaced data stays for responses that have begun, such as a long document for a slow client. A single
 * statement ends after five seconds.
 */
const retentionSeconds = 300
/** The transaction may wait for locks while this data is copied. */
const transactionLimits = { maxWait: 10_000, timeout: 60_000 }

/** Takes a snapshot of the practice's data, which replaces an earlier one. @returns the snapshot's dataset id */
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
    }, transactionLimits)
  } catch (thrown) {
    // Without a refusal the transaction may have been committed. The next snapshot removes a surplus one.
    if (refused) await deleteDataset(core, copy)
    throw thrown
  }
  return copy
}

/** The snapshot's dataset; null if there is none. */
export async function findSnapshot(core: Core, practiceId: string): Promise<Dataset | null> {
  return (await listSnapshots(core, { id: practiceId })).at(-1) ?? null
}

/**
 * Restores the snapshot, which stays for the next time.
 * @throws Problem `not_found` without a snapshot, `conflict` if the practice's data was replaced in the meantime
 */
export async function restore(core: Core, practiceId: string, change: DataChange = {}): Promise<void> {
  const practice = await getPractice(core, practiceId)
  const newest = await findSnapshot(core, practiceId)
  if (!newest) throw new Problem('not_found', { message: 'This practice has no snapshot.' })
  await replaceWith(core, practice, newest.id, change)
}

/**
 * Gives a sandbox practice a fresh copy of the template.
 * @throws Problem `conflict` for other practices, and if the practice's data was replaced in the meantime
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

/** Deletes a dataset, unless a practice uses it; for a job. Safe to repeat. */
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
      // Several practices share the template and the demonstration, so they stay.
      if (old?.kind === 'practice') await deleteLater(core, tx, old.id, retentionSeconds)
      await within?.(tx, copy)
    }, transactionLimits)
  })
}

/** Deletes the copy if putting it in place fails. If it is in place after all, a practice uses it and it stays. */
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

/** The name contains the practice's id, because its name may change. */
function snapshotName({ id }: Pick<Practice, 'id'>): string {
  return `snapshot of practice ${id}`
}
