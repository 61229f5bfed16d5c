/**
 * What readers say about pages of the documentation. Neither their address nor an account is kept, so an answer and a
 * text of the same reader are two rows that nothing links.
 */
import { randomUUID } from 'node:crypto'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import * as throttle from '../accounts/throttle.ts'
import { networkOf, type Throttled } from '../accounts/throttle.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { checkText } from '../text-scan/check-text.ts'

type Answer = Readonly<{
  /** Path of the page, known to exist. */
  page: string
  helpful: boolean
  /** Day of its last change, as the reader saw it. */
  edited: string | null
}>

const monthsKept = 12

/** A second click within the minute is the first one again: it is not counted. */
export async function answer(
  core: Core,
  given: Answer,
  context: Context,
): Promise<{ kind: 'kept' | 'repeated' } | Throttled> {
  const network = networkOf(context.ip)
  const refused = await throttle.take(core, [{ rule: 'docsFeedback', subject: [network] }])
  if (refused !== null) return refused
  const again = await throttle.take(core, [
    { rule: 'docsFeedbackAgain', subject: [network, given.page, String(given.helpful)] },
  ])
  if (again !== null) return { kind: 'repeated' }
  await core.prisma.docsFeedback.create({ data: { ...given, id: randomUUID(), at: core.clock() } })
  return { kind: 'kept' }
}

/**
 * @param id made with the form: the same text sent again is kept once
 * @throws Problem `validation` for a secret, `text_warning` for what looks like one or like a patient's details: who
 *   is not signed in cannot give a reason to keep it
 */
export async function addText(
  core: Core,
  { id, text, ...answer }: Answer & Readonly<{ id: string; text: string }>,
  context: Context,
): Promise<{ kind: 'kept' } | Throttled> {
  const refused = await throttle.take(core, [{ rule: 'docsFeedbackText', subject: [networkOf(context.ip)] }])
  if (refused !== null) return refused
  checkText('text', text, {})
  await core.prisma.docsFeedback.createMany({
    data: [{ ...answer, id, text, at: core.clock() }],
    skipDuplicates: true,
  })
  return { kind: 'kept' }
}

/** Answers by page, the most unhelpful first, and texts, newest first. @throws Problem `forbidden` */
export async function list(
  { prisma }: Core,
  { ask = firstPage }: { ask?: PageAsk },
  actor: { accountId: string },
) {
  await requireStaff(prisma, actor, ['ops'])
  const where = {
    text: { not: null },
    ...searchWhere(ask.q, (like) => [{ page: like }, { text: like }]),
  }
  const [counted, texts] = await Promise.all([
    prisma.docsFeedback.groupBy({ by: ['page', 'helpful'], where: { text: null }, _count: true }),
    readPage(
      ask,
      () => prisma.docsFeedback.count({ where }),
      (window) =>
        prisma.docsFeedback.findMany({ where, orderBy: [{ at: 'desc' }, { id: 'desc' }], ...window }),
    ),
  ])
  const pages = new Map<string, { page: string; yes: number; no: number }>()
  for (const { page, helpful, _count } of counted) {
    const row = pages.get(page) ?? { page, yes: 0, no: 0 }
    pages.set(page, { ...row, [helpful ? 'yes' : 'no']: _count })
  }
  return {
    texts,
    pages: [...pages.values()].sort((a, b) => b.no - a.no || b.yes - a.yes || a.page.localeCompare(b.page)),
  }
}

/** Tick: what is older than a year. */
export function forgetOld({ prisma }: Core, now: Date): Promise<number> {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - monthsKept)
  const where = { at: { lt: before } }
  return deleteInBatches((limit) => prisma.docsFeedback.deleteMany({ where, limit }))
}
