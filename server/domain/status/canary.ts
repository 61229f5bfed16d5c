/** The practice on which the checks work: ours, of synthetic people, and nobody's office. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { planPatientList } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Store } from '../../store/store.ts'

export type Canary = Readonly<{
  id: string
  slug: string
  datasetId: number
  /** Its policy lets backend systems read. */
  fhir: boolean
}>

export function createCanary({ prisma, store }: { prisma: PrismaClient; store: Pick<Store, 'search'> }) {
  /** Null when there is none to look at. */
  async function getCanary(): Promise<Canary | null> {
    const found = await prisma.practice.findFirst({
      where: { purpose: 'canary', environment: 'production', state: 'active' },
      select: { id: true, slug: true, datasetId: true, fhirEnabled: true, fhirAudiences: true },
      orderBy: { createdAt: 'asc' },
    })
    if (found === null) return null
    const { id, slug, datasetId, fhirEnabled, fhirAudiences } = found
    return { id, slug, datasetId, fhir: fhirEnabled && fhirAudiences.includes('backend') }
  }

  /** Somebody whose chart can be read there; null when there is nobody. */
  async function findCanaryPatient({ datasetId }: Canary): Promise<string | null> {
    const { matches } = await store.search(datasetId, planPatientList({ limit: 1, offset: 0 }), noLiveness)
    return matches[0]?.id ?? null
  }

  return { getCanary, findCanaryPatient }
}
