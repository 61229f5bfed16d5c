/** Bulk exports as their runs see them: taken up, on their way, at their end. A run that was replaced is not heard. */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import type { Keyring } from '../../keyring.ts'
import { applyExportFault, exportFault } from './export-fault.ts'
import type { ExportRun, ExportStorage } from './export-storage.ts'
import { type ExportFile, exportPlan, type RunOrder } from './export-types.ts'
import { manifestText, signedUrl } from './manifest.ts'
import { cancelShutOut, openToSystems } from './shut-out.ts'

type Dependencies = { prisma: PrismaClient; clock: () => Date; keyring: Keyring; storage: ExportStorage }

type BegunRun = Omit<RunOrder, 'connectionString' | 'folder' | 'fileBytesMax' | 'gzip'>

export const failures = {
  disk_full: 'The server has no room for the files of this export. Ask again later, or for fewer types.',
  fault: 'The export could not be completed. No file of it is valid; ask for it again.',
} as const

export function createExportRuns({ prisma, clock, keyring, storage }: Dependencies) {
  /** A new run of an export that is to run: earlier ones are not heard any more. Null when there is nothing to do. */
  async function begin(exportId: string): Promise<BegunRun | null> {
    await cancelShutOut(prisma, { id: exportId }, clock())
    const [row] = await prisma.bulkExport.updateManyAndReturn({
      where: { id: exportId, state: 'running' },
      data: { attempt: { increment: 1 }, written: 0, total: null },
    })
    // What an earlier run has left, or one that was cancelled before it began.
    await storage.remove(exportId)
    if (row === undefined) return null
    const { id, attempt, practiceId, base, since } = row
    if (attempt > limits.bulkRunsMax) {
      await fail({ exportId: id, attempt }, 'fault')
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

  /** @returns false when this run is to stop: cancelled, its practice shut, or another one has taken its place */
  async function report(
    run: ExportRun,
    progress: { written: number; total: number | null },
  ): Promise<boolean> {
    return save(run, progress)
  }

  /** What a run says is heard while it is the current one of an open practice. */
  async function save(run: ExportRun, data: Prisma.BulkExportUpdateManyMutationInput): Promise<boolean> {
    const { count } = await prisma.bulkExport.updateMany({
      where: { ...current(run), practice: openToSystems },
      data,
    })
    if (count === 0) await cancelShutOut(prisma, { id: run.exportId }, clock())
    return count === 1
  }

  /** Whether a later run has begun. */
  async function isReplaced({ exportId, attempt }: ExportRun): Promise<boolean> {
    const later = await prisma.bulkExport.count({ where: { id: exportId, attempt: { gt: attempt } } })
    return later > 0
  }

  /** @returns false when nobody waits for it any more */
  function complete(
    run: ExportRun,
    result: { transactionTime: Date; total: number; files: readonly ExportFile[] },
  ): Promise<boolean> {
    return end(run, { ...result, failure: null })
  }

  /** No file of it stays; the client is told why in the manifest. */
  async function fail(run: ExportRun, reason: keyof typeof failures): Promise<void> {
    await storage.remove(run.exportId)
    await end(run, { transactionTime: null, total: 0, files: [], failure: failures[reason] })
  }

  async function end(
    run: ExportRun,
    result: {
      transactionTime: Date | null
      total: number
      files: readonly ExportFile[]
      failure: string | null
    },
  ): Promise<boolean> {
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
    return save(run, {
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

  /** Tick: files that no link leads to any more. */
  async function removeOver(now: Date): Promise<void> {
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

  return { begin, report, isReplaced, complete, fail, removeOver, discard: storage.remove }
}

export type ExportRuns = ReturnType<typeof createExportRuns>

const current = ({ exportId, attempt }: ExportRun) => ({ id: exportId, attempt, state: 'running' })
