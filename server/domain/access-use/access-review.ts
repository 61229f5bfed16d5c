/** Once a year an admin says of everything that reaches the practice's records whether it stays. */
import { randomUUID } from 'node:crypto'
import {
  accessReviewForms,
  type Decision,
  type ReviewedKind,
  reviewTimes,
} from '../../contract/forms/access-review.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { type Access, file } from '../practices/practice-access.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { stop } from '../practices/practice-stops.ts'
import { revoke } from '../production-keys/suspensions.ts'
import { checkText } from '../text-scan/check-text.ts'
import { subjectKey } from './figures.ts'
import { readUse } from './read-use.ts'

const dayMs = 86_400_000

export type ReviewLine = Readonly<{
  kind: ReviewedKind
  id: string
  name: string
  organizationName: string
  since: Date
  lastUsedAt: Date | null
  classes: readonly string[]
  /** Unused for 90 days: proposed for removal. */
  unused: boolean
}>

/**
 * Everything with access now, what is proposed for removal first.
 * @throws Problem `not_found` for somebody who does not work there, `forbidden` for who is no admin there
 */
export async function read(core: Core, practiceId: string, actor: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const [lines, last] = await Promise.all([
    readLines(core, practiceId, actor),
    prisma.accessReview.findFirst({
      where: { practiceId },
      orderBy: { signedAt: 'desc' },
      select: { signedAt: true, note: true, signedBy: { select: { name: true } } },
    }),
  ])
  return {
    lines: lines.map(({ access: _, ...line }) => line),
    last: last && { at: last.signedAt, by: last.signedBy?.name ?? 'Deleted account', note: last.note },
    nextAt: last && new Date(last.signedAt.getTime() + reviewTimes.everyDays * dayMs),
  }
}

/**
 * Removes what is to be removed, then signs off: if a removal fails, nothing is signed, and signing again goes on.
 * Keys of a request are revoked; others, systems and apps are stopped.
 * @throws Problem as `read`, `forbidden` with the field `stepUp`, `validation`, and `conflict` when the list changed
 */
export async function sign(
  core: Core,
  {
    practiceId,
    decisions,
    note,
  }: Readonly<{ practiceId: string; decisions: readonly Decision[]; note: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  const parsed = accessReviewForms.sign.shape.note.safeParse(note)
  if (!parsed.success)
    throw new Problem('validation', { field: 'note', message: 'Use 10 to 500 characters.' })
  checkText('note', parsed.data, actor)
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  const lines = await readLines(core, practiceId, actor)
  const keyOf = ({ kind, id }: Readonly<{ kind: string; id: string }>) => `${kind} ${id}`
  const byKey = new Map(decisions.map((each) => [keyOf(each), each.decision]))
  if (
    byKey.size !== decisions.length ||
    lines.length !== decisions.length ||
    !lines.every((line) => byKey.has(keyOf(line)))
  )
    throw new Problem('conflict', {
      message: 'Who has access has changed. Check the list again, then decide.',
    })
  const removed = lines.filter((line) => byKey.get(keyOf(line)) === 'remove')
  for (const { access } of removed) await remove(core, practiceId, { access, reason: parsed.data }, actor)
  await prisma.$transaction(async (tx) => {
    const { id } = await tx.accessReview.create({
      data: {
        practiceId,
        signedAt: clock(),
        signedById: actor.accountId,
        lines: lines.map(({ access: _, since, lastUsedAt, classes, ...line }) => ({
          ...{ ...line, classes: [...classes], decision: byKey.get(keyOf(line)) },
          ...{ since: since.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null },
        })),
        note: parsed.data,
      },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.access_reviewed',
      subject: { kind: 'access_review', id },
      detail: { kept: lines.length - removed.length, removed: removed.length, note: parsed.data },
    })
  })
}

async function remove(
  core: Core,
  practiceId: string,
  { access, reason }: Readonly<{ access: Access; reason: string }>,
  actor: Actor,
): Promise<void> {
  if (access.kind === 'key') {
    const target = { requestId: access.id, version: access.version, idempotencyKey: randomUUID() }
    return revoke(core, { ...target, reason }, actor)
  }
  const target =
    access.kind === 'other_key'
      ? ({ scope: 'key', id: access.id } as const)
      : ({ scope: 'app', id: access.kind === 'system' ? access.clientId : access.id } as const)
  await stop(core, { practiceId, target, reason }, actor).catch((thrown: unknown) => {
    // It is stopped already.
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
  })
}

async function readLines(
  core: Core,
  practiceId: string,
  actor: Pick<Actor, 'accountId'>,
): Promise<(ReviewLine & { access: Access })[]> {
  const now = core.clock()
  const until = now.toISOString().slice(0, 10)
  const used = await readUse(core, practiceId, { from: addDays(until, -reviewTimes.everyDays), until })
  const uses = new Map(used.map((use) => [subjectKey(use), use]))
  const before = now.getTime() - reviewTimes.unusedDays * dayMs
  const lines: (ReviewLine & { access: Access })[] = []
  for await (const rows of file(core, practiceId, actor))
    for (const access of rows.filter(({ ended }) => !ended)) {
      const { kind, id, name, organizationName, since, subject } = access
      const use = uses.get(subjectKey(subject))
      const lastUsedAt = access.lastUsedAt ?? (use?.figures.lastAt ? new Date(use.figures.lastAt) : null)
      const unused = since.getTime() < before && (lastUsedAt === null || lastUsedAt.getTime() < before)
      lines.push({
        ...{ kind, id, name, organizationName, since, lastUsedAt, unused, access },
        classes: use?.classes ?? [],
      })
    }
  return lines.sort((a, b) => Number(b.unused) - Number(a.unused))
}
