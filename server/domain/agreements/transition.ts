/** The workflow of agreements: how the engine reads, locks and updates them, and who gets their emails. */

import type { MailName } from '../../../emails/registry.ts'
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import {
  type AgreementChange,
  type AgreementEventName,
  type AgreementRecipients,
  type AgreementTransition,
  agreementWorkflow,
} from '../../contract/workflows/agreement-workflow.ts'
import {
  type AgreementKind,
  agreementKinds,
  type SigningSide,
  sidesOf,
} from '../../contract/workflows/agreements.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMembers } from '../organizations/membership.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import type { EmailContent } from '../workflow/engine.ts'
import * as engine from '../workflow/engine.ts'
import { stepsOf } from '../workflow/work.ts'
import type { AgreementTarget } from './agreement-types.ts'
import { type AgreementParty, findAgreementParty, maySign, systemParty } from './parties.ts'

type Data = Prisma.AgreementUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof agreementWorkflow.rows)[number]
  subject: Agreement
  party: AgreementParty
  data: Data
  about: About
}
export type StepContext = engine.TransitionContext<Agreement, AgreementParty>
export type Initiator = engine.Initiator<AgreementParty>

export const agreementKind = 'agreement'
const rows: readonly AgreementTransition[] = agreementWorkflow.rows

export const agreements: engine.Noun<Agreement, AgreementParty, Data> = {
  kind: agreementKind,
  audit: 'agreement',
  rows,
  next: agreementWorkflow.next as (from: string | null, event: string, actor: string) => string,
  lock: findLocked,
  update: (tx, id, { updatedAt: _, ...data }: Data & { updatedAt?: unknown }) =>
    tx.agreement.update({ where: { id }, data }),
  findParty: findAgreementParty,
  processParty: () => systemParty,
  findConflict: async () => null,
  mfaFirst: false,
  moveClock: (_, { now }, effect) => (effect === 'restart' ? { activeAt: now, reminders: 0 } : {}),
  auditDetail: ({ kind, number }, { from, to, detail }) => ({ kind, from, to, number, ...detail }),
  practiceId: ({ practiceId }) => practiceId,
  write: (_core, tx, row, email) => writeEmails(tx, row, email),
  tell,
  // Documents are rendered inside the transaction.
  patience: { maxWait: 10_000, timeout: 30_000 },
}

export const { begin, transition, transitionIn } = stepsOf<Types, 'agreementId'>(agreements, 'agreementId')

async function findLocked(tx: Prisma.TransactionClient, id: string): Promise<Agreement | null> {
  await tx.$queryRaw`SELECT 1 FROM portal.agreement WHERE id = ${id}::uuid FOR UPDATE`
  return tx.agreement.findUnique({ where: { id } })
}

/** Tells listeners about the changes that the table names, so that requests can follow. */
async function tell(
  core: Core,
  tx: Prisma.TransactionClient,
  { row, event, from, party, actor, text, now }: engine.Made<Agreement>,
): Promise<void> {
  const change = rows.find((row) => row.from === from && row.event === event)?.tells
  if (change === undefined) return
  for (const listener of core.agreementListeners)
    await listener(core, tx, {
      agreementId: row.id,
      kind: row.kind as AgreementKind,
      requestId: row.requestId,
      organizationId: row.organizationId,
      practiceId: row.practiceId,
      change: change as AgreementChange,
      ...(party.side ? { side: party.side as SigningSide } : {}),
      by: actor,
      ...(text ? { reason: text } : {}),
      now,
    })
}

export function transact<T>(
  core: Pick<Core, 'prisma'>,
  work: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  return engine.transact(core, work, agreements.patience)
}

/**
 * Locks an agreement for a caller that reads it before it makes its step.
 * @param actor null for a job or a tick
 * @throws Problem `not_found` for people who are not party to it
 */
export async function lock<Who extends Actor | null>(
  { clock }: Pick<Core, 'clock'>,
  tx: Prisma.TransactionClient,
  { agreementId }: Pick<AgreementTarget, 'agreementId'>,
  actor: Who,
): Promise<StepContext & Readonly<{ actor: Who }>> {
  const row = await engine.lock({ lock: findLocked }, tx, agreementId)
  const party = actor ? await findAgreementParty(tx, row, actor) : systemParty
  return { tx, row, party, actor, now: clock() }
}

/** Whether an earlier request with the same form made the step. @throws Problem `conflict` if its key was used otherwise */
export function wasDone(
  { tx, row, party }: StepContext,
  { idempotencyKey = null }: AgreementTarget,
  events: readonly AgreementEventName[],
): Promise<boolean> {
  return engine.wasDone({ kind: agreementKind }, tx, {
    target: { id: row.id, idempotencyKey },
    events,
    party,
  })
}

// The recipients of emails about an agreement, and the props that all these emails have.

type About = 'name' | 'documentName' | 'organizationName' | 'practiceName' | 'page' | 'agreementId'

type Reader = Readonly<{ id: string; name: string; email: string }>
const readerFields = { id: true, name: true, email: true } as const

/** The emails of one template, one for each recipient that the table names. */
export async function writeEmails(
  tx: Prisma.TransactionClient,
  row: Agreement,
  { template, recipients, content }: { template: MailName; recipients: string; content: EmailContent },
): Promise<readonly EnqueuedMail[]> {
  const { organization, practice } = await tx.agreement.findUniqueOrThrow({
    where: { id: row.id },
    select: { organization: { select: { slug: true, name: true } }, practice: { select: { name: true } } },
  })
  const about = {
    documentName: agreementKinds[row.kind as AgreementKind],
    organizationName: organization.name,
    practiceName: practice?.name ?? null,
    agreementId: row.id,
  }
  const pages: Readonly<Record<SigningSide, string>> = {
    service: '/staff/agreements',
    practice: `/practice/agreements/${row.id}`,
    developer: `/organizations/${organization.slug}/agreements/${row.id}`,
  }
  const { bySide, ...sharedProps } = content as { bySide?: (side: SigningSide) => object }
  const written = new Map<string, EnqueuedMail>()
  for (const side of await findSides(tx, row, recipients as AgreementRecipients))
    for (const { id, name, email } of await findReaders(tx, row, side, recipients as AgreementRecipients)) {
      const props = { name, ...about, page: pages[side], ...sharedProps, ...bySide?.(side) }
      if (!written.has(id)) written.set(id, { template, to: email, props } as unknown as EnqueuedMail)
    }
  return [...written.values()]
}

async function findSides(
  tx: Prisma.TransactionClient,
  row: Agreement,
  recipients: AgreementRecipients,
): Promise<readonly SigningSide[]> {
  const all: readonly SigningSide[] = sidesOf[row.kind as AgreementKind]
  if (recipients === 'sides_and_ops') return all
  if (recipients !== 'unsigned') return all.filter((side) => side !== 'service')
  const signed = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    select: { side: true },
  })
  return all.filter((side) => !signed.some((signature) => signature.side === side))
}

async function findReaders(
  tx: Prisma.TransactionClient,
  row: Agreement,
  side: SigningSide,
  recipients: AgreementRecipients,
): Promise<readonly Reader[]> {
  if (side === 'service')
    return tx.account.findMany({
      where: { realm: 'staff', staffRole: 'ops', disabledAt: null },
      select: readerFields,
      orderBy: { id: 'asc' },
    })
  const signatory = await tx.agreementSignatory.findUnique({
    where: { agreementId_side: { agreementId: row.id, side } },
  })
  // People who left the side get no more email about its documents.
  const mayRead = signatory !== null && (await maySign(tx, row, signatory))
  const signer = await tx.account.findMany({
    where: { id: { in: mayRead && signatory.accountId ? [signatory.accountId] : [] } },
    select: readerFields,
  })
  const onlySigners = recipients === 'signers' || recipients === 'unsigned'
  if (onlySigners && signer.length > 0) return signer
  return [...signer, ...(await findOwnersOrAdmins(tx, row, side))]
}

/** The owners of the organization, or the admins of the practice. */
function findOwnersOrAdmins(
  tx: Prisma.TransactionClient,
  { organizationId, practiceId }: Agreement,
  side: 'developer' | 'practice',
): Promise<readonly Reader[]> {
  return side === 'developer'
    ? findMembers(tx, organizationId, ['owner'])
    : findPracticePeople(tx, practiceId, ['admin'])
}
