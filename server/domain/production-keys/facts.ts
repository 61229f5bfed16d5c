/** The four preconditions of a production key, at one moment: two agreements, the usage policy, and the sponsorship. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type ProductionFact, productionFacts } from '../../contract/workflows/production-key-review.ts'
import type { ProductionKeyParty } from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { DocumentsInForce } from '../agreements/agreement-types.ts'
import { inForce } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { findPerson, findRole, type OrganizationParty } from '../organizations/membership.ts'
import { findHighestRole } from '../practices/practice-role.ts'

type Sponsorship = Readonly<{ accountId: string; name: string; confirmedAt: Date }>
export type Facts = DocumentsInForce & Readonly<{ sponsorship: Sponsorship | null }>

type FactSubject = Pick<
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

export async function readFacts(core: Core, tx: Prisma.TransactionClient, row: FactSubject, now: Date) {
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

/** The sponsorship, unless it was ended or its sponsor is no longer an admin of the practice. */
async function findSponsorship(
  tx: Prisma.TransactionClient,
  { practiceId, sponsorId, sponsoredAt, sponsorEndedAt }: FactSubject,
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
 * @param required all four by default
 * @throws Problem `conflict`, naming the preconditions that are not in force
 */
export function requireFacts(facts: Facts, required?: readonly ProductionFact[]): void {
  const missing = missingFacts(facts)
    .filter((fact) => required === undefined || required.includes(fact))
    .map((fact) => productionFacts[fact])
  if (missing.length > 0)
    throw new Problem('conflict', { message: `Not currently in force: ${missing.join(', ')}.` })
}

/** @throws Problem `conflict` when the practice is stopped */
export async function requireActivePractice(tx: Prisma.TransactionClient, practiceId: string | null) {
  const practice = practiceId === null ? null : await tx.practice.findUnique({ where: { id: practiceId } })
  if (practice?.state !== 'active') throw new Problem('conflict', { message: 'The practice is stopped.' })
}

/** The earlier end of the two agreements. The statement that serves a call compares it with the time of the call. */
export function agreementsValidUntil({ usageAgreement, baa }: DocumentsInForce): Date | null {
  const ends = [usageAgreement, baa].flatMap((document) => (document ? [document.expiresAt.getTime()] : []))
  return ends.length < 2 ? null : new Date(Math.min(...ends))
}

// The parties of a production key request.

export type Party = Omit<OrganizationParty, 'kind'> & Readonly<{ kind: ProductionKeyParty }>

type PartiesOf = Pick<ProductionKeyRequest, 'organizationId' | 'practiceId' | 'submittedAt'>

/** The party of a step that a job makes, or that follows from an agreement's own step. */
export function processParty(kind: 'system' | 'documents'): Party {
  return { kind, accountId: null, name: 'Sandpiper', email: '' }
}

/**
 * Finds the actor's party. A practice sees a request once it is submitted.
 * @throws Problem `not_found` unless the actor is a member of the organization or the practice, or of our staff
 */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId, submittedAt }: PartiesOf,
  actor: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const { realm, staffRole, ...person } = await findPerson(db, actor.accountId)
  const { accountId } = person
  if (staffRole) return { kind: staffRole, ...person }
  if (realm === 'practice' && practiceId !== null && submittedAt !== null) {
    const role = await findHighestRole(db, { practiceId, accountId })
    if (role) return { kind: role === 'admin' ? 'sponsor' : role, ...person }
  }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, ...person }
}
