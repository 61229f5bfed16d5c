/**
 * Incidents and maintenance that operations announce. They are independent of the checks: a check never opens an
 * incident, and an incident does not change results. While it is open, it sets the published states of its components.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { type ComponentId, isComponentId } from '../../contract/status/components.ts'
import {
  type Affected,
  type AffectedState,
  affectedField,
  affectedStates,
  type IncidentKind,
  type IncidentStage,
  incidentReasonMax,
  incidentTextMax,
  incidentTitleMax,
  isLastStage,
  maintenanceDaysMax,
  postMortemMax,
  stagesOf,
} from '../../contract/status/incidents.ts'
import { normalize } from '../../contract/text/normalize.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import * as history from './status-history.ts'

type NewIncident = {
  /** Unique for each rendered page, so that the same form sent twice opens one incident. */
  id: string
  kind: IncidentKind
  title: string
  text: string
  components: Affected
  /** The start. For an incident, now by default. */
  startsAt?: Date | undefined
  /** The planned end of maintenance. */
  endsAt?: Date | undefined
  reason: string
}

/** `version`: the version that the operator saw. */
type IncidentAct = { id: string; version: number; reason: string }

const dayMs = 86_400_000

/** @throws Problem `forbidden`, `validation` */
export async function openIncident(core: Core, input: NewIncident, actor: Actor): Promise<{ id: string }> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  const now = clock()
  const { id, kind } = input
  const title = checkLine('title', input.title)
  const text = checkLine('text', input.text)
  const reason = checkLine('reason', input.reason)
  checkTexts({ title, text, reason }, actor)
  const components = checkAffected(input.components)
  const { startsAt, endsAt, stage } = checkTimes(input, now)
  requireStepUp(actor, now)
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    if ((await tx.incident.count({ where: { id } })) > 0) return
    await tx.incident.create({
      data: {
        ...{ id, kind, title, stage, startsAt, endsAt, createdAt: now, createdById: actor.accountId },
        components: { createMany: { data: components } },
      },
    })
    const update = { text, stage, at: now, byId: actor.accountId }
    await publishUpdate(core, tx, id, update)
    await audit(core, tx, actor, 'incident.opened', { id, reason, kind, title, stage, text, components })
    await history.record(core, tx, now)
  })
  return { id }
}

/**
 * Publishes an update with its stage, its text and the affected components.
 * @throws Problem `forbidden`, `not_found`, `validation`; `conflict` if another update came first, or it has ended
 */
export async function updateIncident(
  core: Core,
  input: IncidentAct & { stage: string; text: string; components: Affected },
  actor: Actor,
): Promise<void> {
  const { id } = input
  const text = checkLine('text', input.text)
  checkTexts({ text }, actor)
  const components = checkAffected(input.components)
  await change(core, 'incident.updated', input, actor, async (tx, incident, now) => {
    if (incident.endedAt !== null) throw new Problem('conflict', { message: 'It has already ended.' })
    const stages: readonly string[] = stagesOf[incident.kind as IncidentKind]
    if (!stages.includes(input.stage)) throw wrong('stage', 'Choose a stage.')
    const stage = input.stage as IncidentStage
    if (stage === 'scheduled' && incident.stage !== 'scheduled')
      throw wrong('stage', 'It has already started. Choose in progress or completed.')
    const begun = incident.stage === 'scheduled' && stage === 'in_progress'
    await tx.incident.update({
      where: { id },
      data: {
        stage,
        ...(isLastStage(stage) && { endedAt: now }),
        ...(begun && { startsAt: now }),
      },
    })
    await tx.incidentComponent.deleteMany({ where: { incidentId: id } })
    await tx.incidentComponent.createMany({ data: components.map((row) => ({ incidentId: id, ...row })) })
    await publishUpdate(core, tx, id, { text, stage, at: now, byId: actor.accountId })
    await history.record(core, tx, now)
    return { stage, text, components }
  })
}

/** Edits the text of an update; the earlier text is stored. No email is sent. @throws Problem as `updateIncident` */
export async function editIncidentUpdate(
  core: Core,
  input: IncidentAct & { update: string; text: string },
  actor: Actor,
): Promise<void> {
  const text = checkLine('text', input.text)
  checkTexts({ text }, actor)
  await change(core, 'incident.update_edited', input, actor, async (tx, { id }, now) => {
    const before = await tx.incidentUpdate.findFirst({ where: { id: input.update, incidentId: id } })
    if (before === null) throw new Problem('not_found')
    if (before.text === text) return { update: before.id, unchanged: true }
    await storeRevision(tx, { incidentId: id, updateId: before.id, text: before.text, at: now }, actor)
    await tx.incidentUpdate.update({ where: { id: before.id }, data: { text, editedAt: now } })
    return { update: before.id, before: before.text, text }
  })
}

/** Publishes the post-mortem of an ended incident, in Markdown. @throws Problem as `updateIncident` */
export async function writePostMortem(core: Core, input: IncidentAct & { text: string }, actor: Actor) {
  const text = checkMarkdown('text', input.text)
  checkTexts({ text }, actor)
  await change(core, 'incident.post_mortem_written', input, actor, async (tx, incident, now) => {
    const { id, postMortem } = incident
    if (incident.endedAt === null)
      throw new Problem('conflict', { message: 'It has not ended yet. Publish this when it is over.' })
    if (postMortem !== null)
      await storeRevision(tx, { incidentId: id, updateId: null, text: postMortem, at: now }, actor)
    await tx.incident.update({ where: { id }, data: { postMortem: text, postMortemAt: now } })
    return { characters: [...text].length }
  })
}

/** The tick: begins maintenance at its announced start. An operator ends it. */
export async function beginDueMaintenance(core: Core, now: Date): Promise<number> {
  const { prisma, portalAudit } = core
  return prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const due = await tx.incident.findMany({
      where: { stage: 'scheduled', startsAt: { lte: now } },
      orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    })
    for (const { id } of due) {
      const stage = 'in_progress'
      await tx.incident.update({ where: { id }, data: { stage, version: { increment: 1 } } })
      await publishUpdate(core, tx, id, { text: 'It has begun, as announced.', stage, at: now, byId: null })
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'incident.updated',
        subject: { kind: 'incident', id },
        detail: { stage, reason: 'It has reached its scheduled start.' },
      })
    }
    if (due.length > 0) await history.record(core, tx, now)
    return due.length
  })
}

type IncidentRow = Prisma.IncidentGetPayload<object>

/** Makes an operator's change of an incident, with its audit row. */
async function change(
  core: Core,
  action: string,
  { id, version, reason: text }: IncidentAct,
  actor: Actor,
  act: (tx: Prisma.TransactionClient, incident: IncidentRow, now: Date) => Promise<Prisma.InputJsonObject>,
): Promise<void> {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  const reason = checkLine('reason', text)
  checkTexts({ reason }, actor)
  const now = clock()
  requireStepUp(actor, now)
  await prisma.$transaction(async (tx) => {
    await history.begin(tx)
    const incident = await tx.incident.findUnique({ where: { id: rowId(id) } })
    if (incident === null) throw new Problem('not_found')
    if (incident.version !== version)
      throw new Problem('conflict', {
        message: 'Someone else changed it in the meantime. Review it, then submit again.',
      })
    const detail = await act(tx, incident, now)
    await tx.incident.update({ where: { id }, data: { version: { increment: 1 } } })
    await audit(core, tx, actor, action, { id, reason, ...detail })
  })
}

/** Stores an update, and adds the job for its emails. */
async function publishUpdate(
  { jobs }: Core,
  tx: Prisma.TransactionClient,
  incidentId: string,
  update: { text: string; stage: string; at: Date; byId: string | null },
): Promise<void> {
  const { id } = await tx.incidentUpdate.create({ data: { incidentId, ...update }, select: { id: true } })
  await jobs.add(tx, 'tell-subscribers', { update: id }, { jobKey: `incident-update:${id}` })
}

function storeRevision(
  tx: Prisma.TransactionClient,
  row: { incidentId: string; updateId: string | null; text: string; at: Date },
  { accountId: byId }: Actor,
) {
  return tx.incidentRevision.create({ data: { ...row, byId }, select: { id: true } })
}

function audit(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  actor: Actor,
  action: string,
  { id, ...detail }: { id: string } & Prisma.InputJsonObject,
) {
  const subject = { kind: 'incident', id }
  return portalAudit.append(tx, { ...portalAudit.by(actor), action, subject, detail })
}

function checkTimes({ kind, startsAt, endsAt }: NewIncident, now: Date) {
  if (kind === 'incident') {
    const begun = startsAt ?? now
    if (begun > now || begun.getTime() < now.getTime() - maintenanceDaysMax * dayMs)
      throw wrong('startsAt', `Enter a start at most ${maintenanceDaysMax} days ago, not in the future.`)
    return { startsAt: begun, endsAt: null, stage: 'investigating' as const }
  }
  if (startsAt === undefined) throw wrong('startsAt', 'Enter a start time.')
  if (endsAt === undefined || endsAt <= startsAt) throw wrong('endsAt', 'Enter an end after the start.')
  if (endsAt <= now || startsAt.getTime() > now.getTime() + maintenanceDaysMax * dayMs)
    throw wrong('startsAt', `Announce it at most ${maintenanceDaysMax} days ahead, and before it starts.`)
  return { startsAt, endsAt, stage: startsAt <= now ? ('in_progress' as const) : ('scheduled' as const) }
}

const wrong = (field: string, message: string) => new Problem('validation', { field, message })

// Checks the text of an incident, here as well as in its forms, because emails carry it to people outside.

const bounds = {
  title: [1, incidentTitleMax],
  text: [1, incidentTextMax],
  reason: [10, incidentReasonMax],
} as const

/** @throws Problem `validation` */
function checkLine(field: keyof typeof bounds, typed: string): string {
  const [least, most] = bounds[field]
  const text = normalize(typed, 'NFC').trim()
  const { length } = [...text]
  if (length < least || length > most || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    throw wrongText(field, `The ${field} must be one line of ${least} to ${most} characters.`)
  return text
}

/** @throws Problem `validation` */
function checkMarkdown(field: string, typed: string): string {
  const text = normalize(typed, 'NFC').replaceAll('\r\n', '\n').trim()
  if (text === '' || [...text].length > postMortemMax || /[^\P{Cc}\n\t]/u.test(text))
    throw wrongText(field, `Use 1 to ${postMortemMax} characters, and no control characters.`)
  return text
}

/** @throws Problem `validation` if no component is affected, or one is unknown */
function checkAffected(affected: Affected): { component: ComponentId; state: AffectedState }[] {
  const rows = Object.entries(affected)
  const known = rows.every(
    ([component, state]) => isComponentId(component) && (affectedStates as readonly string[]).includes(state),
  )
  if (rows.length === 0 || !known)
    throw wrongText(affectedField('academy'), 'Enter the affected components and their states.')
  return rows.map(([component, state]) => ({ component: component as ComponentId, state }))
}

const wrongText = (field: string, message: string) => new Problem('validation', { field, message })
