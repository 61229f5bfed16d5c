/**
 * A practice withholds single patients from keys, apps and backend systems. While a row is open, triggers move the chart
 * to where no interface reads, in the transaction of the change and in every dataset that replaces the data.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { toPatient } from '../../search/patient-record.ts'
import { withRetry } from '../../store/retry.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { accountNames } from '../accounts/account-names.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import { cancelExport } from '../bulk-exports/cancel-export.ts'
import type { Core } from '../core.ts'
import { findPatients, recordLook } from '../disclosures/find-patients.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import { checkReason } from '../text-scan/check-text.ts'
import { ensure as ensureSandbox } from './organization-sandbox.ts'
import { requirePracticeRole } from './practice-role.ts'
import { answerRequest, asker, mailAnswer } from './withhold-requests.ts'

const idPattern = /^[A-Za-z0-9.-]{1,64}$/
/** Moving a large chart affects tens of thousands of rows. */
const transactionLimits = { maxWait: 10_000, timeout: 30_000 }

/** Withheld patients, the newest first. Reading is recorded as access. @throws Problem `not_found`, `forbidden` (admins only) */
export async function list(core: Core, practiceId: string, actor: Actor, ask: PageAsk = firstPage) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const where = {
    practiceId,
    endedAt: null,
    ...searchWhere(ask.q, (like) => [{ patientId: like }, { reason: like }]),
  }
  const listed = await readPage(
    ask,
    () => prisma.withheldPatient.count({ where }),
    ({ skip, take }) =>
      prisma.withheldPatient.findMany({
        where,
        orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
        skip,
        take,
      }),
  )
  const { datasetId } = await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
  const names = await accountNames(
    prisma,
    listed.rows.map(({ startedById }) => startedById),
  )
  const rows = await Promise.all(
    listed.rows.map(async ({ id, patientId, reason, startedAt, startedById }) => {
      const found = await readOwnPatient(core, datasetId, patientId)
      const { name, birthDate } = found
        ? summarizePatient(found.content, null)
        : { name: null, birthDate: null }
      return {
        // The name is null if the chart is not in the practice's data.
        ...{ id, patientId, name, birthDate, mrn: found ? (toPatient(found.content).mrn ?? null) : null },
        ...{ reason, startedAt, startedBy: names.get(startedById) ?? 'A former admin' },
      }
    }),
  )
  const shown = rows.flatMap(({ name, patientId }) => (name === null ? [] : [patientId]))
  if (shown.length > 0)
    await recordLook(core, practiceId, actor, { action: 'list_withheld_patients', patientIds: shown })
  return { ...listed, rows }
}

/** Finds patients by name or record number. Reading is recorded as access. @throws Problem as `list` */
export function find(core: Core, input: Readonly<{ practiceId: string; text: string }>, actor: Actor) {
  return findPatients(core, input, actor)
}

/**
 * Withholds a patient from the next call of every key, app and system on. Running exports and downloadable files end,
 * because they may contain the chart.
 * @returns the id for `release`
 * @throws Problem `not_found` (also for a patient unknown to the practice), `forbidden` (admins only; step-up,
 *   with the field `stepUp`), `validation` (the reason), `conflict` (withheld already; data of several practices)
 */
export async function withhold(
  core: Core,
  input: Readonly<{ practiceId: string; patientId: string; reason: string }>,
  actor: Actor,
): Promise<string> {
  const { prisma, clock, portalAudit } = core
  const { practiceId, patientId } = input
  const reason = checkReason(input.reason, actor)
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  const datasetId = await ownDataset(core, practiceId)
  if (!idPattern.test(patientId) || (await readOwnPatient(core, datasetId, patientId)) === null)
    throw new Problem('not_found')
  return withRetry(
    prisma,
    async (tx) => {
      const { id } = await tx.withheldPatient
        .create({
          data: { practiceId, patientId, reason, startedAt: clock(), startedById: actor.accountId },
          select: { id: true },
        })
        .catch((thrown: unknown) => {
          if (isUniqueViolation(thrown))
            throw new Problem('conflict', { message: 'This patient is withheld already.' })
          throw thrown
        })
      const answered = await answerRequest(tx, { practiceId, patientId, withheldId: id, actor, now: clock() })
      if (answered !== null)
        await mailAnswer(core, tx, answered, { outcome: 'withheld', reason: null, actor })
      // The chart has moved by now, so an export that begins afterwards does not contain it.
      await endExports(core, tx, practiceId)
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        practiceId,
        action: 'practice.patient_withheld',
        subject: { kind: 'withheld_patient', id },
        detail: { patientId, reason },
      })
      return id
    },
    transactionLimits,
  )
}

/**
 * Lets keys and apps read the chart again, from the next call on.
 * @throws Problem `not_found`, `forbidden` (admins only; step-up, with the field `stepUp`), `conflict` (ended already)
 */
export async function release(
  core: Core,
  { practiceId, withheldId }: Readonly<{ practiceId: string; withheldId: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  if (!uuidPattern.test(withheldId)) throw new Problem('not_found')
  await withRetry(
    prisma,
    async (tx) => {
      const row = await tx.withheldPatient.findFirst({ where: { id: withheldId, practiceId } })
      if (!row) throw new Problem('not_found')
      const { count } = await tx.withheldPatient.updateMany({
        where: { id: withheldId, endedAt: null },
        data: { endedAt: clock(), endedById: actor.accountId },
      })
      if (count === 0) throw new Problem('conflict', { message: 'This patient is not withheld any more.' })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        practiceId,
        action: 'practice.patient_released',
        subject: { kind: 'withheld_patient', id: withheldId },
        detail: { patientId: row.patientId },
      })
      const request = await tx.withholdRequest.findFirst({ where: { withheldId }, include: asker })
      if (request) await mailAnswer(core, tx, request, { outcome: 'ended', reason: null, actor })
    },
    transactionLimits,
  )
}

/**
 * Declines a patient's request. The requester gets the reason by email.
 * @throws Problem `not_found`, `forbidden` (admins only; step-up, with the field `stepUp`), `validation`, `conflict`
 *   (decided already)
 */
export async function decline(
  core: Core,
  input: Readonly<{ practiceId: string; requestId: string; reason: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  const { practiceId, requestId } = input
  const reason = checkReason(input.reason, actor)
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  if (!uuidPattern.test(requestId)) throw new Problem('not_found')
  await withRetry(prisma, async (tx) => {
    const row = await tx.withholdRequest.findFirst({ where: { id: requestId, practiceId }, include: asker })
    if (!row) throw new Problem('not_found')
    const { count } = await tx.withholdRequest.updateMany({
      where: { id: requestId, decidedAt: null },
      data: {
        ...{ decidedAt: clock(), decidedById: actor.accountId },
        ...{ outcome: 'declined', answer: reason },
      },
    })
    if (count === 0) throw new Problem('conflict', { message: 'This request was decided already.' })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.withholding_declined',
      subject: { kind: 'withhold_request', id: requestId },
      detail: { patientId: row.patientId, reason },
    })
    await mailAnswer(core, tx, row, { outcome: 'declined', reason, actor })
  })
}

/**
 * Returns the practice's dataset, which no other practice may share. A sandbox on the template gets its own copy.
 * @throws Problem `conflict`
 */
async function ownDataset(core: Core, practiceId: string): Promise<number> {
  const { prisma } = core
  const practice = await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
  if (practice.purpose === 'organization_sandbox' && practice.organizationId !== null)
    return (await ensureSandbox(core, practice.organizationId, { writable: true })).datasetId
  const { datasetId } = practice
  if ((await prisma.practice.count({ where: { datasetId, id: { not: practiceId } } })) > 0)
    throw new Problem('conflict', {
      message: 'Other practices read the same records, so no patient can be withheld here.',
    })
  return datasetId
}

/** Cancels the exports. The runs themselves or the tick remove the files. */
async function endExports({ clock }: Core, tx: Prisma.TransactionClient, practiceId: string): Promise<void> {
  const served = await tx.bulkExport.findMany({
    where: { practiceId, state: { in: ['running', 'complete', 'failed'] }, removedAt: null },
    select: { id: true },
  })
  for (const { id } of served) await cancelExport(tx, id, clock())
}
