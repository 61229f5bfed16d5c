import { testDataLabel } from '../../server/contract/fhir/codes.ts'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import type { Access, Grant } from '../../server/search/access.ts'
import { compileSearch } from '../../server/search/compile.ts'
import type { Position } from '../../server/search/plan.ts'
import { parseParameters } from '../../server/search/query-string.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { createStore, type Store } from '../../server/store/store.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { exampleOrganization, examplePatient } from './example-resources.ts'

export const base = 'https://fhir.example/r4/here'
export const now = new Date('2026-11-20T12:00:00Z')
export const codes = 'https://codes.example'

export let database: TestDatabase
export let store: Store
export let here: number
let elsewhere: number

const meta = { security: [testDataLabel] }
const of = (patient: string) => ({ reference: `Patient/${patient}` })
const concept = (code: string, system = codes) => ({ coding: [{ system, code }] })

export function observation(id: string, patient: string, more: Partial<Resource> = {}): Resource {
  return {
    resourceType: 'Observation',
    id,
    meta,
    status: 'final',
    category: [concept('laboratory')],
    code: concept('glucose'),
    subject: of(patient),
    effectiveDateTime: '2024-03-05T10:00:00Z',
    ...more,
  }
}

function provenance(id: string, targets: string[], more: Partial<Resource> = {}): Resource {
  return {
    resourceType: 'Provenance',
    id,
    meta,
    target: targets.map((reference) => ({ reference })),
    recorded: '2024-03-05T10:00:00Z',
    agent: [{ who: { reference: 'Practitioner/pr-1' } }],
    ...more,
  }
}

const practitioner = (id: string, family: string, number: string): Resource => ({
  resourceType: 'Practitioner',
  id,
  meta,
  name: [{ family, given: ['Zoë'], text: `Dr. Zoë ${family}` }],
  identifier: [{ system: 'https://numbers.example', value: number }],
})

export const records: Resource[] = [
  examplePatient({ id: 'wren', family: 'Testwell' }),
  examplePatient({ id: 'juno', family: 'Testwell' }),
  exampleOrganization('org-1', 'Harbor Sample Practice'),
  practitioner('pr-1', 'Núñez-Muestra', 'AB-1'),
  practitioner('pr-2', 'NUNEZ MUESTRA', 'ab-2'),
  {
    resourceType: 'PractitionerRole',
    id: 'role-1',
    meta,
    practitioner: { reference: 'Practitioner/pr-1' },
    organization: { reference: 'Organization/org-1' },
    endpoint: [{ reference: 'Endpoint/ep-1' }],
  },
  observation('o1', 'wren'),
  observation('o2', 'wren', { category: [concept('vital-signs')], code: concept('Pulse') }),
  observation('o3', 'wren', {
    effectiveDateTime: undefined,
    effectivePeriod: { start: '2024-03-01' },
    performer: [{ reference: 'PractitionerRole/role-1' }],
  }),
  observation('o4', 'wren', { effectiveDateTime: undefined, code: { text: 'in words' } }),
  observation('o5', 'wren', { code: concept('glucose', 'https://elsewhere.example') }),
  observation('o6', 'juno'),
  observation('o7', 'wren', { subject: { reference: 'Group/nobody' } }),
  provenance('p1', ['Observation/o1', 'Observation/o2']),
  provenance('p6', ['Observation/o6']),
  // Two charts in one record: it belongs to the first.
  provenance('p16', ['Observation/o6', 'Observation/o1']),
  {
    resourceType: 'Coverage',
    id: 'cov-1',
    meta,
    status: 'active',
    beneficiary: of('wren'),
    payor: [{ reference: 'Organization/org-1' }],
  },
]

export async function openSearchStore(): Promise<void> {
  database = await testDatabase('schema')
  store = createStore({ pool: database.pool, clock: () => now })
  here = await store.datasets.create({ name: 'here', kind: 'practice', source: 'test' })
  elsewhere = await store.datasets.create({ name: 'elsewhere', kind: 'practice', source: 'test' })
  const stamp = new Date('2026-11-15T12:00:00.000Z')
  await store.write(here, records, { liveness: noLiveness, stamp })
  await store.write(here, [observation('o1', 'wren')], {
    liveness: noLiveness,
    stamp: new Date('2026-11-16T12:00:00.001Z'),
  })
  await store.write(
    elsewhere,
    [
      examplePatient({ id: 'wren', family: 'Otherwise' }),
      observation('o1', 'wren', { code: concept('other') }),
      provenance('p9', ['Observation/o1']),
    ],
    { liveness: noLiveness, stamp },
  )
}

export function access(type: FhirType, grants: Grant[] = [{ patientId: null, filter: null }]): Access {
  const confined = grants.every(({ patientId }) => patientId !== null)
  return {
    type,
    grants,
    patientId: confined ? (grants[0]?.patientId ?? null) : null,
    needsPatient: !confined && fhirRegistry[type].compartment !== null,
  }
}

interface SearchOptions {
  as?: Access
  after?: Position | null
  accessTo?: (type: FhirType) => Access | null
  dataset?: number
}

export function search(
  type: FhirType,
  query: string,
  { as = access(type), after = null, accessTo = access, dataset = here }: SearchOptions = {},
) {
  const compiled = compileSearch({
    access: as,
    parameters: parseParameters(query),
    handling: 'strict',
    base,
    now,
    after,
    accessTo,
  })
  return store.search(dataset, compiled.plan, noLiveness)
}

export async function ids(type: FhirType, query: string, options?: SearchOptions): Promise<string[]> {
  return (await search(type, query, options)).matches.map(({ id }) => id)
}
