/** The documents of a request: offered when their turn has come, and heard of when something happens to them. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type BaaFields, baaFields, type UsageFields, usageFields } from '../../contract/agreements.ts'
import type { DataClass } from '../../contract/data-classes.ts'
import type { ProductionKeyEventName, ProductionKeyState } from '../../contract/production-key-workflow.ts'
import type { Purpose } from '../../contract/purposes.ts'
import { legalParty } from '../../contract/security-questions.ts'
import type { Actor } from '../actor.ts'
import type { AgreementChanged, AgreementListener, Signatory } from '../agreements/agreement-types.ts'
import { findCorrespondents } from './correspondents.ts'
import type { ProductionRooms } from './rooms.ts'
import type { Suspensions } from './suspensions.ts'
import type { StepWork } from './walk.ts'

const dayMs = 86_400_000
const baaDays = 365

export function createDocuments(
  { clock, walk, agreements, calendar }: ProductionRooms,
  { recheckAllIn }: Pick<Suspensions, 'recheckAllIn'>,
) {
  /** Goes on as far as papers that are signed already carry; offers the next that is missing. */
  async function advance(tx: Prisma.TransactionClient, requestId: string, by: Actor | null): Promise<void> {
    const now = clock()
    let row = await walk.lock(tx, requestId)
    const who = { documents: true, actor: by } as const
    const cover = coverOf(row, now)
    const covering = await agreements.covering(tx, cover)
    if (row.state === 'sponsor_confirmed') {
      if (!covering.usageAgreement || !covering.usagePolicy) {
        await offerUsage(tx, row, now)
        return
      }
      const usageAgreementId = covering.usageAgreement.agreementId
      row = (
        await walk.stepIn(tx, { requestId }, 'agreement_execute', who, () => ({ data: { usageAgreementId } }))
      ).row
    }
    if (row.state !== 'agreement_executed') return
    if (covering.baa) {
      const baaId = covering.baa.agreementId
      await walk.stepIn(tx, { requestId }, 'baa_execute', who, () => ({ data: { baaId } }))
      return
    }
    const offered = await agreements.offer(tx, {
      kind: 'baa',
      organizationId: row.organizationId,
      practiceId: row.practiceId ?? '',
      requestId,
      signatories: [developerOf(row), practiceOf(row)],
      namedBefore: true,
      level: row.level,
      dataClasses: row.dataClasses as DataClass[],
      purposes: row.purposes as Purpose[],
      fields: baaFieldsOf(row, now),
      by: null,
      now,
    })
    await walk.stepIn(tx, { requestId }, 'baa_offer', who, () => ({ data: { baaId: offered.agreementId } }))
  }

  async function offerUsage(
    tx: Prisma.TransactionClient,
    row: ProductionKeyRequest,
    now: Date,
  ): Promise<void> {
    const { agreementId } = await agreements.offer(tx, {
      kind: 'usage_agreement',
      organizationId: row.organizationId,
      practiceId: null,
      requestId: row.id,
      signatories: [developerOf(row)],
      namedBefore: true,
      fields: usageFieldsOf(row),
      // The practice whose yes it follows is no party of it.
      by: null,
      now,
    })
    await tx.productionKeyRequest.update({ where: { id: row.id }, data: { usageAgreementId: agreementId } })
  }

  function baaFieldsOf(row: ProductionKeyRequest, now: Date): BaaFields {
    const [developer, practice] = [legalParty.parse(row.profile), legalParty.parse(row.practiceParty)]
    return baaFields.parse({
      developerLegalName: developer.legalName,
      developerAddress: developer.address,
      developerContactName: developer.contactName,
      developerContactEmail: developer.contactEmail,
      practiceLegalName: practice.legalName,
      practiceAddress: practice.address,
      practiceContactName: practice.contactName,
      practiceContactEmail: practice.contactEmail,
      services: row.justification,
      effectiveOn: calendar.dateOf(now),
      expiresOn: calendar.dateOf(new Date(now.getTime() + baaDays * dayMs)),
    })
  }

  /** Hears of every change of an agreement, inside its transaction. */
  const listen: AgreementListener = async (tx, event) => {
    const who = { documents: true, actor: event.by } as const
    for (const { id } of await waitingFor(tx, event)) await follow(tx, id, event)
    const where = {
      organizationId: event.organizationId,
      ...(event.practiceId ? { practiceId: event.practiceId } : {}),
    }
    await recheckAllIn(tx, where, who)
  }

  /** Requests that have this very document before them. */
  function waitingFor(tx: Prisma.TransactionClient, { kind, agreementId }: AgreementChanged) {
    return tx.productionKeyRequest.findMany({
      where:
        kind === 'usage_agreement'
          ? { usageAgreementId: agreementId, state: { in: ['sponsor_confirmed', 'agreement_signed'] } }
          : { baaId: agreementId, state: { in: ['baa_pending', 'baa_half', 'baa_negotiation', 'stalled'] } },
      select: { id: true },
      orderBy: { id: 'asc' },
    })
  }

  async function follow(
    tx: Prisma.TransactionClient,
    requestId: string,
    event: AgreementChanged,
  ): Promise<void> {
    const row = await walk.lock(tx, requestId)
    const state = row.state as ProductionKeyState
    const step = await findStep(tx, state, event)
    if (step === null) return
    const who = { documents: true, actor: event.by } as const
    await walk.stepIn(tx, { requestId }, step, who, () => workOf(tx, row, step, event))
    if (step === 'agreement_execute') await advance(tx, requestId, event.by)
  }

  async function findStep(
    tx: Prisma.TransactionClient,
    state: ProductionKeyState,
    { kind, change, agreementId, requestId }: AgreementChanged,
  ): Promise<ProductionKeyEventName | null> {
    if (change === 'voided' || change === 'withdrawn') return 'documents_close'
    // What waits for a usage agreement waits for its new version.
    if (change === 'reoffered') return kind === 'baa' ? 'baa_negotiate' : null
    if (kind === 'usage_agreement') {
      if (change === 'signed' && state === 'sponsor_confirmed') return 'agreement_sign'
      return change === 'executed' ? 'agreement_execute' : null
    }
    if (change === 'signed') return state === 'baa_half' ? null : 'baa_sign'
    if (change === 'executed') return 'baa_execute'
    if (change === 'renegotiated') return 'baa_negotiate'
    if (change === 'stalled') return state === 'stalled' ? null : 'stall'
    if (change !== 'resumed' || state !== 'stalled') return null
    const listed = requestId === null ? [] : await agreements.listForRequest(tx, requestId)
    return listed.some(({ id, signed }) => id === agreementId && signed.length > 0) ? 'baa_sign' : 'baa_offer'
  }

  function workOf(
    tx: Prisma.TransactionClient,
    row: ProductionKeyRequest,
    step: ProductionKeyEventName,
    { change, reason, now, side }: AgreementChanged,
  ): StepWork {
    const detail = side ? { side } : {}
    if (step !== 'documents_close') return { ...(reason ? { text: reason } : {}), detail }
    const words = reason ?? (change === 'voided' ? 'A document is void.' : 'A document was withdrawn.')
    return {
      data: { endedAt: now },
      text: words,
      detail,
      mails: async (ended) => {
        const to = await findCorrespondents(tx, { ...row, ...ended })
        return to.toBoth('production-withdrawn', { reason: words })
      },
    }
  }

  return { advance, listen }
}

function coverOf(row: ProductionKeyRequest, now: Date) {
  const { organizationId, practiceId, level, dataClasses, purposes } = row
  return { organizationId, practiceId, level, dataClasses, purposes, now }
}

function developerOf(row: ProductionKeyRequest): Signatory {
  return {
    side: 'developer',
    accountId: row.signatoryId ?? '',
    legalName: row.signatoryName,
    title: row.signatoryTitle,
  }
}

function practiceOf(row: ProductionKeyRequest): Signatory {
  return {
    side: 'practice',
    accountId: row.practiceSignatoryId ?? '',
    legalName: row.practiceSignatoryName,
    title: row.practiceSignatoryTitle,
  }
}

function usageFieldsOf(row: ProductionKeyRequest): UsageFields {
  const { legalName, address, contactName, contactEmail } = legalParty.parse(row.profile)
  return usageFields.parse({
    developerLegalName: legalName,
    developerAddress: address,
    developerContactName: contactName,
    developerContactEmail: contactEmail,
  })
}
