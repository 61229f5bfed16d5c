/** What the check of saving leaves in the canary practice: one patient a day, the last one kept. */
import { planPatientList } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Core } from '../core.ts'

/** Family name of the patients that the check makes, and of nobody else. */
export const canaryFamily = 'Statuscheck'

/** Deletes those of earlier days. Safe to repeat. */
export async function forgetCanaries({ store }: Core, datasetId: number, keepId: string): Promise<void> {
  const plan = planPatientList({ q: canaryFamily, limit: 100, offset: 0 })
  const { matches } = await store.search(datasetId, plan, noLiveness)
  for (const { id } of matches) {
    if (id !== keepId) await store.deletePatient(datasetId, id, { liveness: noLiveness })
  }
}
