/** Texts that reviewers write again and again: one list for all of our staff, filled with the facts of a request. */
import type { ReplyReason } from '../../contract/forms/review-desk.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  fillReply,
  findUnknownField,
  type ReplyFacts,
  type ReplyPurpose,
  replyDays,
  replyPurposes,
  savedRepliesMax,
} from '../../contract/workflows/saved-replies.ts'
import type { Actor } from '../actor.ts'
import { addDays, type CalendarDate } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { transact } from '../workflow/engine.ts'

export type SavedReply = Readonly<{
  id: string
  purpose: ReplyPurpose
  /** Of the reasons for questions or for rejections. */
  code: string
  title: string
  text: string
  version: number
}>

type ReplyInput = Readonly<{ reason: ReplyReason; title: string; text: string }>

/** In the order of the purposes, then by title. @param purpose of this one only */
export async function listReplies(
  { prisma }: Core,
  { purpose }: Readonly<{ purpose?: ReplyPurpose }>,
  actor: Pick<Actor, 'accountId'>,
): Promise<readonly SavedReply[]> {
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const rows = await prisma.savedReply.findMany({
    where: purpose === undefined ? {} : { purpose },
    orderBy: [{ title: 'asc' }, { id: 'asc' }],
    take: savedRepliesMax,
  })
  const order = Object.keys(replyPurposes)
  return rows
    .map(({ id, code, title, text, version, ...row }) => ({
      ...{ id, code, title, text, version },
      purpose: row.purpose as ReplyPurpose,
    }))
    .sort((one, other) => order.indexOf(one.purpose) - order.indexOf(other.purpose))
}

/** @throws Problem `validation` for an unknown field or reason, or a secret; `conflict` when the list is full */
export async function addReply(core: Core, input: ReplyInput, actor: Actor): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireStaff(prisma, actor, ['reviewer'])
  const reply = checkReply(input, actor)
  await transact(core, async (tx) => {
    if ((await tx.savedReply.count()) >= savedRepliesMax)
      throw new Problem('conflict', {
        message: `The maximum of ${savedRepliesMax} replies is reached. Delete one first.`,
      })
    const at = clock()
    const { id } = await tx.savedReply.create({
      data: { ...reply, createdById: actor.accountId, createdAt: at, updatedAt: at },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'review.reply_added',
      subject: { kind: 'saved_reply', id },
      detail: { code: reply.code },
    })
  })
}

/** @throws Problem as `addReply`; `conflict` when a colleague changed it meanwhile */
export async function changeReply(
  core: Core,
  { id, version, ...input }: ReplyInput & Readonly<{ id: string; version: number }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireStaff(prisma, actor, ['reviewer'])
  const stored = await prisma.savedReply.findUnique({ where: { id } })
  const reply = checkReply(input, actor, stored ? { title: stored.title, text: stored.text } : {})
  if (!stored) throw new Problem('not_found')
  await transact(core, async (tx) => {
    const { count } = await tx.savedReply.updateMany({
      where: { id, version },
      data: { ...reply, version: { increment: 1 }, updatedAt: clock() },
    })
    if (count === 0)
      throw new Problem('conflict', { message: 'A colleague changed this reply. Reload the page.' })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'review.reply_changed',
      subject: { kind: 'saved_reply', id },
      detail: { code: reply.code },
    })
  })
}

export async function deleteReply(core: Core, { id }: Readonly<{ id: string }>, actor: Actor): Promise<void> {
  const { prisma, portalAudit } = core
  await requireStaff(prisma, actor, ['reviewer'])
  await transact(core, async (tx) => {
    const { count } = await tx.savedReply.deleteMany({ where: { id } })
    if (count === 0) throw new Problem('not_found')
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'review.reply_deleted',
      subject: { kind: 'saved_reply', id },
      detail: {},
    })
  })
}

/** The reply with the facts of a request in its fields; null for one that was deleted meanwhile. */
export async function readFilledReply(
  { prisma, calendar, clock }: Core,
  { id, ...names }: Readonly<{ id: string; app: string; organization: string }>,
  actor: Pick<Actor, 'accountId'>,
): Promise<Pick<SavedReply, 'id' | 'purpose' | 'code' | 'text'> | null> {
  await requireStaff(prisma, actor, ['reviewer'])
  const row = await prisma.savedReply.findUnique({ where: { id } })
  if (!row) return null
  const last = addDays(calendar.dateOf(clock()), replyDays)
  const facts: ReplyFacts = { ...names, 'due date': `${formatDate(last)}, ${calendar.zone} time` }
  return {
    ...{ id, code: row.code },
    purpose: row.purpose as ReplyPurpose,
    text: fillReply(row.text, facts),
  }
}

/** `Wed 23 Dec 2026`, as dates are written everywhere. */
function formatDate(date: CalendarDate): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  }).formatToParts(new Date(`${date}T00:00:00Z`))
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`
}

/** What the table holds of a reply. @throws Problem `validation` */
function checkReply(
  { reason, title, text }: ReplyInput,
  actor: Actor,
  stored: Readonly<Record<string, string>> = {},
): Readonly<{ purpose: string; code: string; title: string; text: string }> {
  const [purpose = '', code = ''] = reason.split(':')
  const unknown = findUnknownField(purpose, text)
  if (unknown !== null)
    throw new Problem('validation', {
      field: 'text',
      message: `{${unknown}} is not a field of this kind of reply. Check the list.`,
    })
  checkTexts({ title, text }, actor, stored)
  return { purpose, code, title, text }
}
