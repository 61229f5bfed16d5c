/** Patients of a practice by medical record number or name, for its admins. */

import { patientsOf } from '../../audit/call-rows.ts'
import { planPatientList } from '../../search/lists.ts'
import { toPatient } from '../../search/patient-record.ts'
import { noLiveness } from '../../store/liveness.ts'
import { withheldOf } from '../../store/withheld.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'

export type FoundPatient = Awaited<ReturnType<typeof findPatients>>[number]

const textMax = 100
const page = { limit: 20, offset: 0 }

/** Finds patients; the search is recorded as access. @throws Problem `not_found`, `forbidden` (admins only) */
export async function findPatients(
  core: Core,
  { practiceId, text }: Readonly<{ practiceId: string; text: string }>,
  actor: Actor,
) {
  const { prisma, store } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  const typed = text.replaceAll('\0', '').trim().slice(0, textMax)
  if (typed === '') return []
  const { datasetId } = await prisma.practice.findUniqueOrThrow({
    where: { id: practiceId },
    select: { datasetId: true },
  })
  const search = async (query: { mrn: string } | { q: string }) => {
    const places = await Promise.all(
      [datasetId, withheldOf(datasetId)].map((place) =>
        store.search(place, planPatientList({ ...query, ...page }), noLiveness),
      ),
    )
    return places.flatMap(({ matches }, at) => matches.map((match) => ({ ...match, withheld: at === 1 })))
  }
  const byNumber = await search({ mrn: typed })
  const matches = byNumber.length > 0 ? byNumber : await search({ q: typed })
  const patientIds = matches.map(({ id }) => id)
  await recordLook(core, practiceId, actor, { action: 'find_patient', patientIds })
  return matches.map(({ id, content, withheld }) => {
    const { name, birthDate } = summarizePatient(content, null)
    return {
      id,
      name,
      birthDate,
      mrn: toPatient(content).mrn ?? null,
      /** Whether the practice withholds the patient from keys and apps. */
      withheld,
    }
  })
}

// Looking up a patient's disclosures is itself access.

/** Records the access; called before anything is shown. @throws Problem `unavailable` */
export async function recordLook(
  { recorder, clock }: Core,
  practiceId: string,
  { accountId, correlationId }: Pick<Actor, 'accountId' | 'correlationId'>,
  { action, patientIds }: { action: string; patientIds: readonly string[] },
): Promise<void> {
  await recorder.commit({
    access: {
      at: clock(),
      practiceId,
      principalKind: 'session',
      principalId: accountId,
      action,
      resourceType: 'Patient',
      ...patientsOf(patientIds.map((id) => ({ id }))),
      count: patientIds.length,
      purpose: 'operations',
      outcome: 'served',
      correlationId,
    },
  })
}
