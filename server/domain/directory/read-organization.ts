/** What a practice's own record says of it: the Organization that its Endpoint belongs to. */
import { z } from 'zod'
import { identifierSystems } from '../../contract/codes.ts'
import type { FhirType } from '../../contract/fhir-registry.ts'
import { planRead } from '../../search/patient-list.ts'
import { noLiveness } from '../../store/liveness.ts'
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

/** Null where the dataset names no organization of its own. */
export async function readOrganization(store: Pick<Store, 'find' | 'readAll'>, datasetId: number) {
  for await (const text of store.readAll(datasetId, endpointType)) {
    const managed = endpoint.safeParse(JSON.parse(text))
    if (!managed.success) continue
    const [type, id] = managed.data.managingOrganization.reference.split('/')
    if (type !== organizationType || id === undefined) continue
    const { rows } = await store.find(datasetId, planRead(organizationType, id), noLiveness)
    const parsed = rows[0] && organization.safeParse(JSON.parse(rows[0].content))
    if (parsed?.success) return toFacts(parsed.data)
  }
  return null
}

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
