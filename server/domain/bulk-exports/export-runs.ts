/** Bulk exports for the processes that run them: begin, report, complete or fail. A replaced run is ignored. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import type { Core } from '../core.ts'
import { cancelShutOut, openToSystems } from './cancel-export.ts'
import { applyExportFault, exportFault } from './export-fault.ts'
import type { ExportRun } from './export-storage.ts'
import { type ExportFile, exportPlan, type RunOrder } from './export-types.ts'
import { manifestText, signedUrl } from './manifest.ts'

type BegunRun = Omit<RunOrder, 'connectionString' | 'storage' | 'fileBytesMax'>

export const failures = {
  disk_full: 'The server has no space for this export’s files. Try again later, or request fewer types.',
  fault: 'The export could not be completed. None of its files is valid. Start a new export.',
} as const

/** Begins a new run of an export, which replaces earlier ones. Null if there is nothing to do. */
export async function begin(core: Core, exportId: string): Promise<BegunRun | null> {
  const { prisma, clock, exportStorage: storage } = core
  await cancelShutOut(prisma, { id: exportId }, clock())
  const [row] = await prisma.bulkExport.updateManyAndReturn({
    where: { id: exportId, state: 'running' },
    data: { attempt: { increment: 1 }, written: 0, total: null },
  })
  // Removes files of an earlier run, also for a cancelled export.
  await storage.remove(exportId)
  if (row === undefined) return null
  const { id, attempt, practiceId, base, since, createdAt } = row
  const ageMs = clock().getTime() - createdAt.getTime()
  if (attempt > limits.bulkRunsMin && ageMs > limits.bulkRunMinutes * 60_000) {
    await fail(core, { exportId: id, attempt }, 'fault')
    return null
  }
  return {
    exportId: id,
    attempt,
    practiceId,
    base,
    plan: exportPlan.parse(row.plan),
    since,
  }
}

/** @returns false if this run must stop: cancelled, replaced, or the practice no longer allows systems */
export async function report(
  { prisma, clock }: Core,
  run: ExportRun,
  data: Prisma.BulkExportUpdateManyMutationInput,
): Promise<boolean> {
  // Only the current run may report, and only while the practice allows systems.
  const { count } = await prisma.bulkExport.updateMany({
    where: { ...current(run), practice: openToSystems },
    data,
  })
  if (count === 0) await cancelShutOut(prisma, { id: run.exportId }, clock())
  return count === 1
}

/** Whether a later run has begun. */
export async function isReplaced({ prisma }: Core, { exportId, attempt }: ExportRun): Promise<boolean> {
  const later = await prisma.bulkExport.count({ where: { id: exportId, attempt: { gt: attempt } } })
  return later > 0
}

/** @returns false if the run was cancelled or replaced */
export function complete(
  core: Core,
  run: ExportRun,
  result: { transactionTime: Date; total: number; files: readonly ExportFile[] },
): Promise<boolean> {
  return end(core, run, { ...result, failure: null })
}

/** Ends the export without files. The manifest gives the client the reason. */
export async function fail(core: Core, run: ExportRun, reason: keyof typeof failures): Promise<void> {
  const { exportStorage: storage } = core
  await storage.remove(run.exportId)
  await end(core, run, { transactionTime: null, total: 0, files: [], failure: failures[reason] })
}

async function end(
  core: Core,
  run: ExportRun,
  result: {
    transactionTime: Date | null
    total: number
    files: readonly ExportFile[]
    failure: string | null
  },
): Promise<boolean> {
  const { prisma, clock, keyring } = core
  const { total, failure } = result
  const { base, request, lab, createdAt } = await prisma.bulkExport.findUniqueOrThrow({
    where: { id: run.exportId },
    select: { base: true, request: true, lab: true, createdAt: true },
  })
  const planned = applyExportFault(exportFault.nullable().parse(lab), {
    files: result.files,
    createdAt,
    endedAt: clock(),
  })
  const { files, issues, endedAt, readyAt, linksEndAt } = planned
  const { exportId } = run
  const transactionTime = result.transactionTime ?? endedAt
  return report(core, run, {
    state: failure === null ? 'complete' : 'failed',
    runningPracticeId: null,
    endedAt,
    linksEndAt,
    transactionTime,
    files: [...files],
    issues: [...issues],
    readyAt,
    failure,
    written: total,
    total,
    manifest: manifestText({
      transactionTime,
      request,
      files,
      issueCount: failure === null ? issues.length : 1,
      urlOf: (name) => signedUrl(keyring, { base, exportId, name, linksEndAt }),
    }),
  })
}

/** The tick: removes files of expired and cancelled exports. */
export async function removeOver({ prisma, exportStorage: storage }: Core, now: Date): Promise<void> {
  const over = await prisma.bulkExport.findMany({
    where: {
      removedAt: null,
      OR: [{ linksEndAt: { lte: now } }, { state: 'cancelled' }],
    },
    select: { id: true },
  })
  for (const { id } of over) {
    await storage.remove(id)
    await prisma.bulkExport.updateMany({ where: { id }, data: { removedAt: now } })
  }
}

const current = ({ exportId, attempt }: ExportRun) => ({ id: exportId, attempt, state: 'running' })

/** Removes every file of an export. */
export const discard = ({ exportStorage }: Core, exportId: string) => exportStorage.remove(exportId)
