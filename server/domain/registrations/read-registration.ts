/** Registrations to be shown: to the organization they are of, and to the staff. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { organizationRoles } from '../../contract/portal/organization-roles.ts'
import { readPage, searchWhere } from '../../contract/portal/paging.ts'
import { checksOf, type RegistrationCheckId } from '../../contract/workflows/registration-checks.ts'
import {
  queueStates,
  type RegistrationKind,
  type RegistrationState,
} from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core, Verb } from '../core.ts'
import { requireRole } from '../organizations/membership.ts'
import { requireStaff } from '../staff.ts'
import * as linter from './lint/linter.ts'
import { findConflict, findParty, findRow, type PartyKind } from './parties.ts'
import { allowedEvents, type SummaryRow, summaryFields, toItem, toSummary, toTimeline } from './project.ts'
import type {
  QueueEntry,
  QueueFilter,
  RegistrationReviews,
  Registrations,
  RegistrationView,
  ReviewView,
} from './registration-types.ts'
import type { Proposal } from './reviews.ts'
import { readForm } from './stored-form.ts'
import { registrationKind } from './transition.ts'

const viewFields = {
  ...summaryFields,
  claimedBy: { select: { name: true } },
  versions: { orderBy: { number: 'asc' } },
  items: { orderBy: [{ round: 'asc' }, { id: 'asc' }] },
  notes: { orderBy: { at: 'asc' }, include: { by: { select: { name: true } } } },
} as const satisfies Prisma.RegistrationInclude

type ViewRow = Prisma.RegistrationGetPayload<{ include: typeof viewFields }>

/** Sorted by their clocks here, so all of them are read; far more than reviewers ever had open. */
const queueMax = 10_000

const present = ({ calendar, clock }: Core, row: SummaryRow) => toSummary(row, { calendar, now: clock() })

export const list: Verb<Registrations['list']> = async (core, organizationId, { accountId }, states) => {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId }, organizationRoles)
  const rows = await prisma.registration.findMany({
    where: { organizationId, ...(states && { state: { in: [...states] } }) },
    include: summaryFields,
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
    take: 500,
  })
  return rows.map((row) => present(core, row))
}

export const listPage: Verb<Registrations['listPage']> = async (core, organizationId, ask, { accountId }) => {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId }, organizationRoles)
  const where: Prisma.RegistrationWhereInput = {
    organizationId,
    ...searchWhere<Prisma.RegistrationWhereInput>(ask.q, (like) => [
      { name: like },
      { sandboxClientId: like },
    ]),
  }
  const listed = await readPage(
    ask,
    () => prisma.registration.count({ where }),
    (window) =>
      prisma.registration.findMany({
        where,
        include: summaryFields,
        orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
        ...window,
      }),
  )
  return { ...listed, rows: listed.rows.map((row) => present(core, row)) }
}

export const get: Verb<Registrations['get']> = async (core, registrationId, actor) => {
  const { prisma } = core
  const row = await find(core, registrationId)
  const party = await findParty(prisma, row, actor)
  if (party.kind === 'reviewer' || party.kind === 'ops') throw new Problem('not_found')
  return toView(core, row, { kind: party.kind, forStaff: false })
}

export const open: Verb<Registrations['open']> = async ({ prisma }, registrationId, actor) => {
  const read = await findRow(prisma, registrationId)
  if (!read) throw new Problem('not_found')
  const { kind } = await findParty(prisma, read, actor)
  if (kind === 'reviewer' || kind === 'ops') throw new Problem('not_found')
  const { id, organizationId, version } = read
  const state = read.state as RegistrationState
  return { id, organizationId, state, version, form: readForm(read.form), read }
}

async function find({ prisma }: Core, registrationId: string): Promise<ViewRow> {
  const row = uuidPattern.test(registrationId)
    ? await prisma.registration.findUnique({ where: { id: registrationId }, include: viewFields })
    : null
  if (!row) throw new Problem('not_found')
  return row
}

async function toView(
  core: Core,
  row: ViewRow,
  { kind, forStaff }: { kind: PartyKind; forStaff: boolean },
): Promise<RegistrationView> {
  const { prisma } = core
  const replaced = (row.requested as { replaces?: number | null } | null)?.replaces ?? null
  const [events, change, failedEmails, before] = await Promise.all([
    prisma.workflowEvent.findMany({
      where: { subjectKind: registrationKind, subjectId: row.id },
      orderBy: { id: 'asc' },
    }),
    prisma.registration.findUnique({ where: { openForId: row.id }, select: { id: true } }),
    prisma.outboxMail.count({ where: { threadId: row.id, state: 'failed' } }),
    row.kind === 'change' && row.parentId !== null && replaced !== null
      ? prisma.registrationVersion.findUnique({
          where: { registrationId_number: { registrationId: row.parentId, number: replaced } },
        })
      : null,
  ])
  const names = await namesOf(
    core,
    events.flatMap(({ actorId }) => actorId ?? []),
  )
  const formOf = (number: number | null) => {
    const version = row.versions.find((each) => each.number === number)
    return version ? readForm(version.form) : null
  }
  return {
    ...present(core, row),
    form: readForm(row.form),
    submitted: formOf(row.submittedNumber),
    serving: formOf(row.servingNumber),
    replaces: before && readForm(before.form),
    reason: row.reason,
    parentId: row.parentId,
    requested: row.kind === 'change' ? null : (row.requested as Record<string, unknown> | null),
    sandboxClientId: row.sandboxClientId,
    productionClientId: row.productionClientId,
    openChangeId: change?.id ?? null,
    items: row.items.map(toItem),
    timeline: toTimeline(events, { names, forStaff }),
    versions: row.versions.map(({ number, at, form }) => ({ number, at, form: readForm(form) })),
    allowed: allowedEvents(row, kind),
    probeFailure: row.probeFailure,
    unreachable: failedEmails > 0,
  }
}

async function namesOf({ prisma }: Core, ids: readonly string[]): Promise<Map<string, string>> {
  const accounts = await prisma.account.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  })
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

export const queue: Verb<RegistrationReviews['queue']> = async (core, filter, actor) => {
  const { prisma } = core
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const rows = await prisma.registration.findMany({
    where: whereOf(filter, actor),
    include: { ...summaryFields, claimedBy: { select: { name: true } } },
    take: queueMax,
  })
  return rows
    .map((row): QueueEntry => {
      const summary = present(core, row)
      const running = summary.clocks
        .filter(({ state }) => state === 'running')
        .map(({ dueAt }) => dueAt.getTime())
      return {
        ...summary,
        claimedBy: row.claimedBy?.name ?? null,
        mine: row.claimedById === actor.accountId,
        rejectionProposed: row.proposal !== null,
        dueAt: running.length > 0 ? new Date(Math.min(...running)) : null,
      }
    })
    .sort(
      (one, other) =>
        (one.dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER) -
          (other.dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER) || one.id.localeCompare(other.id),
    )
}

export const getReview: Verb<RegistrationReviews['get']> = async (core, registrationId, actor) => {
  const { prisma } = core
  const { email } = await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const row = await find(core, registrationId)
  const party = await findParty(prisma, row, actor)
  const view = await toView(core, row, { kind: party.kind, forStaff: true })
  const form = view.submitted ?? view.form
  const [conflict, organization, report] = await Promise.all([
    findConflict(prisma, row, { accountId: actor.accountId, email }),
    findOrganization(core, row),
    row.kind === 'app' || row.kind === 'change'
      ? linter.lint(core, form)
      : { findings: [], passed: [], unopened: [], complete: true },
  ])
  const proposal = row.proposal as unknown as Proposal | null
  return {
    ...view,
    claimedBy: row.claimedBy?.name ?? null,
    mine: row.claimedById === actor.accountId,
    conflict,
    organization,
    report,
    checks: checksOf(row.kind as RegistrationKind),
    checked: row.checked as RegistrationCheckId[],
    proposal: proposal && {
      by: proposal.byName,
      own: proposal.byId === actor.accountId,
      codes: proposal.codes,
      text: proposal.text,
      at: new Date(proposal.at),
    },
    notes: row.notes.map(({ at, by, text }) => ({ at, by: by.name, text })),
  }
}

async function findOrganization({ prisma }: Core, row: Registration): Promise<ReviewView['organization']> {
  const found = await prisma.organization.findUniqueOrThrow({
    where: { id: row.organizationId },
    include: {
      _count: { select: { members: true } },
      domains: { where: { verifiedAt: { not: null } }, orderBy: { domain: 'asc' } },
      registrations: {
        where: { id: { not: row.id }, state: { not: 'draft' } },
        orderBy: { updatedAt: 'desc' },
        take: 20,
      },
    },
  })
  return {
    name: found.name,
    slug: found.slug,
    createdAt: found.createdAt,
    members: found._count.members,
    verifiedDomains: found.domains.map(({ domain }) => domain),
    earlier: found.registrations.map(({ id, name, state, updatedAt }) => ({
      id,
      name,
      state: state as RegistrationState,
      updatedAt,
    })),
  }
}

function whereOf(
  { claimed = 'anybody', kind, state, search }: QueueFilter,
  { accountId }: Pick<Actor, 'accountId'>,
): Prisma.RegistrationWhereInput {
  const words = search?.trim()
  return {
    state: state ?? { in: [...queueStates] },
    ...(kind ? { kind } : {}),
    ...(claimed === 'mine' ? { claimedById: accountId } : claimed === 'nobody' ? { claimedById: null } : {}),
    ...(words
      ? {
          OR: [
            { name: { contains: words, mode: 'insensitive' } },
            { organization: { name: { contains: words, mode: 'insensitive' } } },
          ],
        }
      : {}),
  }
}
