/** The last signature: from then on the document stands, with its certificate. */
import type { Agreement, AgreementVersion } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { renderExecuted } from './certificate.ts'
import { daysAfter, passedReminder, retainUntil } from './retention.ts'
import type { Context } from './transition.ts'

/**
 * What the step of the last signature does besides: stores the executed document.
 * @throws Problem `conflict` when its term is over already
 */
export async function execute(
  { calendar }: Pick<Core, 'calendar'>,
  { tx, row, now }: Context,
  version: AgreementVersion,
) {
  const term = termOf(calendar, row, version, now)
  if (term.expiresAt <= now)
    throw new Problem('conflict', { message: 'Its last day has passed. Propose new dates first.' })
  const signatures = await tx.agreementSignature.findMany({
    where: { agreementId: row.id, number: row.number },
    orderBy: { at: 'asc' },
  })
  const executed = await renderExecuted({ row, version, signatures, term, at: now, zone: calendar.zone })
  const { sha256 } = executed
  await tx.agreementExecuted.create({
    data: {
      agreementId: row.id,
      number: row.number,
      documentSha256: version.sha256,
      sha256,
      bytes: Buffer.from(executed.bytes),
      executedAt: now,
    },
    select: { agreementId: true },
  })
  const [effectiveAt, expiresAt] = [term.effectiveAt.toISOString(), term.expiresAt.toISOString()]
  return {
    data: {
      executedAt: now,
      ...term,
      endsAt: term.expiresAt,
      remindedDays: passedReminder(term.expiresAt, now),
      retainUntil: retainUntil(term.expiresAt),
      openForId: null,
    },
    detail: { sha256, documentSha256: version.sha256 },
    emails: () => ({ 'agreement-executed': { sha256, effectiveAt, expiresAt } }),
  }
}

function termOf(
  calendar: Core['calendar'],
  row: Agreement,
  version: AgreementVersion,
  now: Date,
): Readonly<{ effectiveAt: Date; expiresAt: Date }> {
  if (row.kind === 'usage_agreement')
    return { effectiveAt: now, expiresAt: daysAfter(now, agreementTimes.usageAgreementDays) }
  const fields = version.fields as { effectiveOn: string; expiresOn: string }
  const begins = new Date(calendar.endOf(addDays(fields.effectiveOn, -1)).getTime() + 1_000)
  return {
    effectiveAt: begins > now ? begins : now,
    expiresAt: new Date(calendar.endOf(fields.expiresOn).getTime() + 1_000),
  }
}
