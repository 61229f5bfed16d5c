/** Patients' requests to stop all access to their records, for the admins of a practice. */

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import { recordLook } from '../disclosures/find-patients.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import { requirePracticeRole } from './practice-role.ts'

const shownMax = 50

/** The oldest open requests. Reading is recorded as access. @throws Problem `not_found`, `forbidden` (admins only) */
export async function listOpen(core: Core, practiceId: string, actor: Actor) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const rows = await prisma.withholdRequest.findMany({
    where: { practiceId, decidedAt: null },
    include: { account: { select: { name: true } }, practice: { select: { datasetId: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: shownMax,
  })
  const requests = await Promise.all(
    rows.map(async ({ id, patientId, createdAt, account, practice }) => {
      const found = await readOwnPatient(core, practice.datasetId, patientId)
      const { name, birthDate } = found
        ? summarizePatient(found.content, null)
        : { name: null, birthDate: null }
      return { id, patientId, name, birthDate, askedBy: account.name, createdAt }
    }),
  )
  const shown = requests.flatMap(({ name, patientId }) => (name === null ? [] : [patientId]))
  if (shown.length > 0)
    await recordLook(core, practiceId, actor, { action: 'list_withheld_patients', patientIds: shown })
  return requests
}

// Decisions on a patient's request to stop all access, and the emails they send.

export const asker = {
  account: { select: { name: true, email: true, disabledAt: true } },
  practice: { select: { name: true } },
} as const satisfies Prisma.WithholdRequestInclude

type AnsweredRequest = Prisma.WithholdRequestGetPayload<{ include: typeof asker }>

/** Closes the patient's open request because the practice withholds the record. Null if there is none. */
export async function answerRequest(
  tx: Prisma.TransactionClient,
  answer: Readonly<{ practiceId: string; patientId: string; withheldId: string; actor: Actor; now: Date }>,
): Promise<AnsweredRequest | null> {
  const { practiceId, patientId, withheldId, actor, now } = answer
  const open = await tx.withholdRequest.findFirst({ where: { practiceId, patientId, decidedAt: null } })
  if (!open) return null
  return tx.withholdRequest.update({
    where: { id: open.id },
    data: { decidedAt: now, decidedById: actor.accountId, outcome: 'withheld', withheldId },
    include: asker,
  })
}

/** The email names no patient, because it must not disclose who is a patient of the practice. */
export async function mailAnswer(
  core: Core,
  tx: Prisma.TransactionClient,
  { account, practice }: AnsweredRequest,
  answer: Readonly<{ outcome: 'withheld' | 'declined' | 'ended'; reason: string | null; actor: Actor }>,
): Promise<void> {
  if (account.disabledAt) return
  const { outcome, reason, actor } = answer
  await core.mail.enqueue(tx, {
    template: 'withhold-answer',
    to: account.email,
    props: {
      name: account.name,
      practiceName: practice.name,
      outcome,
      reason: reason?.replace(/\s+/gu, ' ') ?? null,
      at: core.clock().toISOString(),
    },
    correlationId: actor.correlationId,
  })
}
