/** The workflow of production keys: how the engine reads, locks and updates them, and who gets their emails. */
import type { MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type ProductionKeyRecipients,
  type ProductionKeyTransition,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { findMakerOrOwners } from '../organizations/membership.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { findStaff } from '../review-clocks/escalation.ts'
import { findConflict } from '../review-queue/assignee.ts'
import type { EmailContent } from '../workflow/engine.ts'
import * as engine from '../workflow/engine.ts'
import { type ContentOf, type EffectsOf, stepsOf, type TargetOf } from '../workflow/work.ts'
import { findParty, type Party, processParty } from './facts.ts'
import { moveClock } from './review-clock.ts'

export type Initiator = engine.Initiator
export type RequestTarget = TargetOf<'requestId'>
export type Data = Prisma.ProductionKeyRequestUncheckedUpdateManyInput
export type Context = engine.TransitionContext<ProductionKeyRequest, Party>

type Types = {
  tableRow: (typeof productionKeyWorkflow.rows)[number]
  subject: ProductionKeyRequest
  party: Party
  data: Data
  about: keyof About
}
export type Effects<Event> = EffectsOf<Types, Event>
export type Content<Name extends MailName> = ContentOf<Types, Name>

export const productionKeys: engine.Noun<ProductionKeyRequest, Party, Data> = {
  kind: 'production_key_request',
  audit: 'production_key',
  rows: productionKeyWorkflow.rows satisfies readonly ProductionKeyTransition[],
  next: productionKeyWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.production_key_request WHERE id = ${id}::uuid FOR UPDATE`
    return tx.productionKeyRequest.findUnique({ where: { id } })
  },
  update: (tx, id, data) => tx.productionKeyRequest.update({ where: { id }, data }),
  findParty,
  processParty,
  findConflict,
  mfaFirst: false,
  moveClock: ({ calendar }, { row, now }, effect) =>
    moveClock(row, effect as ProductionKeyTransition['clock'], calendar, now),
  auditDetail: (_, { detail, ...step }) => ({ ...step, ...detail }),
  practiceId: ({ practiceId }) => practiceId,
  write: writeEmails,
}

export const { begin, transition, transitionIn } = stepsOf<Types, 'requestId'>(productionKeys, 'requestId')

export function lock(tx: Prisma.TransactionClient, requestId: string): Promise<ProductionKeyRequest> {
  return engine.lock(productionKeys, tx, requestId)
}

// The recipients of emails about a production key, and the props that all these emails have.

type Reader = Readonly<{ name: string; email: string }>

type About = Pick<
  MailProps<'sponsor-declined'>,
  | 'name'
  | 'side'
  | 'keyName'
  | 'organizationName'
  | 'organizationSlug'
  | 'practiceName'
  | 'level'
  | 'requestId'
>

/** The emails of one template, one for each recipient that the table names. */
export async function writeEmails(
  _: unknown,
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  { template, recipients, content }: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const { links, ...extra } = content
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: row.organizationId } })
  const practice = row.practiceId
    ? await tx.practice.findUniqueOrThrow({ where: { id: row.practiceId } })
    : null
  const commonProps = {
    // A draft can be withdrawn before it has a name.
    keyName: row.name || 'A key without a name',
    organizationName: organization.name,
    practiceName: practice?.name ?? row.practiceSlug,
    requestId: row.id,
  }
  const { slug: organizationSlug } = organization
  const { level } = row
  const emailTo = (reader: Reader, ownProps: object) =>
    ({
      template,
      to: reader.email,
      props: { name: reader.name, ...commonProps, ...ownProps, ...extra },
      ...(links ? { links } : {}),
    }) as unknown as EnqueuedMail
  if (recipients === 'ops') return (await findStaff(tx, 'ops')).map((reader) => emailTo(reader, {}))
  const [developers, admins] = await findRecipients(tx, row, recipients as ProductionKeyRecipients)
  return [
    ...developers.map((reader) => emailTo(reader, { side: 'developer', organizationSlug, level })),
    ...admins.map((reader) => emailTo(reader, { side: 'practice', organizationSlug, level })),
  ]
}

/** @returns developers (the requester, or the owners if the requester has left) and admins of the practice */
async function findRecipients(
  tx: Prisma.TransactionClient,
  row: ProductionKeyRequest,
  recipients: ProductionKeyRecipients,
): Promise<readonly [readonly Reader[], readonly Reader[]]> {
  const { organizationId, requestedById, practiceId, submittedAt } = row
  if (recipients === 'requester')
    return [[await tx.account.findUniqueOrThrow({ where: { id: requestedById } })], []]
  const developers = () => findMakerOrOwners(tx, { organizationId, createdById: requestedById })
  const admins = () => findPracticePeople(tx, practiceId, ['admin'])
  if (recipients === 'developers') return [await developers(), []]
  if (recipients === 'practice') return [[], await admins()]
  return [await developers(), recipients === 'involved' && submittedAt === null ? [] : await admins()]
}
