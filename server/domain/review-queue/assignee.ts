/** The assignee of a request, and the checks that the steps of every review share. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'

type Reviewable = Readonly<{
  organizationId: string
  /** The reviewers who decided on it before an appeal. */
  excludedIds?: readonly string[]
  practiceId?: string | null
}>

/** Why a person may not decide on a request; null if they may. */
export async function findConflict(
  db: Prisma.TransactionClient,
  { organizationId, excludedIds = [], practiceId = null }: Reviewable,
  { accountId, email }: Readonly<{ accountId: string | null; email: string }>,
): Promise<string | null> {
  if (accountId !== null && excludedIds.includes(accountId))
    return 'You decided on this before the appeal, so a colleague must decide now.'
  if ((await db.membership.count({ where: { organizationId, account: { email } } })) > 0)
    return 'You belong to this organization, so a colleague must decide.'
  const memberships =
    practiceId === null ? 0 : await db.practiceMembership.count({ where: { practiceId, account: { email } } })
  return memberships > 0 ? 'You work at this practice, so a colleague must decide.' : null
}

/** An answer goes to the reviewer who asked; null if they may no longer decide. */
export async function assigneeOfAnswer(
  { tx, row }: StepContext<Reviewable & Readonly<{ id: string }>>,
  subjectKind: string,
): Promise<string | null> {
  const question = await tx.workflowEvent.findFirst({
    where: { subjectKind, subjectId: row.id, event: 'request_info' },
    orderBy: { id: 'desc' },
    select: { actorId: true },
  })
  if (!question?.actorId) return null
  const account = await tx.account.findFirst({
    where: { id: question.actorId, realm: 'staff', staffRole: 'reviewer', disabledAt: null },
    select: { id: true, email: true },
  })
  if (!account) return null
  const conflict = await findConflict(tx, row, { accountId: account.id, email: account.email })
  return conflict === null ? account.id : null
}

/** A proposed rejection, which a second reviewer must confirm. */
export type Proposal<Code extends string = string> = Readonly<{
  byId: string
  byName: string
  codes: readonly Code[]
  text: string
  at: string
}>

type Reviewed = Readonly<{ state: string; claimedById: string | null; proposal: Prisma.JsonValue }>
type Reviewer = Readonly<{ accountId: string }>
type StepContext<Row> = Readonly<{ tx: Prisma.TransactionClient; row: Row }>

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

/** The proposal, as it is stored in the row. */
export const proposalOf = <Code extends string>(
  { accountId: byId }: Reviewer,
  { party, now }: Readonly<{ party: Readonly<{ name: string }>; now: Date }>,
  reasons: Readonly<{ codes: readonly Code[]; text: string }>,
) =>
  ({
    byId,
    byName: party.name,
    codes: [...reasons.codes],
    text: reasons.text,
    at: now.toISOString(),
  }) satisfies Proposal

/** @throws Problem `validation` if there is no code, or one is not in the list */
export function checkCodes<Code extends string>(codes: readonly string[], listed: readonly Code[]): Code[] {
  const known = listed.filter((code) => codes.includes(code))
  if (known.length === 0 || known.length !== new Set(codes).size)
    throw new Problem('validation', { field: 'codes', message: 'Choose at least one reason from the list.' })
  return known
}

const itemsMax = 40

/**
 * @param checkText checks the comment on a code
 * @throws Problem `validation` if there is no question, or one is not in the list
 */
export function checkQuestions<Code extends string>(
  items: readonly Readonly<{ code: string; text: string }>[],
  listed: Readonly<Record<Code, unknown>>,
  checkText: (code: Code, text: string) => string,
): readonly Readonly<{ code: Code; text: string }>[] {
  const wrong = (message: string) => new Problem('validation', { field: 'items', message })
  const questions = items.map(({ code: typed, text }) => {
    if (!Object.hasOwn(listed, typed)) throw wrong('Choose reasons from the list.')
    const code = typed as Code
    return { code, text: checkText(code, text) }
  })
  if (questions.length === 0 || questions.length > itemsMax)
    throw wrong('Choose at least one question from the list.')
  return questions
}
