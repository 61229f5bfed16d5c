/** Incidents and maintenance, for the public page and for operations. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { firstPage, type PageAsk, pageOf, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { type ComponentId, componentIds, components } from '../../contract/status/components.ts'
import { severity } from '../../contract/status/history.ts'
import type { AffectedState, IncidentKind, IncidentStage } from '../../contract/status/incidents.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'

export type PublicIncident = Readonly<{
  id: string
  kind: IncidentKind
  title: string
  stage: IncidentStage
  startsAt: Date
  endsAt: Date | null
  endedAt: Date | null
  components: readonly { id: ComponentId; name: string; state: AffectedState }[]
  /** The updates, the newest first. */
  updates: readonly { id: string; stage: IncidentStage; text: string; at: Date; editedAt: Date | null }[]
  /** In Markdown. */
  postMortem: string | null
  postMortemAt: Date | null
}>

/** The number of ended incidents in the list. */
const pastIncidentsMax = 100

const parts = {
  components: true,
  updates: { orderBy: [{ at: 'desc' }, { id: 'desc' }] },
} as const satisfies Prisma.IncidentInclude

const pastOrder: Prisma.IncidentOrderByWithRelationInput[] = [{ endedAt: 'desc' }, { id: 'desc' }]

type Loaded = Prisma.IncidentGetPayload<{ include: typeof parts }>

/** Open incidents, the most severe first, then maintenance by its start; and ended ones, the newest first. */
export async function readIncidents(core: Core): Promise<{ open: PublicIncident[]; past: PublicIncident[] }> {
  const { prisma } = core
  const open = await readOpen(core)
  const past = await prisma.incident.findMany({
    where: { endedAt: { not: null } },
    include: parts,
    orderBy: pastOrder,
    take: pastIncidentsMax,
  })
  return { open, past: past.map(toPublic) }
}

async function readOpen({ prisma }: Core): Promise<PublicIncident[]> {
  const open = await prisma.incident.findMany({
    where: { endedAt: null },
    include: parts,
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  })
  // The most severe first, because affected readers look for it. Equal ones keep their order.
  return open.map(toPublic).toSorted((one, other) => weightOf(other) - weightOf(one))
}

/** Finds any incident, even if it is no longer in the list. */
export async function findIncident({ prisma }: Core, id: string): Promise<PublicIncident | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null
  const found = await prisma.incident.findUnique({ where: { id }, include: parts })
  return found && toPublic(found)
}

/**
 * For operations: pages of open and of ended incidents, in the public page's order; the search matches the title.
 * @throws Problem `forbidden`
 */
export async function listIncidents(
  core: Core,
  actor: { accountId: string },
  asks: { open: PageAsk; past: PageAsk } = { open: firstPage, past: firstPage },
) {
  const { prisma } = core
  await requireStaff(prisma, actor, ['ops'])
  const where: Prisma.IncidentWhereInput = {
    endedAt: { not: null },
    ...searchWhere<Prisma.IncidentWhereInput>(asks.past.q, (like) => [{ title: like }]),
  }
  const past = await readPage(
    asks.past,
    () => prisma.incident.count({ where }),
    (window) => prisma.incident.findMany({ where, include: parts, orderBy: pastOrder, ...window }),
  )
  return {
    open: pageOf(asks.open, await readOpen(core), ({ title }) => [title]),
    past: { ...past, rows: past.rows.map(toPublic) },
  }
}

/** For operations: an incident with its authors and the earlier versions of its texts. @throws Problem `forbidden`, `not_found` */
export async function getIncident(core: Core, id: string, actor: { accountId: string }) {
  const { prisma } = core
  await requireStaff(prisma, actor, ['ops'])
  const shown = await findIncident(core, id)
  if (shown === null) throw new Problem('not_found')
  const name = { select: { name: true } }
  const { version, createdBy, updates, revisions } = await prisma.incident.findUniqueOrThrow({
    where: { id },
    include: {
      createdBy: name,
      updates: { include: { by: name } },
      revisions: { include: { by: name }, orderBy: [{ at: 'desc' }, { id: 'desc' }] },
    },
  })
  return {
    ...shown,
    version,
    openedBy: createdBy.name,
    authors: Object.fromEntries(updates.map((update) => [update.id, update.by?.name ?? 'The platform'])),
    revisions: revisions.map(({ by, updateId, text, at }) => ({ by: by.name, updateId, text, at })),
  }
}

function weightOf({ kind, components: affected }: PublicIncident): number {
  if (kind === 'maintenance') return -1
  return Math.max(0, ...affected.map(({ state }) => (state === 'as_checked' ? 0 : severity.indexOf(state))))
}

function toPublic(incident: Loaded): PublicIncident {
  const { id, title, startsAt, endsAt, endedAt, postMortem, postMortemAt } = incident
  const stateOf = new Map(incident.components.map(({ component, state }) => [component, state]))
  return {
    ...{ id, title, startsAt, endsAt, endedAt, postMortem, postMortemAt },
    kind: incident.kind as IncidentKind,
    stage: incident.stage as IncidentStage,
    components: componentIds
      .filter((component) => stateOf.has(component))
      .map((component) => ({
        id: component,
        name: components[component].name,
        state: stateOf.get(component) as AffectedState,
      })),
    updates: incident.updates.map((update) => ({
      id: update.id,
      stage: update.stage as IncidentStage,
      text: update.text,
      at: update.at,
      editedAt: update.editedAt,
    })),
  }
}
