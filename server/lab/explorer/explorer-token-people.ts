/**
 * The people for whom the explorer obtains tokens, and our two apps that it uses for this. A token always
 * is of a person at the practice; these accounts are made for that, and nobody can sign in to them.
 */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { nobodysPassword } from '../../auth/password.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'

export type ExplorerPerson = Readonly<{ kind: 'patient' | 'clinician'; id: string }>

export const personTypes = { patient: 'Patient', clinician: 'Practitioner' } as const satisfies Record<
  ExplorerPerson['kind'],
  FhirType
>

/** What an explorer token of each kind may ever hold. */
export const explorerClients = {
  patient: { id: 'sandpiper-explorer-patient', name: 'Explorer, as a patient', scope: 'patient/*.rs' },
  clinician: { id: 'sandpiper-explorer-clinician', name: 'Explorer, as a clinician', scope: 'user/*.rs' },
} as const

/** The app, made when it is first needed. It has no redirect address, so nobody can be sent to agree to it. */
export async function ensureExplorerClient(
  tx: Prisma.TransactionClient,
  kind: ExplorerPerson['kind'],
  now: Date,
): Promise<void> {
  const { id, name, scope } = explorerClients[kind]
  await tx.client.createMany({
    data: {
      id,
      appId: randomUUID(),
      environment: 'sandbox',
      audience: kind,
      authentication: 'none',
      name,
      description: 'The explorer of the portal. It stores its tokens on the server.',
      redirectUris: [],
      scope,
      everyPractice: true,
      createdAt: now,
    },
    skipDuplicates: true,
  })
}

/** The account that stands for a person of a practice, and what ties it to that person there. */
export async function ensureExplorerAccount(
  tx: Prisma.TransactionClient,
  { practice, person, now }: { practice: { id: string; slug: string }; person: ExplorerPerson; now: Date },
): Promise<string> {
  const email = `${person.id.toLowerCase()}@explorer.${practice.slug}.example`
  const who = { realm: person.kind === 'patient' ? 'patient' : 'practice', email } as const
  const { id: accountId } = await tx.account.upsert({
    where: { realm_email: who },
    create: { ...who, name: `Explorer as ${person.id}`, passwordHash: nobodysPassword, createdAt: now },
    update: {},
    select: { id: true },
  })
  const tie = { practiceId: practice.id, accountId, createdAt: now }
  if (person.kind === 'patient')
    await tx.patientLogin.createMany({
      data: { ...tie, patientId: person.id, relationship: 'self' },
      skipDuplicates: true,
    })
  else
    await tx.practiceMembership.createMany({
      data: { ...tie, role: 'clinician', practitionerId: person.id },
      skipDuplicates: true,
    })
  return accountId
}
