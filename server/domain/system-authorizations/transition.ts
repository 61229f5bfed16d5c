/** The workflow of system authorizations: how the engine reads, locks and updates them, and who gets their emails. */
import type { MailName } from '../../../emails/registry.ts'
import type { PracticeSystemAuthorization, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  type SystemAuthorizationRecipients,
  type SystemAuthorizationTransition,
  systemAuthorizationWorkflow,
} from '../../contract/workflows/system-authorization-workflow.ts'
import type { PortalActor } from '../../contract/workflows/workflows.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Actor } from '../actor.ts'
import { findPerson, findRole } from '../organizations/membership.ts'
import { findHighestRole } from '../practices/practice-role.ts'
import type * as engine from '../workflow/engine.ts'
import type { EmailContent } from '../workflow/engine.ts'
import { stepsOf } from '../workflow/work.ts'

type Subject = PracticeSystemAuthorization & Readonly<{ organizationId: string | null }>
type Data = Prisma.PracticeSystemAuthorizationUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof systemAuthorizationWorkflow.rows)[number]
  subject: Subject
  party: Party
  data: Data
  about: About
}

export const ofClient = { client: { select: { organizationId: true } } } as const

export const systemAuthorizations: engine.Noun<Subject, Party, Data> = {
  kind: 'system_authorization',
  audit: 'system_authorization',
  rows: systemAuthorizationWorkflow.rows satisfies readonly SystemAuthorizationTransition[],
  next: systemAuthorizationWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.practice_system_authorization WHERE id = ${id}::uuid FOR UPDATE`
    const row = await tx.practiceSystemAuthorization.findUnique({ where: { id }, include: ofClient })
    return row && toSubject(row)
  },
  update: async (tx, id, { updatedAt: _, ...data }: Data & { updatedAt?: unknown }) =>
    toSubject(await tx.practiceSystemAuthorization.update({ where: { id }, data, include: ofClient })),
  findParty,
  processParty: () => system,
  findConflict: async () => null,
  mfaFirst: true,
  moveClock: () => ({}),
  auditDetail: ({ clientId, scope, reason }, { from, to }) => ({ from, to, clientId, scope, reason }),
  practiceId: ({ practiceId }) => practiceId,
  write: writeEmails,
}

export const { begin, transitionIn } = stepsOf<Types, 'id'>(systemAuthorizations, 'id')

export async function make(
  tx: Prisma.TransactionClient,
  data: Prisma.PracticeSystemAuthorizationUncheckedCreateInput,
): Promise<Subject> {
  return toSubject(await tx.practiceSystemAuthorization.create({ data, include: ofClient }))
}

export function toSubject({
  client,
  ...row
}: PracticeSystemAuthorization & { client: { organizationId: string | null } }): Subject {
  return { ...row, organizationId: client.organizationId }
}

// The recipients of emails about system authorizations, and the props that all these emails have.

type About = 'name' | 'appName' | 'organizationName' | 'practiceName' | 'requestId'

type Pair = Readonly<{ id: string; clientId: string; practiceId: string }>

/** Writes one template's email to each of the recipients that the table names. */
async function writeEmails(
  _: unknown,
  tx: Prisma.TransactionClient,
  row: Pair,
  { template, recipients, content }: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const [client, practice] = await Promise.all([
    tx.client.findUniqueOrThrow({
      where: { id: row.clientId },
      select: { name: true, organization: { select: { name: true } } },
    }),
    tx.practice.findUniqueOrThrow({ where: { id: row.practiceId }, select: { name: true } }),
  ])
  const about = {
    appName: client.name,
    organizationName: client.organization?.name ?? 'Sandpiper',
    practiceName: practice.name,
    requestId: row.id,
  }
  const readers = await findReaders(tx, row, recipients as SystemAuthorizationRecipients)
  return readers.map(
    ({ account: { name, email: to } }) =>
      ({ template, to, props: { name, ...about, ...content } }) as EnqueuedMail,
  )
}

function findReaders(
  tx: Prisma.TransactionClient,
  { practiceId, clientId }: Pair,
  recipients: SystemAuthorizationRecipients,
) {
  const select = { account: { select: { name: true, email: true } } } as const
  const orderBy = { accountId: 'asc' } as const
  const account = { disabledAt: null }
  if (recipients === 'practice_admins')
    return tx.practiceMembership.findMany({ where: { practiceId, role: 'admin', account }, select, orderBy })
  const organization = { clients: { some: { id: clientId } } }
  return tx.membership.findMany({
    where: { role: { in: ['owner', 'admin'] }, account, organization },
    select,
    orderBy,
  })
}

// The parties of a system authorization.

type Party = Readonly<{ kind: PortalActor; accountId: string | null }>

const system: Party = { kind: 'system', accountId: null }

/** @throws Problem `not_found` unless the actor belongs to the organization, the practice or our staff */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Readonly<{ organizationId: string | null; practiceId: string }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const { realm, staffRole } = await findPerson(db, accountId)
  if (staffRole) return { kind: staffRole, accountId }
  if (realm === 'practice') {
    const kind = await findHighestRole(db, { practiceId, accountId })
    if (kind) return { kind: `practice_${kind}`, accountId }
  }
  const isDeveloper = realm === 'developer' && organizationId !== null
  const role = isDeveloper ? await findRole(db, { organizationId, accountId }) : null
  if (!role) throw new Problem('not_found')
  return { kind: role, accountId }
}
