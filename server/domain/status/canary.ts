/** The practice that the checks use. It is ours and has only synthetic patients. */
import { planPatientList } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Core } from '../core.ts'

export type Canary = Readonly<{
  id: string
  slug: string
  datasetId: number
  /** Whether its policy allows backend systems. */
  fhir: boolean
}>

/** Null if there is no active canary practice. */
export async function getCanary({ prisma }: Core): Promise<Canary | null> {
  const found = await prisma.practice.findFirst({
    where: { purpose: 'canary', environment: 'production', state: 'active' },
    select: { id: true, slug: true, datasetId: true, fhirEnabled: true, fhirAudiences: true },
    orderBy: { createdAt: 'asc' },
  })
  if (found === null) return null
  const { id, slug, datasetId, fhirEnabled, fhirAudiences } = found
  return { id, slug, datasetId, fhir: fhirEnabled && fhirAudiences.includes('backend') }
}

/** A patient whose chart the checks can read; null if there is none. */
export async function findCanaryPatient({ store }: Core, { datasetId }: Canary): Promise<string | null> {
  const { matches } = await store.search(datasetId, planPatientList({ limit: 1, offset: 0 }), noLiveness)
  return matches[0]?.id ?? null
}

/** The family name of the patients that the checks create, which other patients do not have. */
export const canaryFamily = 'Statuscheck'

/** Deletes the patients of earlier checks. Safe to repeat. */
export async function forgetCanaries({ store }: Core, datasetId: number, keepId: string): Promise<void> {
  const plan = planPatientList({ q: canaryFamily, limit: 100, offset: 0 })
  const { matches } = await store.search(datasetId, plan, noLiveness)
  for (const { id } of matches) {
    if (id !== keepId) await store.deletePatient(datasetId, id)
  }
}
