/** The workflow of registrations: how the engine reads, locks and updates them, and who gets their emails. */

import type { MailName } from '../../../emails/registry.ts'
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import {
  type RegistrationClockEffects,
  type RegistrationKind,
  type RegistrationRecipients,
  type RegistrationTransition,
  registrationKinds,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import {
  findMakerOrOwners,
  findMembers,
  findOrganizationParty,
  type OrganizationParty,
  systemParty,
} from '../organizations/membership.ts'
import { findStaff } from '../review-clocks/escalation.ts'
import { findConflict } from '../review-queue/assignee.ts'
import type * as engine from '../workflow/engine.ts'
import type { EmailContent } from '../workflow/engine.ts'
import { type EffectsOf, stepsOf, type TargetOf } from '../workflow/work.ts'
import { moveClocks } from './clocks.ts'

export type TransitionTarget = TargetOf<'registrationId', Registration>
export type Context = engine.TransitionContext<Registration, OrganizationParty>

type Data = Prisma.RegistrationUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof registrationWorkflow.rows)[number]
  subject: Registration
  party: OrganizationParty
  data: Data
  about: About
}
export type Effects<Event> = EffectsOf<Types, Event>

const listed: readonly RegistrationTransition[] = registrationWorkflow.rows
export const registrationKind = 'registration'

export const noun: engine.Noun<Registration, OrganizationParty, Data> = {
  kind: registrationKind,
  audit: 'registration',
  rows: listed,
  next: registrationWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id, read) {
    const [locked] = await tx.$queryRaw<{ version: number }[]>`
      SELECT version FROM portal.registration WHERE id = ${id}::uuid FOR UPDATE`
    // Every step raises the version: if it is the same, the row has not changed.
    if (read && locked?.version === read.version) return read
    return tx.registration.findUnique({ where: { id } })
  },
  update: (tx, id, data) => tx.registration.update({ where: { id }, data }),
  findParty: findOrganizationParty,
  processParty: () => systemParty,
  findConflict,
  mfaFirst: true,
  async moveClock({ calendar }, context, effect) {
    await moveClocks(calendar, context, effect as RegistrationClockEffects | undefined)
    return {}
  },
  // The audit row leaves out the texts and the evidence that staff wrote.
  auditDetail: (_, { from, to, codes }) => ({ from, to, codes }),
  practiceId: () => null,
  write: writeEmails,
}

export const { begin, transition, transitionIn } = stepsOf<Types, 'registrationId'>(noun, 'registrationId')

// The recipients of emails about a registration, and the props that all these emails have.

type About =
  | 'name'
  | 'appName'
  | 'kindName'
  | 'organizationName'
  | 'organizationSlug'
  | 'practiceName'
  | 'requestId'

type Reader = Readonly<{ name: string; email: string; practiceName?: string }>
type FindReaders = (tx: Prisma.TransactionClient, row: Registration) => Promise<readonly Reader[]>

const readersOf: Readonly<Record<RegistrationRecipients, FindReaders>> = {
  developers: findMakerOrOwners,
  owners: findOwners,
  owners_first: async (tx, row) => {
    const owners = await findOwners(tx, row)
    return owners.length > 0 ? owners : findMakerOrOwners(tx, row)
  },
  practices: findPractices,
  ops_after_last_probe: async (tx, { probeDueAt }) => (probeDueAt === null ? findStaff(tx, 'ops') : []),
}

function findOwners(tx: Prisma.TransactionClient, { organizationId }: Registration) {
  return findMembers(tx, organizationId, ['owner'])
}

/** One row for each admin of each practice that has granted the app access. */
async function findPractices(tx: Prisma.TransactionClient, { productionClientId }: Registration) {
  if (productionClientId === null) return []
  const rows = await tx.practiceMembership.findMany({
    where: {
      role: 'admin',
      account: { disabledAt: null },
      practice: { grants: { some: { clientId: productionClientId, revokedAt: null } } },
    },
    select: { account: { select: { name: true, email: true } }, practice: { select: { name: true } } },
    orderBy: [{ practiceId: 'asc' }, { accountId: 'asc' }],
  })
  return rows.map(({ account, practice }) => ({ ...account, practiceName: practice.name }))
}

export function appNameOf({ name }: Pick<Registration, 'name'>): string {
  return name || 'An app without a name'
}

/** Writes one template's email to each of the recipients that the table names. */
async function writeEmails(
  _: unknown,
  tx: Prisma.TransactionClient,
  row: Registration,
  email: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const recipients = email.recipients as RegistrationRecipients
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: row.organizationId } })
  const areDevelopers = recipients !== 'practices' && recipients !== 'ops_after_last_probe'
  const about = {
    appName: appNameOf(row),
    requestId: row.id,
    ...(areDevelopers
      ? { kindName: registrationKinds[row.kind as RegistrationKind], organizationSlug: organization.slug }
      : { organizationName: organization.name }),
  }
  const readers = await readersOf[recipients](tx, row)
  return readers.map(({ name, email: to, practiceName }) => {
    const reader = practiceName === undefined ? { name } : { name, practiceName }
    return { template: email.template, to, props: { ...reader, ...about, ...email.content } } as EnqueuedMail
  })
}
