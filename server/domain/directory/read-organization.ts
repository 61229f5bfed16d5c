/** What a practice's own record says of it: the Organization that its Endpoint belongs to. */
import { z } from 'zod'
import { identifierSystems } from '../../contract/fhir/codes.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import type { Store } from '../../store/store.ts'

const endpointType: FhirType = 'Endpoint'
const organizationType: FhirType = 'Organization'

const endpoint = z.object({ managingOrganization: z.object({ reference: z.string() }) })

const organization = z.object({
  meta: z.object({ lastUpdated: z.coerce.date() }),
  identifier: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).default([]),
  telecom: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).default([]),
  address: z
    .array(
      z.object({
        line: z.array(z.string()).default([]),
        city: z.string().default(''),
        state: z.string().default(''),
        postalCode: z.string().default(''),
      }),
    )
    .default([]),
})

/** By dataset, of those that name an organization of their own; two statements for all of them. */
export async function readOrganizations(
  store: Pick<Store, 'readAcross' | 'findAcross'>,
  datasetIds: readonly number[],
): Promise<ReadonlyMap<number, OrganizationFacts>> {
  const distinct = [...new Set(datasetIds)]
  const endpoints = await store.readAcross(distinct, endpointType)
  const managing = [...endpoints].flatMap(([datasetId, texts]) =>
    texts.flatMap((text) => {
      const managed = endpoint.safeParse(JSON.parse(text))
      const [type, id] = managed.data?.managingOrganization.reference.split('/') ?? []
      return type === organizationType && id !== undefined ? [{ datasetId, type: organizationType, id }] : []
    }),
  )
  const texts = await store.findAcross(managing)
  const facts = new Map<number, OrganizationFacts>()
  for (const [place, { datasetId }] of managing.entries()) {
    const text = texts[place]
    if (facts.has(datasetId) || text === null || text === undefined) continue
    const parsed = organization.safeParse(JSON.parse(text))
    if (parsed.success) facts.set(datasetId, toFacts(parsed.data))
  }
  return facts
}

type OrganizationFacts = ReturnType<typeof toFacts>

function toFacts({ meta, identifier, telecom, address: [first] }: z.output<typeof organization>) {
  return {
    npi: identifier.find(({ system }) => system === identifierSystems.nationalProvider)?.value ?? null,
    phone: telecom.find(({ system }) => system === 'phone')?.value ?? null,
    address: first
      ? { lines: first.line, city: first.city, state: first.state, postalCode: first.postalCode }
      : null,
    changedAt: meta.lastUpdated,
  }
}
