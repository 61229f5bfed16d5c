/** Who gets emails about an agreement, and what every one of them says. */
import type { MailName } from '../../../emails/registry.ts'
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import type { AgreementRecipients } from '../../contract/workflows/agreement-workflow.ts'
import {
  type AgreementKind,
  agreementKinds,
  type SigningSide,
  sidesOf,
} from '../../contract/workflows/agreements.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Core } from '../core.ts'
import type { EmailContent } from '../workflow/engine.ts'
import { maySign } from './signing-authority.ts'

/** What all of them say. */
export type About = 'name' | 'documentName' | 'organizationName' | 'practiceName' | 'page' | 'agreementId'

type Reader = Readonly<{ id: string; name: string; email: string }>
const person = { id: true, name: true, email: true } as const

/** The emails of one template, to everybody whom the table names; nobody gets the same twice. */
export async function writeEmails(
  { counterSignature }: Pick<Core, 'counterSignature'>,
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
  const { bySide, ...same } = content as { bySide?: (side: SigningSide) => object }
  const written = new Map<string, EnqueuedMail>()
  for (const side of await findSides(tx, row, recipients as AgreementRecipients, counterSignature))
    for (const { id, name, email } of await findReaders(tx, row, side, recipients as AgreementRecipients)) {
      const props = { name, ...about, page: pages[side], ...same, ...bySide?.(side) }
      if (!written.has(id)) written.set(id, { template, to: email, props } as unknown as EnqueuedMail)
    }
  return [...written.values()]
}

async function findSides(
  tx: Prisma.TransactionClient,
  row: Agreement,
  recipients: AgreementRecipients,
  counterSignature: Core['counterSignature'],
): Promise<readonly SigningSide[]> {
  const all: readonly SigningSide[] = sidesOf[row.kind as AgreementKind]
  if (recipients === 'sides_and_ops') return all
  if (recipients === 'counter_signers')
    return counterSignature === 'staff' ? all.filter((side) => side === 'service') : []
  if (recipients !== 'unsigned') return all.filter((side) => side !== 'service')
  const signed = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    select: { side: true },
  })
  return all.filter((side) => !signed.some((each) => each.side === side))
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
      select: person,
      orderBy: { id: 'asc' },
    })
  const signatory = await tx.agreementSignatory.findUnique({
    where: { agreementId_side: { agreementId: row.id, side } },
  })
  // People who left the side get no more email about its documents.
  const mayRead = signatory !== null && (await maySign(tx, row, signatory))
  const signer = await tx.account.findMany({
    where: { id: { in: mayRead && signatory.accountId ? [signatory.accountId] : [] } },
    select: person,
  })
  const signersAlone = recipients === 'signers' || recipients === 'unsigned'
  if (signersAlone && signer.length > 0) return signer
  return [...signer, ...(await findAnswering(tx, row, side))]
}

/** Owners of the organization, admins of the practice. */
async function findAnswering(
  tx: Prisma.TransactionClient,
  { organizationId, practiceId }: Agreement,
  side: 'developer' | 'practice',
): Promise<readonly Reader[]> {
  const of = {
    where: { account: { disabledAt: null } },
    select: { account: { select: person } },
    orderBy: { accountId: 'asc' },
  } as const
  const found =
    side === 'developer'
      ? await tx.membership.findMany({ ...of, where: { ...of.where, organizationId, role: 'owner' } })
      : await tx.practiceMembership.findMany({
          ...of,
          where: { ...of.where, practiceId: practiceId ?? '', role: 'admin' },
        })
  return found.map(({ account }) => account)
}
