/** Whom a request goes to, and what the steps of a review ask of a reviewer, whatever is reviewed. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'

type Reviewable = Readonly<{
  organizationId: string
  /** Those who decided on it before an appeal. */
  excludedIds?: readonly string[]
  practiceId?: string | null
}>

/** Why a person may not decide on a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  { organizationId, excludedIds = [], practiceId = null }: Reviewable,
  { accountId, email }: Readonly<{ accountId: string | null; email: string }>,
): Promise<string | null> {
  if (accountId !== null && excludedIds.includes(accountId))
    return 'You decided on this before the appeal, so a colleague must decide now.'
  if ((await db.membership.count({ where: { organizationId, account: { email } } })) > 0)
    return 'You belong to this organization, so a colleague must decide.'
  const own =
    practiceId === null ? 0 : await db.practiceMembership.count({ where: { practiceId, account: { email } } })
  return own > 0 ? 'You work at this practice, so a colleague must decide.' : null
}

/** After an answer: the reviewer who asked; null if they may no longer decide. */
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

/** As the row holds it. */
export const proposalOf = <Code extends string>(
  { accountId: byId }: Reviewer,
  { party, now }: Readonly<{ party: Readonly<{ name: string }>; now: Date }>,
  said: Readonly<{ codes: readonly Code[]; text: string }>,
) =>
  ({
    byId,
    byName: party.name,
    codes: [...said.codes],
    text: said.text,
    at: now.toISOString(),
  }) satisfies Proposal

/** @throws Problem `validation` without a code, and for one that is not of the list */
export function checkCodes<Code extends string>(codes: readonly string[], listed: readonly Code[]): Code[] {
  const known = listed.filter((code) => codes.includes(code))
  if (known.length === 0 || known.length !== new Set(codes).size)
    throw new Problem('validation', { field: 'codes', message: 'Choose at least one reason from the list.' })
  return known
}

const itemsMax = 40

/**
 * @param checkText of the comment on a code
 * @throws Problem `validation` without a question, and for one that is not of the list
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
