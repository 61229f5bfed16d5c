/** The practice on which the checks work: ours, of synthetic people, and no one's office. */
import { planPatientList } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Core } from '../core.ts'

export type Canary = Readonly<{
  id: string
  slug: string
  datasetId: number
  /** Its policy lets backend systems read. */
  fhir: boolean
}>

/** Null when there is none to look at. */
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

/** A person whose chart can be read there; null when there is no one. */
export async function findCanaryPatient({ store }: Core, { datasetId }: Canary): Promise<string | null> {
  const { matches } = await store.search(datasetId, planPatientList({ limit: 1, offset: 0 }), noLiveness)
  return matches[0]?.id ?? null
}

/** Family name of the patients that the check makes, and of no one else. */
export const canaryFamily = 'Statuscheck'

/** Deletes those of earlier days. Safe to repeat. */
export async function forgetCanaries({ store }: Core, datasetId: number, keepId: string): Promise<void> {
  const plan = planPatientList({ q: canaryFamily, limit: 100, offset: 0 })
  const { matches } = await store.search(datasetId, plan, noLiveness)
  for (const { id } of matches) {
    if (id !== keepId) await store.deletePatient(datasetId, id)
  }
}
