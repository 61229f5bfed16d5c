/**
 * The review of flagged requests: a reviewer approves, asks or declines, with codes and a note, and the developer
 * answers. Each step is one transition with its audit row and its email (workflows §3).
 */
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { declineCodes, infoCodes, reviewNoteMax } from '../../contract/workflows/key-review.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireRole } from '../organizations/membership.ts'
import { findConflict } from '../review-queue/assignee.ts'
import { requireStaff } from '../staff.ts'
import { checkText } from '../text-scan/check-text.ts'
import { addProvision } from './key-requests.ts'
import { transition } from './transition.ts'

export type ReviewDecision =
  | { kind: 'approve' }
  | { kind: 'request_info'; codes: readonly string[]; note: string }
  | { kind: 'decline'; codes: readonly string[]; note: string }

const shownFields = {
  organization: { select: { name: true, slug: true, createdAt: true } },
  requestedBy: { select: { name: true, email: true, createdAt: true } },
} as const

/** @throws Problem `not_found`, `forbidden` */
export async function getReview(
  { prisma }: Core,
  { requestId }: { requestId: string },
  actor: Pick<Actor, 'accountId'>,
) {
  const { email } = await requireStaff(prisma, actor, ['reviewer'])
  const request = await prisma.sandboxKeyRequest.findUnique({
    where: { id: rowId(requestId) },
    include: shownFields,
  })
  if (!request || request.flags.length === 0) throw new Problem('not_found')
  const conflict = await findConflict(
    prisma,
    { organizationId: request.organizationId },
    { accountId: null, email },
  )
  return { ...request, mine: conflict !== null }
}

/**
 * @param input.version the version that the reviewer saw: a change since then is a conflict
 * @throws Problem `not_found`, `forbidden` (own organization), `conflict`, `validation`
 */
export async function decide(
  core: Core,
  { requestId, version, decision }: { requestId: string; version: number; decision: ReviewDecision },
  actor: Actor,
): Promise<void> {
  if (decision.kind !== 'approve') checkText('note', decision.note, actor)
  const request = await getReview(core, { requestId }, actor)
  if (request.mine)
    throw new Problem('forbidden', {
      message: 'You belong to this organization, so a colleague must decide.',
    })
  const { codes, note } = checkDecision(decision)
  const target = { requestId, version }
  const effects = (now: Date) => ({
    data: { reviewCodes: codes, reviewNote: note, reviewedById: actor.accountId, reviewedAt: now },
    codes,
    text: note,
    detail: { flags: request.flags },
  })
  const guards = { reasons_named: () => void checkDecision(decision) }
  if (decision.kind === 'approve')
    await transition(core, target, 'approve', actor, {
      effects: ({ tx, now }) => ({
        ...effects(now),
        after: ({ id }) => addProvision(core, tx, id, actor.correlationId),
      }),
    })
  else if (decision.kind === 'decline')
    await transition(core, target, 'decline', actor, {
      guards,
      effects: ({ now }) => ({
        ...effects(now),
        emails: () => ({ 'key-request-declined': { note, codes: listKnown(declineCodes, codes) } }),
      }),
    })
  else
    await transition(core, target, 'request_info', actor, {
      guards,
      effects: ({ now }) => ({
        ...effects(now),
        emails: () => ({ 'key-request-needs-info': { note, codes: listKnown(infoCodes, codes) } }),
      }),
    })
}

/**
 * Stores the developer's answer; the request goes back into the queue.
 * @throws Problem `not_found`, `forbidden`, `conflict`, `validation`
 */
export async function answerReview(
  core: Core,
  { requestId, projectDescription }: { requestId: string; projectDescription: string },
  actor: Actor,
): Promise<void> {
  checkText('projectDescription', projectDescription, actor)
  const request = await getAnswerable(core, { requestId, accountId: actor.accountId })
  await transition(core, { requestId, version: request.version }, 'resubmit', actor, {
    effects: () => ({ data: { projectDescription }, text: projectDescription }),
  })
}

/** A request that the reader may answer. @throws Problem `not_found`, `forbidden` */
export async function getAnswerable(
  { prisma }: Core,
  { requestId, accountId }: { requestId: string; accountId: string },
) {
  const request = await prisma.sandboxKeyRequest.findUnique({ where: { id: rowId(requestId) } })
  if (!request) throw new Problem('not_found')
  const { organizationId } = request
  await requireRole(prisma, { organizationId, accountId }, ['developer', 'admin', 'owner'])
  return request
}

function checkDecision(decision: ReviewDecision): { codes: string[]; note: string | null } {
  if (decision.kind === 'approve') return { codes: [], note: null }
  const codes: string[] =
    decision.kind === 'decline'
      ? listKnown(declineCodes, decision.codes)
      : listKnown(infoCodes, decision.codes)
  if (codes.length === 0 || codes.length !== new Set(decision.codes).size)
    throw new Problem('validation', { message: 'Choose at least one reason from the list.', field: 'codes' })
  const note = decision.note.trim()
  if (note.length > reviewNoteMax) throw new Problem('validation', { field: 'note' })
  return { codes, note: note === '' ? null : note }
}

function listKnown<Code extends string>(known: Readonly<Record<Code, string>>, codes: readonly string[]) {
  return (Object.keys(known) as Code[]).filter((code) => codes.includes(code))
}
