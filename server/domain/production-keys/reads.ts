/** Reads a production key request for the people who may see it: its developers, its practice, and our staff. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { ProductionRejectionReason } from '../../contract/workflows/production-key-review.ts'
import {
  type ProductionKeyEventName,
  type ProductionKeyState,
  type ProductionKeyTransition,
  productionKeyTimes,
  productionKeyWorkflow,
  type SuspensionCause,
} from '../../contract/workflows/production-key-workflow.ts'
import { type SecurityProfile, securityProfile } from '../../contract/workflows/security-questions.ts'
import { accountNames } from '../accounts/account-names.ts'
import type { Actor } from '../actor.ts'
import { findOwnBaa, listForRequest } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { keyState } from '../keys/owned-key.ts'
import { findLimits } from '../practices/key-limits.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { findConflict, type Proposal } from '../review-queue/assignee.ts'
import { mayRenew } from './answers.ts'
import { draftOf } from './drafts.ts'
import { findParty, missingFacts, readFacts } from './facts.ts'
import { findHistory, stepsOf } from './history.ts'
import { viewClock } from './review-clock.ts'
import type { FirstApproval } from './reviews.ts'
import { productionKeys } from './transition.ts'

type Reader = Pick<Actor, 'accountId'>

const viewFields = {
  organization: { select: { id: true, slug: true, name: true, createdAt: true } },
  practice: { select: { id: true, slug: true, name: true, state: true } },
  requestedBy: { select: { id: true, name: true } },
  items: { orderBy: [{ round: 'asc' }, { askedAt: 'asc' }] },
  suspensions: { orderBy: { at: 'asc' } },
  keys: { orderBy: { createdAt: 'asc' } },
} as const satisfies Prisma.ProductionKeyRequestInclude

/** Events that no timeline shows. */
const quietEvents: readonly string[] = ['save', 'remind']
/** Events that only staff see. */
const internalEvents: readonly string[] = [
  'assign',
  'claim',
  'approve_first',
  'propose_rejection',
  'dismiss_rejection',
]

const transitions: readonly ProductionKeyTransition[] = productionKeyWorkflow.rows

/** @throws Problem `not_found` for people who may not see the request */
export async function get(core: Core, requestId: string, { accountId }: Reader) {
  const { prisma, clock, calendar } = core
  const row = await prisma.productionKeyRequest.findUnique({
    where: { id: rowId(requestId) },
    include: viewFields,
  })
  if (!row) throw new Problem('not_found')
  const party = await findParty(prisma, row, { accountId })
  // Clinicians don't manage the practice's keys.
  if (party.kind === 'clinician') throw new Problem('not_found')
  const now = clock()
  const events = await prisma.workflowEvent.findMany({
    where: { subjectKind: productionKeys.kind, subjectId: row.id },
    orderBy: { id: 'asc' },
  })
  const [people, lastUsed, listed, facts, renewal, signers, conflict] = await Promise.all([
    accountNames(prisma, [
      ...[row.sponsorId, row.claimedById],
      ...events.map(({ actorId }) => actorId),
      ...row.suspensions.map(({ byId }) => byId),
    ]),
    activityLog.findLastUsed(
      core,
      row.keys.map(({ id }) => id),
    ),
    listForRequest(core, prisma, row.id),
    row.submittedAt ? readFacts(core, prisma, row, now) : null,
    prisma.productionKeyRequest.findFirst({ where: { openRenewalOfId: row.id }, select: { id: true } }),
    party.kind === 'sponsor' ? findPracticePeople(prisma, row.practiceId, ['admin', 'signatory']) : [],
    party.kind === 'reviewer' ? findConflict(prisma, row, party) : null,
  ])
  const history =
    party.kind === 'sponsor' || party.kind === 'reviewer' || party.kind === 'ops'
      ? await findHistory(prisma, row, now)
      : null
  const newestKey = row.keys.findLast(({ revokedAt }) => revokedAt === null)
  const profile = securityProfile.safeParse(row.profile)
  const staff = party.kind === 'reviewer' || party.kind === 'ops'
  const first = staff ? (row.firstApproval as FirstApproval | null) : null
  const proposal = staff ? (row.proposal as Proposal<ProductionRejectionReason> | null) : null
  return {
    id: row.id,
    version: row.version,
    state: row.state as ProductionKeyState,
    party: party.kind,
    mine: row.requestedById === accountId,
    claimedByMe: row.state === 'in_review' && row.claimedById === accountId,
    assignedToMe: row.claimedById === accountId,
    claimedBy: staff && row.claimedById ? (people.get(row.claimedById) ?? null) : null,
    allowed: allowedFor(row, party.kind),
    conflict,
    name: row.name,
    level: row.level,
    justification: row.justification,
    purposes: row.purposes,
    dataClasses: row.dataClasses,
    termDays: row.termDays,
    practiceSlug: row.practiceSlug,
    signatory: { id: row.signatoryId, name: row.signatoryName, title: row.signatoryTitle },
    practiceSignatory: row.practiceSignatoryId
      ? { name: row.practiceSignatoryName, title: row.practiceSignatoryTitle }
      : null,
    organization: row.organization,
    practice: row.practice,
    requestedBy: row.requestedBy.name,
    /** The fields as the form shows them. */
    draft: draftOf(row),
    profile: profile.success ? (profile.data as SecurityProfile) : null,
    lapsesAt: lapseOf(row),
    reinvitesLeft: Math.max(0, productionKeyTimes.reinvitesMax - row.reinvites),
    sponsor: row.sponsorId
      ? {
          name: people.get(row.sponsorId) ?? '',
          at: row.sponsoredAt,
          endedAt: row.sponsorEndedAt,
          me: row.sponsorId === accountId,
        }
      : null,
    steps: stepsOf(row, events),
    items: row.items.map(({ id, round, code, text, answer }) => ({ id, round, code, text, answer })),
    clock: viewClock(row, calendar, now),
    firstApproval: first && { byName: first.byName, at: first.at, mine: first.byId === accountId },
    proposal: proposal && { ...proposal, codes: [...proposal.codes], mine: proposal.byId === accountId },
    facts: facts && {
      missing: missingFacts(facts),
      usageAgreement: facts.usageAgreement,
      usagePolicy: facts.usagePolicy,
      baa: facts.baa,
      sponsorship: facts.sponsorship && {
        name: facts.sponsorship.name,
        confirmedAt: facts.sponsorship.confirmedAt,
      },
    },
    agreements: listed.map(({ id, kind, state, signed, waitsFor, expiresAt }) => ({
      id,
      kind,
      state,
      signed,
      waitsFor,
      expiresAt,
    })),
    documents: {
      usageAgreementId: row.usageAgreementId,
      baaId: row.baaId,
      ownBaa: row.baaId && (await findOwnBaa(core, row.baaId)),
    },
    keys: row.keys.map((key) => ({
      id: key.id,
      prefix: key.prefix,
      state: keyState(key, now),
      rotatedAt: key.rotatedAt,
      expiresAt: key.expiresAt,
      lastUsedAt: lastUsed.get(key.id) ?? null,
    })),
    suspensions: row.suspensions.map(({ cause, reason, at, endedAt, byId }) => ({
      cause: cause as SuspensionCause,
      reason,
      at,
      endedAt,
      by: cause === 'ops' ? 'Sandpiper' : byId ? (people.get(byId) ?? null) : null,
    })),
    limits: newestKey ? await findLimits(core, newestKey) : null,
    expiresAt: row.expiresAt,
    claimExpiresAt: row.claimExpiresAt,
    reissuesLeft: Math.max(0, productionKeyTimes.claimReissuesMax - row.reissues),
    renewsId: row.renewsId,
    openRenewalId: renewal?.id ?? null,
    mayRenew: mayRenew(row, now) && renewal === null,
    certifiedAt: row.certifiedAt,
    history,
    signers,
    events: events
      .filter(({ event }) => !quietEvents.includes(event) && (staff || !internalEvents.includes(event)))
      .map(({ id, at, event, actorKind, actorId, text, codes }) => ({
        id: String(id),
        at,
        event: event as ProductionKeyEventName,
        by: nameFor(actorKind, actorId ? (people.get(actorId) ?? null) : null),
        text,
        codes,
      }))
      .reverse(),
  }
}

export type ProductionKeyView = Awaited<ReturnType<typeof get>>

function allowedFor({ state }: Pick<ProductionKeyRequest, 'state'>, party: string): ProductionKeyEventName[] {
  return transitions
    .filter(({ from, actors }) => from === state && actors.includes(party))
    .map(({ event }) => event as ProductionKeyEventName)
}

function lapseOf({ state, invitedAt, silentSince }: ProductionKeyRequest): Date | null {
  const after = (since: Date | null, days: number) => since && new Date(since.getTime() + days * 86_400_000)
  if (state === 'sponsor_invited' || state === 'renewal_invited')
    return after(invitedAt, productionKeyTimes.sponsorDays)
  return state === 'needs_info' ? after(silentSince, productionKeyTimes.infoSilentDays) : null
}

/** The names of reviewers and operators are not shown. */
function nameFor(kind: string, name: string | null): string {
  if (kind === 'system' || kind === 'documents') return name ?? 'Sandpiper'
  if (kind === 'reviewer') return 'A reviewer'
  return kind === 'ops' ? 'Sandpiper' : (name ?? 'Someone')
}
