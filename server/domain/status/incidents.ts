/**
 * What operations tell everybody of an incident or of maintenance. Telling and checking are two things: no check
 * opens an incident, and none of this changes what a check found; while it is open it sets what is published of its
 * components.
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
  /** Made with the page: the same form sent twice opens one. */
  id: string
  kind: IncidentKind
  title: string
  text: string
  components: Affected
  /** An incident: since when, now by default. Maintenance: from when. */
  startsAt?: Date | undefined
  /** Of maintenance: until when, as far as is known. */
  endsAt?: Date | undefined
  reason: string
}

/** `version`: the version that the person saw. */
type Act = { id: string; version: number; reason: string }

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
    await tell(core, tx, id, update)
    await audit(core, tx, actor, 'incident.opened', { id, reason, kind, title, stage, text, components })
    await history.record(core, tx, now)
  })
  return { id }
}

/**
 * The next word on it: its stage, what everybody reads, and which components it is about.
 * @throws Problem `forbidden`, `not_found`, `validation`; `conflict` when another update came first, or it has ended
 */
export async function updateIncident(
  core: Core,
  input: Act & { stage: string; text: string; components: Affected },
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
    await tell(core, tx, id, { text, stage, at: now, byId: actor.accountId })
    await history.record(core, tx, now)
    return { stage, text, components }
  })
}

/** Other words for what was told; what stood there is kept. No mail is sent. @throws as `updateIncident` */
export async function editIncidentUpdate(
  core: Core,
  input: Act & { update: string; text: string },
  actor: Actor,
): Promise<void> {
  const text = checkLine('text', input.text)
  checkTexts({ text }, actor)
  await change(core, 'incident.update_edited', input, actor, async (tx, { id }, now) => {
    const before = await tx.incidentUpdate.findFirst({ where: { id: input.update, incidentId: id } })
    if (before === null) throw new Problem('not_found')
    if (before.text === text) return { update: before.id, unchanged: true }
    await keepRevision(tx, { incidentId: id, updateId: before.id, text: before.text, at: now }, actor)
    await tx.incidentUpdate.update({ where: { id: before.id }, data: { text, editedAt: now } })
    return { update: before.id, before: before.text, text }
  })
}

/** What happened and what is done about it, in Markdown, once it has ended. @throws as `updateIncident` */
export async function writePostMortem(core: Core, input: Act & { text: string }, actor: Actor) {
  const text = checkMarkdown('text', input.text)
  checkTexts({ text }, actor)
  await change(core, 'incident.post_mortem_written', input, actor, async (tx, incident, now) => {
    const { id, postMortem } = incident
    if (incident.endedAt === null)
      throw new Problem('conflict', { message: 'It has not ended yet. Publish this when it is over.' })
    if (postMortem !== null)
      await keepRevision(tx, { incidentId: id, updateId: null, text: postMortem, at: now }, actor)
    await tx.incident.update({ where: { id }, data: { postMortem: text, postMortemAt: now } })
    return { characters: [...text].length }
  })
}

/** Tick: maintenance begins at the hour that was announced. It ends by hand, when it is over. */
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
      await tell(core, tx, id, { text: 'It has begun, as announced.', stage, at: now, byId: null })
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

type Found = Prisma.IncidentGetPayload<object>

/** One act of one person on what they have seen, with its row in the audit. */
async function change(
  core: Core,
  action: string,
  { id, version, reason: text }: Act,
  actor: Actor,
  act: (tx: Prisma.TransactionClient, incident: Found, now: Date) => Promise<Prisma.InputJsonObject>,
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

/** Writes an update, and asks for the mails that tell of it. */
async function tell(
  { jobs }: Core,
  tx: Prisma.TransactionClient,
  incidentId: string,
  update: { text: string; stage: string; at: Date; byId: string | null },
): Promise<void> {
  const { id } = await tx.incidentUpdate.create({ data: { incidentId, ...update }, select: { id: true } })
  await jobs.add(tx, 'tell-subscribers', { update: id }, { jobKey: `incident-update:${id}` })
}

function keepRevision(
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

/** @throws Problem `validation` when nothing is affected, or something that is not there */
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
