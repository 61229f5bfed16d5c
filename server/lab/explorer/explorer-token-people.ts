/**
 * The people for whom the explorer obtains tokens, and our two apps that it uses for this. A token always
 * is of a person at the practice; these accounts are made for that, and no one can sign in to them.
 */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { nobodysPassword } from '../../auth/password.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import type { Core } from '../../domain/core.ts'
import { explorerGrantSql } from '../../store/liveness.ts'

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

/** The app, made when it is first needed. It has no redirect address, so no one can be sent to agree to it. */
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

const dayMs = 86_400_000
const grantsKeptDays = 30

/**
 * Tick. A token whose session is over has stopped with it: here it is only written down, and the token forgotten.
 * @returns how many grants ended, and how many are forgotten altogether
 */
export async function tidyTokens({ prisma }: Core, now: Date): Promise<{ ended: number; forgotten: number }> {
  const ended = await prisma.$executeRawUnsafe(
    `UPDATE portal."grant" g SET revoked_at = $1::timestamptz, revoke_reason = 'explorer'
       FROM portal.practice p WHERE p.id = g.practice_id AND g.explorer_session_id IS NOT NULL
         AND g.revoked_at IS NULL AND NOT ${explorerGrantSql('$1::timestamptz')}`,
    now,
  )
  await prisma.explorerToken.deleteMany({
    where: { OR: [{ expiresAt: { lte: now } }, { grant: { revokedAt: { not: null } } }] },
  })
  const { count } = await prisma.grant.deleteMany({
    where: {
      clientId: { in: Object.values(explorerClients).map(({ id }) => id) },
      createdAt: { lte: new Date(now.getTime() - grantsKeptDays * dayMs) },
    },
  })
  return { ended, forgotten: count }
}
