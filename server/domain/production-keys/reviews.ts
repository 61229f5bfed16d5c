/** What reviewers and operations do with a production request; nothing is decided in bulk, nobody decides alone on `full`. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { askedFieldOf } from '../../contract/forms-production-keys.ts'
import { Problem } from '../../contract/problems.ts'
import {
  type ProductionInfoReason,
  type ProductionRejectionReason,
  productionInfoReasons,
  productionRejectionReasons,
} from '../../contract/production-key-review.ts'
import { productionKeyTimes } from '../../contract/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Author } from '../text-scan/check-text.ts'
import { findCorrespondents } from './correspondents.ts'
import { missingFacts, readFacts, requireActivePractice, requireFacts } from './facts.ts'
import { openClaim } from './open-claim.ts'
import { checkReason } from './reason.ts'
import type { ProductionRooms } from './rooms.ts'
import type { StepCase, StepTarget, StepWork } from './walk.ts'

const dayMs = 86_400_000

/** What one reviewer did and another has to confirm, as the row holds it. */
export type FirstApproval = Readonly<{ byId: string; byName: string; at: string }>
export type Proposal = FirstApproval & Readonly<{ codes: readonly ProductionRejectionReason[]; text: string }>

export function createReviews(rooms: ProductionRooms) {
  const { walk, agreements } = rooms

  async function claim(target: StepTarget, actor: Actor): Promise<void> {
    await walk.step(target, 'claim', actor, ({ row }) => {
      if (row.claimedById === actor.accountId)
        throw new Problem('conflict', { message: 'You have it already.' })
      return { data: { claimedById: actor.accountId }, detail: { before: row.claimedById } }
    })
  }

  async function requestInfo(
    { items, ...target }: StepTarget & { items: readonly { code: string; text: string }[] },
    actor: Actor,
  ): Promise<void> {
    const asked = checkItems(items, actor)
    await walk.step(target, 'request_info', actor, async ({ tx, row, now }) => {
      requireClaim(row, actor)
      const round = (await tx.productionKeyItem.count({ where: { requestId: row.id } })) + 1
      for (const { code, text } of asked)
        await tx.productionKeyItem.create({ data: { requestId: row.id, round, code, text, askedAt: now } })
      const lapsesAt = new Date(now.getTime() + productionKeyTimes.infoSilentDays * dayMs).toISOString()
      return {
        data: { ...undecided, claimedById: null, silentSince: now, reminders: 0 },
        codes: asked.map(({ code }) => code),
        mails: async (changed) => {
          const listed = asked.map(({ code, text }) => ({
            sentence: productionInfoReasons[code].sentence,
            text,
          }))
          const to = await findCorrespondents(tx, changed)
          return to.toDevelopers('production-needs-info', { items: listed, lapsesAt })
        },
      }
    })
  }

  /**
   * For `read_only` one reviewer approves, for `full` two: the first is kept, the second makes the key claimable.
   * @returns whether a second reviewer is waited for
   * @throws Problem `conflict`, naming what is not in force at this moment
   */
  async function approve(target: StepTarget, actor: Actor): Promise<{ kind: 'first' | 'approved' }> {
    return walk.transact(async (tx) => {
      const row = await walk.lock(tx, target.requestId)
      const first = row.level === 'full' && row.firstApproval === null
      if (first) {
        await walk.stepIn(tx, target, 'approve_first', actor, (of) => approveFirst(of, actor))
        return { kind: 'first' }
      }
      const { repeated } = await walk.stepIn(tx, target, 'approve', actor, (of) => approveLast(of, actor))
      if (!repeated)
        await walk.stepIn(tx, { requestId: row.id }, 'provision', 'system', ({ now }) =>
          openClaim(tx, rooms, { data: { approvedAt: now }, now }),
        )
      return { kind: 'approved' }
    })
  }

  async function approveFirst({ tx, row, party, now }: StepCase, actor: Actor): Promise<StepWork> {
    requireClaim(row, actor)
    await requireReady(tx, row, now)
    const firstApproval = {
      byId: actor.accountId,
      byName: party.name,
      at: now.toISOString(),
    } satisfies FirstApproval
    return { data: { firstApproval } }
  }

  async function approveLast({ tx, row, now }: StepCase, actor: Actor): Promise<StepWork> {
    const first = row.firstApproval as FirstApproval | null
    if (row.level === 'full') {
      if (first === null) throw new Problem('conflict')
      if (first.byId === actor.accountId)
        throw new Problem('forbidden', { message: 'You approved it first: a second reviewer decides.' })
    } else requireClaim(row, actor)
    const facts = await requireReady(tx, row, now)
    return { detail: { documents: facts, ...(first ? { first: first.byId } : {}) } }
  }

  async function requireReady(
    tx: Prisma.TransactionClient,
    row: StepCase['row'],
    now: Date,
  ): Promise<Prisma.InputJsonObject> {
    if (row.proposal !== null)
      throw new Problem('conflict', { message: 'A rejection is proposed. Dismiss it first.' })
    await requireActivePractice(tx, row.practiceId)
    const facts = await readFacts(tx, agreements, row, now)
    requireFacts(facts)
    return Object.fromEntries(
      [facts.usageAgreement, facts.usagePolicy, facts.baa].flatMap((each, place) =>
        each ? [[['usageAgreement', 'usagePolicy', 'baa'][place], `${each.version} ${each.sha256}`]] : [],
      ),
    )
  }

  async function proposeRejection(
    { codes, text, ...target }: StepTarget & { codes: readonly string[]; text: string },
    actor: Actor,
  ): Promise<void> {
    const words = checkReason(text, actor, 'text')
    const listed = checkCodes(codes)
    await walk.step(target, 'propose_rejection', actor, ({ row, party, now }) => {
      requireClaim(row, actor)
      if (row.proposal !== null)
        throw new Problem('conflict', { message: 'A rejection is proposed already.' })
      const proposal = {
        byId: actor.accountId,
        byName: party.name,
        codes: listed,
        text: words,
        at: now.toISOString(),
      } satisfies Proposal
      return { data: { proposal }, codes: listed, text: words }
    })
  }

  async function dismissRejection(
    { text, ...target }: StepTarget & { text: string },
    actor: Actor,
  ): Promise<void> {
    const words = checkReason(text, actor, 'text')
    await walk.step(target, 'dismiss_rejection', actor, ({ row }) => {
      requireProposal(row)
      return { data: { proposal: Prisma.DbNull }, text: words }
    })
  }

  async function reject(target: StepTarget, actor: Actor): Promise<void> {
    await walk.step(target, 'reject', actor, ({ tx, row, now }) => {
      const { byId, codes, text } = requireProposal(row)
      if (byId === actor.accountId)
        throw new Problem('forbidden', { message: 'You proposed it: a second reviewer decides.' })
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
        mails: async (changed) => {
          const to = await findCorrespondents(tx, changed)
          return to.toDevelopers('production-rejected', { items, text, appealUntil })
        },
      }
    })
  }

  /** Operations, about a request that a practice does not know of. */
  async function endHold(
    { reason, outcome, ...target }: StepTarget & { reason: string; outcome: 'release' | 'close' },
    actor: Actor,
  ): Promise<void> {
    const words = checkReason(reason, actor)
    await walk.step(target, outcome, actor, ({ tx, now }) => ({
      text: words,
      data: outcome === 'close' ? { endedAt: now } : released,
      mails: async (row) => {
        const to = await findCorrespondents(tx, row)
        return to.toBoth('production-hold-ended', { released: outcome === 'release', reason: words })
      },
    }))
  }

  return { claim, requestInfo, approve, proposeRejection, dismissRejection, reject, endHold, missingFacts }
}

/** A renewal that was held is a request like any other: it goes through the whole of the review. */
const released = { invitedAt: null, reminders: 0, renewsId: null } as const

const undecided = { proposal: Prisma.DbNull, firstApproval: Prisma.DbNull } as const

function requireClaim({ claimedById }: { claimedById: string | null }, { accountId }: Actor): void {
  if (claimedById !== accountId)
    throw new Problem('conflict', { message: 'A colleague has claimed this. Take it over first.' })
}

function requireProposal({ proposal }: { proposal: Prisma.JsonValue }): Proposal {
  if (proposal === null) throw new Problem('conflict', { message: 'No rejection is proposed.' })
  return proposal as unknown as Proposal
}

function checkItems(items: readonly { code: string; text: string }[], author: Author) {
  const asked = items.map(({ code, text }) => {
    if (!Object.hasOwn(productionInfoReasons, code))
      throw new Problem('validation', { field: 'items', message: 'Choose reasons of the list.' })
    return { code: code as ProductionInfoReason, text: checkReason(text, author, askedFieldOf(code)) }
  })
  if (asked.length === 0)
    throw new Problem('validation', { field: 'items', message: 'Ask for at least one thing of the list.' })
  return asked
}

function checkCodes(codes: readonly string[]): ProductionRejectionReason[] {
  const known = (Object.keys(productionRejectionReasons) as ProductionRejectionReason[]).filter((code) =>
    codes.includes(code),
  )
  if (known.length === 0 || known.length !== new Set(codes).size)
    throw new Problem('validation', { field: 'codes', message: 'Choose at least one reason of the list.' })
  return known
}
