/** The steps of reviewers and operations. Each is about one request; full access needs two reviewers. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { textFieldOf } from '../../contract/forms/step-forms.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  type ProductionRejectionReason,
  productionInfoReasons,
  productionRejectionReasons,
} from '../../contract/workflows/production-key-review.ts'
import { productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import {
  checkCodes,
  checkQuestions,
  proposalOf,
  requireClaim,
  requireNoProposal,
  requireProposal,
  requireSecondReviewer,
  requireUnclaimed,
} from '../review-queue/assignee.ts'
import { transact } from '../workflow/engine.ts'
import { type Facts, readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { openClaim } from './open-claim.ts'
import { checkReason } from './reason.ts'
import {
  type Context,
  type Effects,
  lock,
  type RequestTarget,
  transition,
  transitionIn,
} from './transition.ts'

const dayMs = 86_400_000

/** The first of two approvals, as the row stores it. */
export type FirstApproval = Readonly<{ byId: string; byName: string; at: string }>

export async function claim(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await transition(core, target, 'claim', actor, {
    guards: {
      not_claimed_already: ({ row }) => requireUnclaimed(row, actor),
    },
    effects: ({ row }) => ({
      data: { claimedById: actor.accountId },
      detail: { before: row.claimedById },
    }),
  })
}

export async function requestInfo(
  core: Core,
  { items, ...target }: RequestTarget & { items: readonly { code: string; text: string }[] },
  actor: Actor,
): Promise<void> {
  const questions = checkQuestions(items, productionInfoReasons, (code, comment) =>
    checkReason(comment, actor, textFieldOf(code)),
  )
  await transition(core, target, 'request_info', actor, {
    guards: { claimed_by_actor: ({ row }) => requireClaim(row, actor) },
    effects: async ({ tx, row, now }) => {
      const round = (await tx.productionKeyItem.count({ where: { requestId: row.id } })) + 1
      for (const { code, text } of questions)
        await tx.productionKeyItem.create({ data: { requestId: row.id, round, code, text, askedAt: now } })
      const lapsesAt = new Date(now.getTime() + productionKeyTimes.infoSilentDays * dayMs).toISOString()
      return {
        data: { ...undecided, claimedById: null, silentSince: now, reminders: 0 },
        codes: questions.map(({ code }) => code),
        emails: () => ({
          'production-needs-info': {
            items: questions.map(({ code, text }) => ({
              sentence: productionInfoReasons[code].sentence,
              text,
            })),
            lapsesAt,
          },
        }),
      }
    },
  })
}

/**
 * Approves a request. `read_only` needs one reviewer, `full` two: the second approval makes the key claimable.
 * @returns `first` if a second reviewer must follow
 * @throws Problem `conflict`, naming the preconditions that are not in force
 */
export async function approve(
  core: Core,
  target: RequestTarget,
  actor: Actor,
): Promise<{ kind: 'first' | 'approved' }> {
  return transact(core, async (tx) => {
    const row = await lock(tx, target.requestId)
    const first = row.level === 'full' && row.firstApproval === null
    if (first) {
      await transitionIn(core, tx, target, 'approve_first', actor, {
        guards: {
          ready_first: async (context) => {
            requireClaim(context.row, actor)
            await requireReady(core, context)
          },
        },
        effects: (context) => approveFirst(context, actor),
      })
      return { kind: 'first' }
    }
    const { repeated } = await transitionIn(core, tx, target, 'approve', actor, {
      guards: {
        ready_last: async (context) => {
          requireSecond(context.row, actor)
          await requireReady(core, context)
        },
      },
      effects: (context) => approveLast(core, context),
    })
    if (!repeated)
      await transitionIn(core, tx, { requestId: row.id }, 'provision', 'system', {
        effects: ({ now }) => openClaim(core, tx, { data: { approvedAt: now }, now }),
      })
    return { kind: 'approved' }
  })
}

function approveFirst({ party, now }: Context, actor: Actor): Effects<'approve_first'> {
  const firstApproval = {
    byId: actor.accountId,
    byName: party.name,
    at: now.toISOString(),
  } satisfies FirstApproval
  return { data: { firstApproval } }
}

async function approveLast(core: Core, context: Context): Promise<Effects<'approve'>> {
  const first = context.row.firstApproval as FirstApproval | null
  const documents = documentsOf(await requireReady(core, context))
  return { detail: { documents, ...(first ? { first: first.byId } : {}) } }
}

async function requireReady(core: Core, { tx, row, now }: Context): Promise<Facts> {
  if (row.proposal !== null)
    throw new Problem('conflict', { message: 'A rejection has been proposed. Dismiss it first.' })
  await requireActivePractice(tx, row.practiceId)
  const facts = await readFacts(core, tx, row, now)
  requireFacts(facts)
  return facts
}

export async function proposeRejection(
  core: Core,
  { codes, text, ...target }: RequestTarget & { codes: readonly string[]; text: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(text, actor, 'text')
  const listed = checkCodes(codes, Object.keys(productionRejectionReasons) as ProductionRejectionReason[])
  await transition(core, target, 'propose_rejection', actor, {
    guards: {
      no_rejection_proposed: ({ row }) => {
        requireClaim(row, actor)
        requireNoProposal(row)
      },
    },
    effects: (context) => ({
      data: { proposal: proposalOf(actor, context, { codes: listed, text: words }) },
      codes: listed,
      text: words,
    }),
  })
}

export async function dismissRejection(
  core: Core,
  { text, ...target }: RequestTarget & { text: string },
  actor: Actor,
): Promise<void> {
  const words = checkReason(text, actor, 'text')
  await transition(core, target, 'dismiss_rejection', actor, {
    guards: { rejection_proposed: ({ row }) => void requireProposal(row) },
    effects: () => ({ data: { proposal: Prisma.DbNull }, text: words }),
  })
}

export async function reject(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await transition(core, target, 'reject', actor, {
    guards: {
      second_reviewer: ({ row }) => requireSecondReviewer(row, actor),
    },
    effects: ({ row, now }) => {
      const { byId, codes, text } = requireProposal<ProductionRejectionReason>(row)
      const appealUntil = new Date(now.getTime() + productionKeyTimes.appealDays * dayMs).toISOString()
      const items = codes.map((code) => ({
        sentence: productionRejectionReasons[code].sentence,
        text: productionRejectionReasons[code].template,
      }))
      const first = row.firstApproval as FirstApproval | null
      const decided = [byId, actor.accountId, ...(first ? [first.byId] : [])]
      return {
        data: {
          ...undecided,
          claimedById: null,
          rejectedAt: now,
          endedAt: now,
          excludedIds: [...new Set([...row.excludedIds, ...decided])],
        },
        codes,
        text,
        detail: { proposedBy: byId },
        emails: () => ({ 'production-rejected': { items, text, appealUntil } }),
      }
    },
  })
}

/** Ends the hold of a request that a practice did not recognize; for operations. */
export async function endHold(
  core: Core,
  { reason, outcome, ...target }: RequestTarget & { reason: string; outcome: 'release' | 'close' },
  actor: Actor,
): Promise<void> {
  const words = checkReason(reason, actor)
  await transition(core, target, outcome, actor, {
    effects: ({ now }) => ({
      text: words,
      data: outcome === 'close' ? { endedAt: now } : released,
      emails: () => ({ 'production-hold-ended': { released: outcome === 'release', reason: words } }),
    }),
  })
}

/** A released renewal becomes an ordinary request, with the complete review. */
const released = { invitedAt: null, reminders: 0, renewsId: null } as const

const undecided = { proposal: Prisma.DbNull, firstApproval: Prisma.DbNull } as const

/** Full access needs a second reviewer; read-only access the reviewer who has claimed the request. */
function requireSecond(row: Context['row'], actor: Actor): void {
  if (row.level !== 'full') {
    requireClaim(row, actor)
    return
  }
  const first = row.firstApproval as FirstApproval | null
  if (first === null) throw new Problem('conflict')
  if (first.byId === actor.accountId)
    throw new Problem('forbidden', {
      message: 'You gave the first approval, so a second reviewer must decide.',
    })
}

function documentsOf({ usageAgreement, usagePolicy, baa }: Facts): Prisma.InputJsonObject {
  const documents = Object.entries({ usageAgreement, usagePolicy, baa })
  return Object.fromEntries(
    documents.flatMap(([name, text]) => (text ? [[name, `${text.version} ${text.sha256}`]] : [])),
  )
}
