/** The last signature: from then on the document stands, with its certificate, and takes the place of what it replaces. */
import type { Agreement, AgreementVersion } from '../../../prisma/generated/client/client.ts'
import { type AgreementKind, agreementTimes, sidesOf } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { ToldMail } from './agreement-mails.ts'
import { systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementCase, AgreementWork } from './agreement-walk.ts'
import { renderExecuted } from './certificate.ts'
import { dayMs } from './offers.ts'
import { passedReminder, retainUntil } from './retention.ts'

type Term = Readonly<{ effectiveAt: Date; expiresAt: Date }>

export function createExecution({ walk, calendar }: AgreementRooms) {
  /**
   * What the step of the last signature does besides: stores the executed document.
   * @throws Problem `conflict` when its term is over already
   */
  async function execute(of: AgreementCase, version: AgreementVersion): Promise<AgreementWork> {
    const { tx, row, now } = of
    const term = termOf(row, version)(now)
    if (term.expiresAt <= now)
      throw new Problem('conflict', { message: 'Its last day is over. Propose new dates first.' })
    const signatures = await tx.agreementSignature.findMany({
      where: { agreementId: row.id, number: row.number },
      orderBy: { at: 'asc' },
    })
    const executed = await renderExecuted({ row, version, signatures, term, at: now, zone: calendar.zone })
    await tx.agreementExecuted.create({
      data: {
        agreementId: row.id,
        number: row.number,
        documentSha256: version.sha256,
        sha256: executed.sha256,
        bytes: Buffer.from(executed.bytes),
        executedAt: now,
      },
      select: { agreementId: true },
    })
    const props = {
      sha256: executed.sha256,
      effectiveAt: term.effectiveAt.toISOString(),
      expiresAt: term.expiresAt.toISOString(),
    }
    const sides = sidesOf[row.kind as AgreementKind].filter((side) => side !== 'service')
    return {
      data: {
        executedAt: now,
        ...term,
        endsAt: term.expiresAt,
        remindedDays: passedReminder(term.expiresAt, now),
        retainUntil: retainUntil(term.expiresAt),
        openForId: null,
      },
      detail: { sha256: executed.sha256, documentSha256: version.sha256 },
      change: 'executed',
      mails: sides.map((side): ToldMail => ({ template: 'agreement-executed', to: 'side', side, props })),
    }
  }

  /** After the step: what it replaces is superseded, if it was still in force. */
  async function supersede({ tx, row, now }: AgreementCase): Promise<void> {
    if (row.replacesId === null) return
    await walk.lockedIn(tx, { agreementId: row.replacesId }, { actor: null, now }, async (of) => {
      if (of.row.state !== 'amended') return
      await walk.advance({ ...of, party: systemParty }, 'supersede', () => ({
        data: { endsAt: now, endedAt: now, retainUntil: retainUntil(now), endReason: 'Replaced.' },
        detail: { by: row.id },
        change: 'superseded',
      }))
    })
  }

  function termOf(row: Agreement, version: AgreementVersion): (now: Date) => Term {
    if (row.kind === 'usage_agreement')
      return (now) => ({
        effectiveAt: now,
        expiresAt: new Date(now.getTime() + agreementTimes.usageAgreementDays * dayMs),
      })
    const fields = version.fields as { effectiveOn: string; expiresOn: string }
    const begins = new Date(calendar.endOf(addDays(fields.effectiveOn, -1)).getTime() + 1_000)
    return (now) => ({
      effectiveAt: begins > now ? begins : now,
      expiresAt: new Date(calendar.endOf(fields.expiresOn).getTime() + 1_000),
    })
  }

  return { execute, supersede }
}

export type Execution = ReturnType<typeof createExecution>
