/** Bulk exports for clients: kick off, poll, read files, cancel. A practice has one running export at a time. */
import { z } from 'zod'
import { type BulkExport, Prisma } from '../../../prisma/generated/client/client.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Core } from '../core.ts'
import { cancelExport } from './cancel-export.ts'
import { type ExportFault, seemingProgress } from './export-fault.ts'
import { type ExportPlan, exportFile } from './export-types.ts'
import { errorFileName, isSigned } from './manifest.ts'

/** An export belongs to a client at a practice, not to a token. */
type Owner = Pick<SmartPrincipal, 'clientId' | 'practice'>

type PolledExport =
  | { state: 'running'; written: number; total: number | null }
  | { state: 'ended'; manifest: string; linksEndAt: Date }

export type FoundFile = Awaited<ReturnType<typeof findFile>>

/** A client's clock may run a little faster than ours. */
const pollToleranceMs = 200

/**
 * @returns the id of the new export
 * @throws Problem `rate_limited` while another export of the practice runs
 */
export async function kickOff(
  { prisma, clock, jobs }: Core,
  request: { base: string; request: string; plan: ExportPlan; since: string | null; lab: ExportFault | null },
  { clientId, practice }: Owner,
): Promise<string> {
  try {
    return await prisma.$transaction(async (tx) => {
      const { id } = await tx.bulkExport.create({
        data: {
          ...request,
          lab: request.lab ?? Prisma.DbNull,
          practiceId: practice.id,
          runningPracticeId: practice.id,
          clientId,
          state: 'running',
          createdAt: clock(),
        },
        select: { id: true },
      })
      await jobs.add(tx, 'run-bulk-export', { exportId: id }, { jobKey: `run-bulk-export:${id}` })
      return id
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('rate_limited', {
      message: 'An export of this practice is already running. Wait until it finishes, or cancel it.',
      detail: 'export_running',
      retryAfterSeconds: 30,
    })
  }
}

/** @throws Problem `not_found`, or `rate_limited` for a poll before the time in Retry-After */
export async function poll(core: Core, id: string, owner: Owner): Promise<PolledExport> {
  const { clock, prisma } = core
  const row = await get(core, id, owner)
  const now = clock()
  const simulatedProgress = seemingProgress(row, now)
  if (row.manifest !== null && row.linksEndAt !== null && simulatedProgress === null) {
    return { state: 'ended', manifest: row.manifest, linksEndAt: row.linksEndAt }
  }
  const earliest = new Date(now.getTime() - limits.bulkPollSeconds * 1_000 + pollToleranceMs)
  const { count } = await prisma.bulkExport.updateMany({
    where: { id: row.id, OR: [{ polledAt: null }, { polledAt: { lte: earliest } }] },
    data: { polledAt: now },
  })
  if (count === 1) return { state: 'running', written: simulatedProgress ?? row.written, total: row.total }
  throw new Problem('rate_limited', {
    message: 'Wait for the time in Retry-After before the next poll.',
    detail: 'polled_too_soon',
    retryAfterSeconds: limits.bulkPollSeconds,
  })
}

/** Cancels an export, running or complete, and removes its files. @throws Problem `not_found` */
export async function cancel(core: Core, id: string, owner: Owner): Promise<void> {
  const { prisma, clock, exportStorage: storage } = core
  const row = await get(core, id, owner)
  await cancelExport(prisma, row.id, clock())
  // A running process stops by itself and removes files that it wrote in the meantime.
  await storage.remove(row.id)
}

/** @throws Problem `not_found` if it is another client's, is cancelled or expired, or the link is not signed by us */
export async function findFile(
  core: Core,
  id: string,
  link: { name: string; expires: string; signature: string },
  owner: Owner,
) {
  const { keyring, clock } = core
  const row = await get(core, id, owner)
  const { name } = link
  if (!isSigned(keyring, { exportId: row.id, ...link }, clock())) throw new Problem('not_found')
  const file = exportFile
    .array()
    .parse(row.files)
    .find((exported) => exported.name === name)
  const issues = row.failure === null ? z.string().array().parse(row.issues) : [row.failure]
  if (file === undefined && (issues.length === 0 || name !== errorFileName)) throw new Problem('not_found')
  return {
    exportId: row.id,
    attempt: row.attempt,
    /** Null for the file that lists the errors. */
    file: file ?? null,
    issues,
  }
}

/** @throws Problem `not_found` if the export is unknown, another client's, or cancelled */
async function get({ prisma }: Core, id: string, { clientId, practice }: Owner): Promise<BulkExport> {
  const row = await prisma.bulkExport.findFirst({
    where: { id: rowId(id), clientId, practiceId: practice.id, state: { not: 'cancelled' } },
  })
  if (row === null) throw new Problem('not_found')
  return row
}
