/** The parties of an agreement's workflow, and the signatories of its sides. */
import type { Agreement, AgreementSignatory, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { SigningSide } from '../../contract/workflows/agreements.ts'
import type { PortalActor } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import { findMembers, findPerson, findRole } from '../organizations/membership.ts'
import { findHighestRole, findPracticePeople } from '../practices/practice-role.ts'
import type { Signatory } from './agreement-types.ts'

export type AgreementParty = Readonly<{
  kind: PortalActor
  side: SigningSide | null
  accountId: string | null
  realm: 'developer' | 'staff' | 'practice' | null
}>

export const systemParty: AgreementParty = { kind: 'system', side: null, accountId: null, realm: null }

/** @throws Problem `not_found` unless the actor belongs to a side or to our staff */
export async function findAgreementParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Pick<Agreement, 'organizationId' | 'practiceId'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<AgreementParty> {
  const { realm, staffRole } = await findPerson(db, accountId)
  if (staffRole) return { kind: staffRole, side: 'service', accountId, realm: 'staff' }
  if (realm === 'practice' && practiceId !== null) {
    const kind = await findHighestRole(db, { practiceId, accountId })
    if (kind) return { kind: `practice_${kind}`, side: 'practice', accountId, realm: 'practice' }
  }
  const role = realm === 'developer' ? await findRole(db, { organizationId, accountId }) : null
  if (!role) throw new Problem('not_found')
  return { kind: role, side: 'developer', accountId, realm: 'developer' }
}

// Owners may sign for the organization; admins and signatories for the practice.

type Parties = { organizationId: string; practiceId: string | null }

/** @throws Problem `conflict` if the person may not sign for the side */
export async function checkSignatory(
  tx: Prisma.TransactionClient,
  parties: Parties,
  { side, accountId, legalName }: Signatory,
): Promise<void> {
  if (!(await maySign(tx, parties, { side, accountId })))
    throw new Problem('conflict', {
      field: `${side}Signatory`,
      message: `${legalName} may not sign for the ${side}. The signatory must be an owner of the organization, or an admin or signatory of the practice.`,
    })
}

/** Whether a named signatory may still sign for the side. */
export async function maySign(
  db: Prisma.TransactionClient,
  parties: Parties,
  { side, accountId }: Pick<AgreementSignatory, 'side' | 'accountId'>,
): Promise<boolean> {
  if ((side !== 'developer' && side !== 'practice') || accountId === null) return false
  return (await findSigners(db, parties, side)).some((signer) => signer.accountId === accountId)
}

/** The people who may be named as a side's signatory. */
export async function findSigners(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Parties,
  side: 'developer' | 'practice',
): Promise<readonly { accountId: string; name: string }[]> {
  const people =
    side === 'developer'
      ? await findMembers(db, organizationId, ['owner'])
      : await findPracticePeople(db, practiceId, ['admin', 'signatory'])
  return people.map(({ id: accountId, name }) => ({ accountId, name }))
}
