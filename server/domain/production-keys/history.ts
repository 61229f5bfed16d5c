/** An organization's history with us, for sponsors and reviewers. */
import type { PrismaClient, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { ProductionKeyState } from '../../contract/workflows/production-key-workflow.ts'
import { waitingOn } from '../../contract/workflows/waiting-on.ts'
import { productionKeys } from './transition.ts'

export async function findHistory(
  prisma: PrismaClient,
  { id, organizationId, practiceId }: Pick<ProductionKeyRequest, 'id' | 'organizationId' | 'practiceId'>,
  now: Date,
) {
  const owner = { organizationId }
  const requests = await prisma.productionKeyRequest.findMany({ where: owner, select: { id: true } })
  const [organization, domains, earlier, worksElsewhere, sandboxKeys, leaks, revokedByOthers, enabledApps] =
    await Promise.all([
      prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      prisma.organizationDomain.findMany({
        where: { ...owner, verifiedAt: { not: null } },
        select: { domain: true },
        orderBy: { domain: 'asc' },
      }),
      prisma.productionKeyRequest.findMany({
        where: { ...owner, practiceId, id: { not: id }, submittedAt: { not: null } },
        select: { name: true, state: true, updatedAt: true },
        orderBy: { updatedAt: 'desc' },
        take: 20,
      }),
      prisma.productionKeyRequest.count({
        where: { ...owner, state: { in: ['active', 'rotating'] }, NOT: { practiceId } },
      }),
      prisma.apiKey.count({
        where: { ...owner, environment: 'sandbox', explorer: false, revokedAt: null, expiresAt: { gt: now } },
      }),
      prisma.apiKey.count({ where: { ...owner, leakedAt: { not: null } } }),
      prisma.workflowEvent.count({
        where: {
          subjectKind: productionKeys.kind,
          subjectId: { in: requests.map(({ id }) => id) },
          event: 'revoke',
          actorKind: { in: ['sponsor', 'ops'] },
        },
      }),
      prisma.registration.count({ where: { ...owner, kind: 'app', state: 'enabled' } }),
    ])
  return {
    memberSince: organization.createdAt,
    domains: domains.map(({ domain }) => domain),
    /** Earlier requests to this practice. */
    earlierHere: earlier.map(({ name, state, updatedAt }) => ({ name, state, at: updatedAt })),
    /** The number of active production keys at other practices. */
    worksElsewhere,
    sandboxKeys,
    /** The number of keys that were ever reported as leaked. */
    leaks,
    /** The number of keys that a practice or we ever revoked. */
    revokedByOthers,
    enabledApps,
  }
}

// The five steps of a production key, as both sides see them.

const stepNames = {
  request: 'Request',
  sponsor: 'Sponsor',
  agreement: 'Usage agreement',
  baa: 'BAA',
  key: 'Review and key',
} as const
type StepName = keyof typeof stepNames

type Event = Readonly<{ event: string; to: string; at: Date }>

/** The events that complete a step. */
const doneBy: Readonly<Record<StepName, readonly string[]>> = {
  request: ['submit', 'renew'],
  sponsor: ['confirm', 'reconfirm'],
  agreement: ['agreement_execute'],
  baa: ['baa_execute'],
  key: ['reveal'],
}

/** The step that a state belongs to. */
const stepOfState: Readonly<Partial<Record<ProductionKeyState, StepName>>> = {
  draft: 'request',
  sponsor_invited: 'sponsor',
  sponsor_expired: 'sponsor',
  renewal_invited: 'sponsor',
  security_hold: 'sponsor',
  sponsor_declined: 'sponsor',
  sponsor_confirmed: 'agreement',
  agreement_signed: 'agreement',
  agreement_executed: 'baa',
  baa_pending: 'baa',
  baa_half: 'baa',
  baa_negotiation: 'baa',
  stalled: 'baa',
  baa_executed: 'key',
  in_review: 'key',
  needs_info: 'key',
  approved: 'key',
  rejected: 'key',
  ready_to_claim: 'key',
  claim_expired: 'key',
}

const holders = {
  developer: 'The developers',
  practice: 'The practice',
  both: 'Both sides sign',
  us: 'Sandpiper',
  nobody: null,
} as const

/** @param events the oldest first */
export function stepsOf(
  { state, renewsId }: Pick<ProductionKeyRequest, 'state' | 'renewsId'>,
  events: readonly Event[],
) {
  const here = stepOfState[state as ProductionKeyState]
  const ended = ['sponsor_declined', 'rejected', 'withdrawn'].includes(state)
  const names = Object.keys(stepNames) as StepName[]
  const place = here ? names.indexOf(here) : -1
  return names.map((name, index) => {
    const step = events.findLast(({ event }) => doneBy[name].includes(event))
    // A renewal uses agreements that are signed already.
    const carried = renewsId !== null && (name === 'agreement' || name === 'baa')
    const isDone = (step !== undefined || carried) && (place === -1 || index < place || name !== here)
    const isHere = name === here && !isDone
    return {
      name,
      title: stepNames[name],
      state: isDone ? 'done' : isHere ? (ended ? 'ended' : 'here') : ended ? 'ended' : 'ahead',
      // The name of the side that must act; null unless it is the current step.
      holder: isHere ? holders[waitingOn('production_key_request', state as ProductionKeyState)] : null,
      at: isDone ? (step?.at ?? null) : null,
    } as const
  })
}
