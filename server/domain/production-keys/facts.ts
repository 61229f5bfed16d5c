/** The four things that a production key stands on, by name, as they are at one moment. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { type ProductionFact, productionFacts } from '../../contract/workflows/production-key-review.ts'
import type { ProductionKeyParty } from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { DocumentsInForce } from '../agreements/agreement-types.ts'
import { inForce } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'

type Sponsorship = Readonly<{ accountId: string; name: string; confirmedAt: Date }>
export type Facts = DocumentsInForce & Readonly<{ sponsorship: Sponsorship | null }>

type Whose = Pick<
  ProductionKeyRequest,
  | 'organizationId'
  | 'practiceId'
  | 'level'
  | 'dataClasses'
  | 'purposes'
  | 'sponsorId'
  | 'sponsoredAt'
  | 'sponsorEndedAt'
>

export async function readFacts(core: Core, tx: Prisma.TransactionClient, row: Whose, now: Date) {
  const { organizationId, practiceId, level, dataClasses, purposes } = row
  const documents = await inForce(core, tx, {
    organizationId,
    practiceId,
    level,
    dataClasses,
    purposes,
    now,
  })
  return { ...documents, sponsorship: await findSponsorship(tx, row) }
}

/** A person who confirmed it, has not ended it, and is an admin of the practice still. */
async function findSponsorship(
  tx: Prisma.TransactionClient,
  { practiceId, sponsorId, sponsoredAt, sponsorEndedAt }: Whose,
): Promise<Sponsorship | null> {
  if (practiceId === null || sponsorId === null || sponsoredAt === null || sponsorEndedAt !== null)
    return null
  const membership = await tx.practiceMembership.findFirst({
    where: { practiceId, accountId: sponsorId, role: 'admin', account: { disabledAt: null } },
    select: { account: { select: { name: true } } },
  })
  return membership && { accountId: sponsorId, name: membership.account.name, confirmedAt: sponsoredAt }
}

export function missingFacts(facts: Facts): readonly ProductionFact[] {
  return (Object.keys(productionFacts) as ProductionFact[]).filter((fact) => facts[fact] === null)
}

/**
 * @param wanted all four by default
 * @throws Problem `conflict`, naming what is not in force
 */
export function requireFacts(facts: Facts, wanted?: readonly ProductionFact[]): void {
  const missing = missingFacts(facts)
    .filter((fact) => wanted === undefined || wanted.includes(fact))
    .map((fact) => productionFacts[fact])
  if (missing.length > 0)
    throw new Problem('conflict', { message: `Not currently in force: ${missing.join(', ')}.` })
}

/** @throws Problem `conflict` when the practice is stopped */
export async function requireActivePractice(tx: Prisma.TransactionClient, practiceId: string | null) {
  const practice = practiceId === null ? null : await tx.practice.findUnique({ where: { id: practiceId } })
  if (practice?.state !== 'active') throw new Problem('conflict', { message: 'The practice is stopped.' })
}

/** Until when the documents hold: the statement that serves a request compares it. */
export function agreementsValidUntil({ usageAgreement, baa }: DocumentsInForce): Date | null {
  const ends = [usageAgreement, baa].flatMap((each) => (each ? [each.expiresAt.getTime()] : []))
  return ends.length < 2 ? null : new Date(Math.min(...ends))
}

// Who acts on a production request, in the words of its workflow.

export type Party = Readonly<{
  kind: ProductionKeyParty
  accountId: string | null
  name: string
  email: string
}>

type PartiesOf = Pick<ProductionKeyRequest, 'organizationId' | 'practiceId' | 'submittedAt'>

/** A job or a tick, or the documents telling of a step of theirs. */
export function processParty(kind: 'system' | 'documents'): Party {
  return { kind, accountId: null, name: 'Sandpiper', email: '' }
}

/**
 * A practice sees a request from its submission on.
 * @throws Problem `not_found` for everybody who is neither of the organization, nor of the practice, nor of the staff
 */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId, submittedAt }: PartiesOf,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = await db.account.findUnique({ where: { id: rowId(accountId) } })
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { name, email } = account
  const person = { accountId, name, email }
  if (account.realm === 'staff' && account.staffRole) return { kind: account.staffRole, ...person }
  if (account.realm === 'practice' && practiceId !== null && submittedAt !== null) {
    const kind = await findPracticeParty(db, { practiceId, accountId })
    if (kind) return { kind, ...person }
  }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, ...person }
}

async function findPracticeParty(
  db: Prisma.TransactionClient,
  where: { practiceId: string; accountId: string },
): Promise<'sponsor' | 'signatory' | 'clinician' | null> {
  const roles = (await db.practiceMembership.findMany({ where, select: { role: true } })).map(
    ({ role }) => role,
  )
  if (roles.includes('admin')) return 'sponsor'
  if (roles.includes('signatory')) return 'signatory'
  return roles.includes('clinician') ? 'clinician' : null
}

/** Why a reviewer may not have to do with a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  {
    organizationId,
    practiceId,
    excludedIds,
  }: Pick<ProductionKeyRequest, 'organizationId' | 'practiceId' | 'excludedIds'>,
  { accountId, email }: Pick<Party, 'accountId' | 'email'>,
): Promise<string | null> {
  if (accountId !== null && excludedIds.includes(accountId))
    return 'You decided on this before the appeal, so a colleague must decide now.'
  if ((await db.membership.count({ where: { organizationId, account: { email } } })) > 0)
    return 'You belong to this organization, so a colleague must decide.'
  const own =
    practiceId === null ? 0 : await db.practiceMembership.count({ where: { practiceId, account: { email } } })
  return own > 0 ? 'You work at this practice, so a colleague must decide.' : null
}
