/** Bulk exports as their runs see them: taken up, on their way, at their end. A run that was replaced is not heard. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/limits.ts'
import type { Keyring } from '../../keyring.ts'
import type { ExportRun, ExportStorage } from './export-storage.ts'
import { type ExportFile, exportPlan, type RunOrder } from './export-types.ts'
import { manifestText, signedUrl } from './manifest.ts'

type Dependencies = { prisma: PrismaClient; clock: () => Date; keyring: Keyring; storage: ExportStorage }

export type BegunRun = Omit<RunOrder, 'connectionString' | 'folder' | 'fileBytesMax' | 'gzip'>

export const failures = {
  disk_full: 'The server has no room for the files of this export. Ask again later, or for fewer types.',
  fault: 'The export could not be completed. No file of it is valid; ask for it again.',
} as const

export function createExportRuns({ prisma, clock, keyring, storage }: Dependencies) {
  /** A new run of an export that is to run: earlier ones are not heard any more. Null when there is nothing to do. */
  async function begin(exportId: string): Promise<BegunRun | null> {
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

  /** @returns false when this run is to stop: cancelled, or another one has taken its place */
  async function report(
    run: ExportRun,
    progress: { written: number; total: number | null },
  ): Promise<boolean> {
    const { count } = await prisma.bulkExport.updateMany({ where: current(run), data: progress })
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
    const { files, total, failure } = result
    const { base, request } = await prisma.bulkExport.findUniqueOrThrow({
      where: { id: run.exportId },
      select: { base: true, request: true },
    })
    const endedAt = clock()
    const linksEndAt = new Date(endedAt.getTime() + limits.bulkLinkHours * 3_600_000)
    const { exportId } = run
    const transactionTime = result.transactionTime ?? endedAt
    const { count } = await prisma.bulkExport.updateMany({
      where: current(run),
      data: {
        state: failure === null ? 'complete' : 'failed',
        runningPracticeId: null,
        endedAt,
        linksEndAt,
        transactionTime,
        files: [...files],
        failure,
        written: total,
        total,
        manifest: manifestText({
          transactionTime,
          request,
          files,
          failed: failure !== null,
          urlOf: (name) => signedUrl(keyring, { base, exportId, name, linksEndAt }),
        }),
      },
    })
    return count === 1
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
