/** Whom a request goes to: a reviewer who may decide on it, or the colleague who covers for them today. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'
import { findStandIn } from './absences.ts'

type Assignment = Readonly<{
  claimedById: string
  /** The reviewer who is away and for whom it is; null: it goes to whom it was meant for. */
  coversForId: string | null
}>

type FindConflict = (party: { accountId: string; email: string }) => Promise<string | null>

/** @throws Problem `conflict` when the person does not review, or must not decide on this request */
async function chooseAssignee(
  { calendar, clock }: Pick<Core, 'calendar' | 'clock'>,
  tx: Prisma.TransactionClient,
  { reviewerId, findConflict }: Readonly<{ reviewerId: string; findConflict: FindConflict }>,
): Promise<Assignment> {
  const claimedById = await findStandIn(tx, reviewerId, calendar.dateOf(clock()))
  const account = await tx.account.findFirst({
    where: { id: claimedById, realm: 'staff', staffRole: 'reviewer', disabledAt: null },
    select: { email: true, name: true },
  })
  if (!account) throw new Problem('conflict', { message: 'This person isn’t a reviewer.' })
  const conflict = await findConflict({ accountId: claimedById, email: account.email })
  if (conflict !== null) throw new Problem('conflict', { message: `${account.name} may not decide on this.` })
  return { claimedById, coversForId: claimedById === reviewerId ? null : reviewerId }
}

type Assignable = Readonly<{ claimedById: string | null; coversForId: string | null }>
type Context<Row> = Readonly<{ tx: Prisma.TransactionClient; row: Row }>

/** Of a step that assigns a row: its guard and what it writes ask the same question, and it is answered once. */
export function chooseOnce<Row>(
  core: Pick<Core, 'calendar' | 'clock'>,
  reviewerId: string,
  findConflict: (
    tx: Prisma.TransactionClient,
    row: Row,
    party: Readonly<{ accountId: string; email: string }>,
  ) => Promise<string | null>,
): (context: Context<Row & Assignable>) => Promise<Assignment> {
  let chosen: Promise<Assignment> | null = null
  return ({ tx, row }) => {
    chosen ??= chooseAssignee(core, tx, {
      reviewerId,
      findConflict: (party) => findConflict(tx, row, party),
    }).then((assignment) => {
      if (row.claimedById === assignment.claimedById && row.coversForId === assignment.coversForId)
        throw new Problem('conflict', { message: 'This reviewer already has it.' })
      return assignment
    })
    return chosen
  }
}

/** After an answer: the reviewer who asked, or the colleague covering for them; no one if neither may decide. */
export async function assigneeOfAnswer(
  core: Pick<Core, 'calendar' | 'clock'>,
  tx: Prisma.TransactionClient,
  subject: Readonly<{ kind: string; id: string; findConflict: FindConflict }>,
): Promise<Assignment | Readonly<{ claimedById: null; coversForId: null }>> {
  const nobody = { claimedById: null, coversForId: null } as const
  const question = await tx.workflowEvent.findFirst({
    where: { subjectKind: subject.kind, subjectId: subject.id, event: 'request_info' },
    orderBy: { id: 'desc' },
    select: { actorId: true },
  })
  if (!question?.actorId) return nobody
  try {
    return await chooseAssignee(core, tx, {
      reviewerId: question.actorId,
      findConflict: subject.findConflict,
    })
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.kind === 'conflict') return nobody
    throw thrown
  }
}

// What the steps of a review ask of a reviewer, whatever is reviewed.

/** A rejection that waits for its second reviewer, as the row holds it. */
export type Proposal<Code extends string = string> = Readonly<{
  byId: string
  byName: string
  codes: readonly Code[]
  text: string
  at: string
}>

type Reviewed = Readonly<{ state: string; claimedById: string | null; proposal: Prisma.JsonValue }>
type Reviewer = Readonly<{ accountId: string }>

export function requireUnclaimed({ state, claimedById }: Reviewed, { accountId }: Reviewer): void {
  if (state === 'in_review' && claimedById === accountId)
    throw new Problem('conflict', { message: 'You have already claimed it.' })
}

export function requireClaim({ claimedById }: Pick<Reviewed, 'claimedById'>, { accountId }: Reviewer): void {
  if (claimedById !== accountId)
    throw new Problem('conflict', { message: 'A colleague has claimed this. Take it over first.' })
}

export function requireNoProposal({ proposal }: Reviewed): void {
  if (proposal !== null) throw new Problem('conflict', { message: 'A rejection has already been proposed.' })
}

export function requireProposal<Code extends string>({
  proposal,
}: Pick<Reviewed, 'proposal'>): Proposal<Code> {
  if (proposal === null) throw new Problem('conflict', { message: 'No rejection has been proposed.' })
  return proposal as unknown as Proposal<Code>
}

export function requireSecondReviewer(row: Reviewed, { accountId }: Reviewer): void {
  if (requireProposal(row).byId === accountId)
    throw new Problem('forbidden', {
      message: 'You proposed the rejection, so a second reviewer must decide.',
    })
}
