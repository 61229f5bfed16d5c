/** Injected faults for an organization: the keys and apps that can get them, and which are on. */
import type { FaultSwitch, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId, uuidPattern } from '../../contract/http/uuid.ts'
import { formatFaultStep, parseFaultScript } from '../../contract/lab/fault-script.ts'
import { faultHoursMax } from '../../contract/lab/faults.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { pageRows, searchWhere } from '../../contract/portal/paging.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { requireRole } from '../../domain/organizations/membership.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { ActiveFaults } from './active-faults.ts'

type FaultCore = Core & Readonly<{ active: ActiveFaults }>

type Mine = Readonly<{ organizationId: string }>

const readRoles = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly OrganizationRole[]
const writeRoles = ['developer', 'admin', 'owner'] as const satisfies readonly OrganizationRole[]
/** A key of the explorer belongs to one person's session and is in no list, so no one else can break its calls. */
const ownKeys = { environment: 'sandbox', explorer: false } as const
const shownMax = 10

/**
 * Finds the newest sandbox keys and apps of the organization that match the search; `total` counts all matches, and a
 * row's `value` is `key:<id>` or `client:<id>`.
 * @throws Problem `not_found` for non-members
 */
export async function targets({ prisma, clock }: Core, { organizationId }: Mine, q: string, actor: Actor) {
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, readRoles)
  const keyWhere: Prisma.ApiKeyWhereInput = {
    ...ownKeys,
    organizationId,
    revokedAt: null,
    expiresAt: { gt: clock() },
    ...searchWhere<Prisma.ApiKeyWhereInput>(q, (like) => [{ name: like }, { prefix: like }]),
  }
  const clientWhere: Prisma.ClientWhereInput = {
    organizationId,
    environment: 'sandbox',
    removedAt: null,
    ...searchWhere<Prisma.ClientWhereInput>(q, (like) => [{ name: like }, { id: like }]),
  }
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]
  const [keys, clients, keyCount, clientCount] = await Promise.all([
    prisma.apiKey.findMany({ where: keyWhere, orderBy, take: pageRows }),
    prisma.client.findMany({ where: clientWhere, orderBy, take: pageRows }),
    prisma.apiKey.count({ where: keyWhere }),
    prisma.client.count({ where: clientWhere }),
  ])
  return {
    rows: [
      ...keys.map(({ id, name, prefix }) => ({ value: `key:${id}`, label: `${name} (key ${prefix}…)` })),
      ...clients.map(({ id, name }) => ({ value: `client:${id}`, label: `${name} (app)` })),
    ],
    total: keyCount + clientCount,
    q,
  }
}

/**
 * Replaces the faults that are on for the same key or app.
 * @throws Problem `validation`, `not_found` for what is not a sandbox key or app of the organization, `forbidden`
 */
export async function switchOn(
  core: FaultCore,
  input: Mine & { target: string; script: string; minutes: number; repeats: boolean },
  actor: Actor,
): Promise<{ id: string }> {
  const { prisma, clock, portalAudit, active } = core
  const { organizationId, target, minutes, repeats } = input
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, writeRoles)
  const steps = parseFaultScript(input.script).map(formatFaultStep)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > faultHoursMax * 60)
    throw new Problem('validation', { field: 'minutes', message: `At most ${faultHoursMax} hours.` })
  const subject = await findSubject(core, organizationId, target)
  const now = clock()
  const fault = await prisma.$transaction(async (tx) => {
    // The lock makes two calls at once wait for each other: the later one ends the faults of the earlier.
    if (subject.keyId === null)
      await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${subject.clientId} FOR UPDATE`
    else await tx.$queryRaw`SELECT 1 FROM portal.api_key WHERE id = ${subject.keyId}::uuid FOR UPDATE`
    await tx.faultSwitch.updateMany({ where: { ...subject, endedAt: null }, data: { endedAt: now } })
    const { id } = await tx.faultSwitch.create({
      data: {
        organizationId,
        ...subject,
        steps,
        repeats,
        createdById: actor.accountId,
        createdAt: now,
        endsAt: new Date(now.getTime() + minutes * 60_000),
      },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'faults.switched_on',
      subject: { kind: 'fault_switch', id },
      detail: { ...subject, steps, repeats, minutes },
    })
    return { id }
  })
  active.forget()
  return fault
}

/** A second call does nothing. @throws Problem `not_found`, `forbidden` */
export async function switchOff(
  { prisma, clock, portalAudit, active }: FaultCore,
  { organizationId, id }: Mine & { id: string },
  actor: Actor,
): Promise<void> {
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, writeRoles)
  const row = await prisma.faultSwitch.findFirst({ where: { id: rowId(id), organizationId } })
  if (row === null) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.faultSwitch.updateMany({
      where: { id, endedAt: null },
      data: { endedAt: clock() },
    })
    if (count === 0) return
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'faults.switched_off',
      subject: { kind: 'fault_switch', id },
      detail: { taken: row.taken },
    })
  })
  active.forget()
}

/** Lists the newest first. @throws Problem `not_found` for non-members */
export async function list(core: Core, { organizationId }: Mine, actor: Actor) {
  const { prisma, clock } = core
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, readRoles)
  const rows = await prisma.faultSwitch.findMany({
    where: { organizationId },
    include: { key: { select: { name: true, prefix: true } }, client: { select: { name: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: shownMax,
  })
  const now = clock()
  return rows.map((row) => ({
    id: row.id,
    label: row.key ? `${row.key.name} (key ${row.key.prefix}…)` : `${row.client?.name} (app)`,
    /** In the logs. */
    caller: row.keyId === null ? `app:${row.clientId}` : `key:${row.keyId}`,
    steps: row.steps as string[],
    repeats: row.repeats,
    taken: row.taken,
    startedAt: row.createdAt,
    endsAt: row.endedAt ?? row.endsAt,
    /** True while steps are left and its time is not over. */
    on: isOn(row, now),
  }))
}

async function findSubject({ prisma }: Core, organizationId: string, target: string) {
  const [, kind, id = ''] = /^(key|client):([\w-]{1,128})$/.exec(target) ?? []
  if (kind === 'key' && uuidPattern.test(id)) {
    const key = await prisma.apiKey.findFirst({
      where: { ...ownKeys, id, organizationId, revokedAt: null },
    })
    if (key) return { keyId: key.id, clientId: null }
  }
  if (kind === 'client') {
    const client = await prisma.client.findFirst({
      where: { id, organizationId, environment: 'sandbox', removedAt: null },
    })
    if (client) return { keyId: null, clientId: client.id }
  }
  throw new Problem('not_found')
}

/** Runs on a schedule: deletes faults that ended by then. */
export async function forgetOld({ prisma }: Core, before: Date): Promise<void> {
  const where = { endsAt: { lte: before } }
  await deleteInBatches((limit) => prisma.faultSwitch.deleteMany({ where, limit }))
}

const isOn = ({ endedAt, endsAt, repeats, taken, steps }: FaultSwitch, now: Date): boolean =>
  endedAt === null && endsAt > now && (repeats || taken < (steps as string[]).length)
