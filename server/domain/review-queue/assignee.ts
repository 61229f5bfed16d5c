/** Whom a request goes to: a reviewer who may decide on it. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'

type FindConflict = (party: { accountId: string; email: string }) => Promise<string | null>

/** @throws Problem `conflict` when the person does not review, or must not decide on this request */
async function requireAssignable(
  tx: Prisma.TransactionClient,
  reviewerId: string,
  findConflict: FindConflict,
): Promise<void> {
  const account = await tx.account.findFirst({
    where: { id: reviewerId, realm: 'staff', staffRole: 'reviewer', disabledAt: null },
    select: { email: true, name: true },
  })
  if (!account) throw new Problem('conflict', { message: 'This person isn’t a reviewer.' })
  const conflict = await findConflict({ accountId: reviewerId, email: account.email })
  if (conflict !== null) throw new Problem('conflict', { message: `${account.name} may not decide on this.` })
}

/** The guard of a step that assigns a row. */
export function assignableTo<Row>(
  reviewerId: string,
  findConflict: (
    tx: Prisma.TransactionClient,
    row: Row,
    party: Readonly<{ accountId: string; email: string }>,
  ) => Promise<string | null>,
): (
  context: Readonly<{ tx: Prisma.TransactionClient; row: Row & { claimedById: string | null } }>,
) => Promise<void> {
  return async ({ tx, row }) => {
    await requireAssignable(tx, reviewerId, (party) => findConflict(tx, row, party))
    if (row.claimedById === reviewerId)
      throw new Problem('conflict', { message: 'This reviewer already has it.' })
  }
}

/** After an answer: the reviewer who asked; null if they may no longer decide. */
export async function assigneeOfAnswer(
  tx: Prisma.TransactionClient,
  subject: Readonly<{ kind: string; id: string; findConflict: FindConflict }>,
): Promise<string | null> {
  const question = await tx.workflowEvent.findFirst({
    where: { subjectKind: subject.kind, subjectId: subject.id, event: 'request_info' },
    orderBy: { id: 'desc' },
    select: { actorId: true },
  })
  if (!question?.actorId) return null
  try {
    await requireAssignable(tx, question.actorId, subject.findConflict)
    return question.actorId
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.kind === 'conflict') return null
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
