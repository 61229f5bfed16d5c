/** Offers the documents of a request one after the other, and moves the request when a document changes. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type BaaFields, baaFields, type UsageFields, usageFields } from '../../contract/forms/agreements.ts'
import type { DataClass } from '../../contract/keys/data-classes.ts'
import type { Purpose } from '../../contract/rest/purposes.ts'
import type {
  ProductionKeyState,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import { legalParty } from '../../contract/workflows/security-questions.ts'
import type { Actor } from '../actor.ts'
import type { AgreementChanged, Signatory } from '../agreements/agreement-types.ts'
import { covering as findCovering, listForRequest, offer } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { recheckAllIn } from './suspensions.ts'
import { lock, transitionIn } from './transition.ts'

const dayMs = 86_400_000
const baaDays = 365

/** How changes of the documents affect a request. */
type DocumentEvent = Extract<
  (typeof productionKeyWorkflow.rows)[number],
  { actors: readonly ['documents'] }
>['event']

/** Moves the request past every agreement that is in force already, and offers the next one that is missing. */
export async function advance(core: Core, tx: Prisma.TransactionClient, requestId: string, by: Actor | null) {
  const { clock } = core
  const now = clock()
  let row = await lock(tx, requestId)
  const who = { documents: true, actor: by } as const
  const cover = coverOf(row, now)
  const covering = await findCovering(core, tx, cover)
  if (row.state === 'sponsor_confirmed') {
    if (!covering.usageAgreement || !covering.usagePolicy) {
      await offerUsage(core, tx, row, now)
      return
    }
    const usageAgreementId = covering.usageAgreement.agreementId
    const effects = () => ({ data: { usageAgreementId } })
    row = (await transitionIn(core, tx, { requestId }, 'agreement_execute', who, { effects })).row
  }
  if (row.state !== 'agreement_executed') return
  if (covering.baa) {
    const baaId = covering.baa.agreementId
    await transitionIn(core, tx, { requestId }, 'baa_execute', who, {
      effects: () => ({ data: { baaId } }),
    })
    return
  }
  const offered = await offer(core, tx, {
    kind: 'baa',
    organizationId: row.organizationId,
    practiceId: row.practiceId ?? '',
    requestId,
    signatories: [developerOf(row), practiceOf(row)],
    namedBefore: true,
    level: row.level,
    dataClasses: row.dataClasses as DataClass[],
    purposes: row.purposes as Purpose[],
    fields: baaFieldsOf(core, row, now),
    by: null,
    now,
  })
  const effects = () => ({ data: { baaId: offered.agreementId } })
  await transitionIn(core, tx, { requestId }, 'baa_offer', who, { effects })
}

async function offerUsage(core: Core, tx: Prisma.TransactionClient, row: ProductionKeyRequest, now: Date) {
  const { agreementId } = await offer(core, tx, {
    kind: 'usage_agreement',
    organizationId: row.organizationId,
    practiceId: null,
    requestId: row.id,
    signatories: [developerOf(row)],
    namedBefore: true,
    fields: usageFieldsOf(row),
    // The practice that confirmed the request is not a party of the usage agreement.
    by: null,
    now,
  })
  await tx.productionKeyRequest.update({ where: { id: row.id }, data: { usageAgreementId: agreementId } })
}

function baaFieldsOf({ calendar }: Core, row: ProductionKeyRequest, now: Date): BaaFields {
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

/** Follows every change of an agreement, inside its transaction. */
export async function listen(core: Core, tx: Prisma.TransactionClient, event: AgreementChanged) {
  const who = { documents: true, actor: event.by } as const
  for (const { id } of await waitingFor(tx, event)) await follow(core, tx, id, event)
  const where = {
    organizationId: event.organizationId,
    ...(event.practiceId ? { practiceId: event.practiceId } : {}),
  }
  await recheckAllIn(core, tx, where, who)
}

/** Requests that wait for this document. */
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

async function follow(core: Core, tx: Prisma.TransactionClient, requestId: string, event: AgreementChanged) {
  const row = await lock(tx, requestId)
  const state = row.state as ProductionKeyState
  const step = await findStep(core, tx, state, event)
  if (step === null) return
  const who = { documents: true, actor: event.by } as const
  await transitionIn(core, tx, { requestId }, step, who, { effects: () => effectsOf(step, event) })
  if (step === 'agreement_execute') await advance(core, tx, requestId, event.by)
}

async function findStep(
  core: Core,
  tx: Prisma.TransactionClient,
  state: ProductionKeyState,
  { kind, change, agreementId, requestId }: AgreementChanged,
): Promise<DocumentEvent | null> {
  if (change === 'voided' || change === 'withdrawn') return 'documents_close'
  // A request that waits for a usage agreement goes on waiting for its new version.
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
  const listed = requestId === null ? [] : await listForRequest(core, tx, requestId)
  return listed.some(({ id, signed }) => id === agreementId && signed.length > 0) ? 'baa_sign' : 'baa_offer'
}

function effectsOf(step: DocumentEvent, { change, reason, now, side }: AgreementChanged) {
  const detail = side ? { side } : {}
  const closed = change === 'voided' ? 'A document is void.' : 'A document was withdrawn.'
  const words = reason ?? closed
  const emails = () => ({ 'production-withdrawn': { reason: words } })
  if (step !== 'documents_close') return { ...(reason ? { text: reason } : {}), detail, emails }
  return { data: { endedAt: now }, text: words, detail, emails }
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
