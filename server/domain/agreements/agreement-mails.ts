/** Who is told of what happens to an agreement, and with which words. */
import type { MailProps } from '../../../emails/registry.ts'
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { type AgreementKind, agreementKinds, type SigningSide } from '../../contract/agreements.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Actor } from '../actor.ts'
import { maySign } from './who-may-sign.ts'

type About = Pick<
  MailProps<'agreement-offered'>,
  'name' | 'documentName' | 'organizationName' | 'practiceName' | 'page' | 'agreementId'
>
type Reader = Readonly<{ id: string; name: string; email: string }>

type MailWords = {
  'agreement-offered': Omit<MailProps<'agreement-offered'>, keyof About>
  'agreement-signed': Omit<MailProps<'agreement-signed'>, keyof About>
  'agreement-counter-sign': Omit<MailProps<'agreement-counter-sign'>, keyof About>
  'agreement-executed': Omit<MailProps<'agreement-executed'>, keyof About>
  'agreement-changed': Omit<MailProps<'agreement-changed'>, keyof About>
  'agreement-reminder': Omit<MailProps<'agreement-reminder'>, keyof About>
  'agreement-stalled': Omit<MailProps<'agreement-stalled'>, keyof About>
  'agreement-closed': Omit<MailProps<'agreement-closed'>, keyof About>
  'agreement-expiring': Omit<MailProps<'agreement-expiring'>, keyof About>
  'agreement-notice': Omit<MailProps<'agreement-notice'>, keyof About>
  'agreement-ended': Omit<MailProps<'agreement-ended'>, keyof About>
  'agreement-return-due': Omit<MailProps<'agreement-return-due'>, keyof About>
  'agreement-returned': Omit<MailProps<'agreement-returned'>, keyof About>
}

/** A mail, and to whom: `signer` is who signs for a side, `side` also who answers for it. */
export type ToldMail = {
  [Name in keyof MailWords]: Readonly<{
    template: Name
    to: 'signer' | 'side'
    side: SigningSide
    props: MailWords[Name]
  }>
}[keyof MailWords]

type Dependencies = { mail: Pick<Mail, 'enqueue'> }

export function createAgreementMails({ mail }: Dependencies) {
  /** In the caller's transaction; nobody gets the same mail twice. */
  async function send(
    tx: Prisma.TransactionClient,
    row: Agreement,
    { told, actor }: { told: readonly ToldMail[]; actor: Actor | null; now: Date },
  ): Promise<void> {
    if (told.length === 0) return
    const names = await namesOf(tx, row)
    const reached = new Set<string>()
    for (const each of told) {
      for (const reader of await readersOf(tx, row, each)) {
        const once = `${each.template} ${reader.id}`
        if (reached.has(once)) continue
        reached.add(once)
        const about: About = {
          name: reader.name,
          documentName: agreementKinds[row.kind as AgreementKind],
          organizationName: names.organization.name,
          practiceName: names.practice?.name ?? null,
          page: pageOf(each.side, { slug: names.organization.slug, id: row.id }),
          agreementId: row.id,
        }
        await mail.enqueue(tx, {
          template: each.template,
          to: reader.email,
          props: { ...about, ...each.props },
          threadId: row.id,
          ...(actor ? { correlationId: actor.correlationId } : {}),
        } as never)
      }
    }
  }

  return { send }
}

export type AgreementMails = ReturnType<typeof createAgreementMails>

function pageOf(side: SigningSide, of: { slug: string; id: string }): string {
  if (side === 'service') return '/staff/agreements'
  return side === 'practice'
    ? `/practice/agreements/${of.id}`
    : `/organizations/${of.slug}/agreements/${of.id}`
}

async function namesOf(tx: Prisma.TransactionClient, row: Agreement) {
  const names = await tx.agreement.findUniqueOrThrow({
    where: { id: row.id },
    select: {
      organization: { select: { slug: true, name: true } },
      practice: { select: { name: true } },
    },
  })
  return names
}

async function readersOf(
  tx: Prisma.TransactionClient,
  row: Agreement,
  { to, side }: Pick<ToldMail, 'to' | 'side'>,
): Promise<readonly Reader[]> {
  const select = { id: true, name: true, email: true } as const
  if (side === 'service')
    return tx.account.findMany({
      where: { realm: 'staff', staffRole: 'ops', disabledAt: null },
      select,
      orderBy: { id: 'asc' },
    })
  const signatory = await tx.agreementSignatory.findUnique({
    where: { agreementId_side: { agreementId: row.id, side } },
  })
  // Whoever left the side hears no more of its papers.
  const mayRead = signatory !== null && (await maySign(tx, row, signatory))
  const signer = await tx.account.findMany({
    where: { id: { in: mayRead && signatory.accountId ? [signatory.accountId] : [] } },
    select,
  })
  if (to === 'signer' && signer.length > 0) return signer
  if (side === 'practice' && row.practiceId === null) return signer
  const answering =
    side === 'developer'
      ? await tx.membership.findMany({
          where: { organizationId: row.organizationId, role: 'owner', account: { disabledAt: null } },
          select: { account: { select } },
          orderBy: { accountId: 'asc' },
        })
      : await tx.practiceMembership.findMany({
          where: { practiceId: row.practiceId ?? '', role: 'admin', account: { disabledAt: null } },
          select: { account: { select } },
          orderBy: { accountId: 'asc' },
        })
  return [...signer, ...answering.map(({ account }) => account)]
}
