/** Bulk exports as listFields see them in the portal: those of a practice, and those of an app. */
import type { BulkExport, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { decidingRoles } from '../practices/practice-people.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { cancelExport } from './cancel-export.ts'
import { seemingProgress } from './export-fault.ts'
import { exportFile, exportPlan } from './export-types.ts'

const listFields = {
  client: { include: { organization: { select: { name: true } } } },
  practice: { select: { slug: true, name: true } },
} as const

type Row = Prisma.BulkExportGetPayload<{ include: typeof listFields }>

/** A practice's exports, the newest first. @throws Problem `not_found` unless the actor is its admin or signatory */
export async function listForPractice(
  core: Core,
  practiceId: string,
  actor: Actor,
  ask: PageAsk = firstPage,
) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, decidingRoles)
  return list(core, { practiceId }, ask)
}

/** An app's exports, the newest first. @throws Problem `not_found` unless the actor's organization owns the app */
export async function listForClient(core: Core, clientId: string, actor: Actor, ask: PageAsk = firstPage) {
  if ((await roleOver(core, clientId, actor)) === null) throw new Problem('not_found')
  return list(core, { clientId }, ask)
}

async function list({ prisma, clock }: Core, filter: Prisma.BulkExportWhereInput, ask: PageAsk) {
  const where: Prisma.BulkExportWhereInput = {
    ...filter,
    ...searchWhere<Prisma.BulkExportWhereInput>(ask.q, (like) => [
      { clientId: like },
      { client: { name: like } },
      { client: { organization: { name: like } } },
      { practice: { name: like } },
    ]),
  }
  const listed = await readPage(
    ask,
    () => prisma.bulkExport.count({ where }),
    (window) =>
      prisma.bulkExport.findMany({
        where,
        include: listFields,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        ...window,
      }),
  )
  const now = clock()
  return { ...listed, rows: listed.rows.map((row) => present(row, now)) }
}

/**
 * Cancels a running export, or withdraws its files.
 * @throws Problem `not_found` unless the actor decides at the practice or develops the app; `conflict` if it has ended
 */
export async function cancel(core: Core, id: string, actor: Actor): Promise<void> {
  const { prisma, clock, portalAudit, exportStorage: storage } = core
  const row = await prisma.bulkExport.findUnique({ where: { id: rowId(id) } })
  if (row === null || !(await mayCancel(core, row, actor))) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    if (row.state === 'failed' || !(await cancelExport(tx, id, clock()))) {
      throw new Problem('conflict', { message: 'This export has already finished.' })
    }
    const { practiceId, clientId } = row
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'bulk_export.cancelled',
      subject: { kind: 'bulk_export', id },
      detail: { clientId, state: row.state },
    })
  })
  await storage.remove(id)
}

async function mayCancel(core: Core, { practiceId, clientId }: BulkExport, actor: Actor): Promise<boolean> {
  const { prisma } = core
  const { accountId } = actor
  const deciding = await prisma.practiceMembership.count({
    where: {
      practiceId,
      accountId,
      role: { in: [...decidingRoles] },
      account: { realm: 'practice', disabledAt: null },
    },
  })
  if (deciding > 0) return true
  const role = await roleOver(core, clientId, actor)
  return role !== null && ['developer', 'admin', 'owner'].includes(role)
}

async function roleOver({ prisma }: Core, clientId: string, { accountId }: Actor): Promise<string | null> {
  const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
  if (!client?.organizationId) return null
  return findRole(prisma, { organizationId: client.organizationId, accountId })
}

function present(row: Row, now: Date) {
  const { client, practice, linksEndAt } = row
  const simulatedProgress = seemingProgress(row, now)
  const state =
    simulatedProgress === null ? (row.state as 'running' | 'complete' | 'failed' | 'cancelled') : 'running'
  const files = state === 'complete' ? exportFile.array().parse(row.files) : []
  return {
    id: row.id,
    client: {
      clientId: client.id,
      name: client.name,
      organizationName: client.organization?.name ?? null,
    },
    practice,
    state,
    types: exportPlan.parse(row.plan).map(({ type }) => type),
    /** The `_since` parameter as it was sent; null for everything. */
    since: row.since,
    askedAt: row.createdAt,
    endedAt: simulatedProgress === null ? row.endedAt : null,
    written: simulatedProgress ?? row.written,
    /** Null until the resources are counted. */
    total: row.total,
    fileCount: files.length,
    /** The size of the NDJSON, before compression. */
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    linksEndAt,
    failure: row.failure,
    /** Whether it is running or its files are still served. */
    cancellable: state === 'running' || (state === 'complete' && linksEndAt !== null && linksEndAt > now),
  }
}
