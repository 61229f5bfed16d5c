/** Who looked for a patient's disclosures is a part of the record of access, too. */
import { patientsOf } from '../../audit/call-rows.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'

/** Before anything is shown. @throws Problem `unavailable` */
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
