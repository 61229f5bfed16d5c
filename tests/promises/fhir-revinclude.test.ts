/** `_revinclude=Provenance:target` on every type, with what each caller may see of it. */
import { describe, expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { entriesOf, fhirStack, matchesOf } from '../support/fhir.ts'

const practice = 'harbor-family'
const types = Object.keys(fhirRegistry).filter((type) => type !== 'Provenance') as FhirType[]
const outsideCharts = [
  'Endpoint',
  'Location',
  'Medication',
  'Organization',
  'Practitioner',
  'PractitionerRole',
]

const tokens = new Map<string, string>()

const provenance = (id: string, ...about: string[]): Resource => ({
  resourceType: 'Provenance',
  id,
  recorded: '2026-11-01T10:00:00Z',
  target: about.map((reference) => ({ reference })),
})

const stack = await fhirStack()
const { prisma, store } = stack.services
const { datasetId } = await prisma.practice.findUniqueOrThrow({ where: { slug: practice } })
const [patient] = await lines(datasetId, 'Patient')
const patientId = String(patient?.id)
const medication: Resource = { resourceType: 'Medication', id: 'md-pv', code: { text: 'Example' } }
const specimen: Resource = {
  resourceType: 'Specimen',
  id: 'sp-pv',
  subject: { reference: `Patient/${patientId}` },
  type: { text: 'Blood' },
}
await store.write(datasetId, [medication, specimen], { liveness: noLiveness })
const targets = new Map<string, string>()
const about: Resource[] = []
for (const type of [...outsideCharts, 'Specimen'] as FhirType[]) {
  const resources = await lines(datasetId, type)
  const resource = resources.find(({ id }) => id?.endsWith('-pv')) ?? (resources[0] as Resource)
  targets.set(type, `${type}/${resource.id}`)
  about.push(provenance(`pv-of-${type.toLowerCase()}`, `${type}/${resource.id}`))
}
// Of her chart, since it is about her too.
about.push(provenance('pv-shared', targets.get('Practitioner') as string, `Patient/${patientId}`))
await store.write(datasetId, about, { liveness: noLiveness })
for (const audience of ['backend', 'patient'] as const) {
  const whose = audience === 'patient' ? { patientId } : {}
  tokens.set(audience, (await stack.issueToken({ audience, practice, ...whose })).token)
}

async function lines(dataset: number, type: FhirType): Promise<Resource[]> {
  const found: Resource[] = []
  for await (const line of store.readAll(dataset, type)) found.push(JSON.parse(line))
  return found
}

const search = (type: string, audience: string, more = '') => {
  const id = targets.get(type)?.split('/')[1]
  const chart = fhirRegistry[type as FhirType].compartment
  const owner = chart === null ? '' : chart === 'self' ? '' : `patient=${patientId}&`
  const named = chart === 'self' ? `_id=${patientId}&` : id ? `_id=${id}&` : ''
  return stack.call(`${type}?${owner}${named}_revinclude=Provenance:target${more}`, {
    token: tokens.get(audience) ?? null,
    practice,
  })
}

const includedIn = (answer: Awaited<ReturnType<typeof search>>) =>
  entriesOf(answer)
    .filter(({ search: { mode } }) => mode === 'include')
    .map(({ resource }) => resource.id)

test.each(types)('%s takes it, strictly and by a form', async (type) => {
  const answer = await search(type, 'backend', '&_count=5')
  const form = await stack.call(`${type}/_search`, {
    token: tokens.get('backend') ?? null,
    practice,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', prefer: 'handling=strict' },
    body: `${fhirRegistry[type].compartment === null ? '' : fhirRegistry[type].compartment === 'self' ? `_id=${patientId}&` : `patient=${patientId}&`}_revinclude=Provenance:target`,
  })

  expect([answer.status, form.status], answer.text).toEqual([200, 200])
  expect(entriesOf(answer).filter(({ search: { mode } }) => mode === 'outcome')).toEqual([])
})

test('Provenance itself does not', async () => {
  const answer = await stack.call(`Provenance?target=Patient/${patientId}&_revinclude=Provenance:target`, {
    token: tokens.get('backend') ?? null,
    practice,
  })

  expect([answer.status, answer.body.issue[0].code]).toEqual([400, 'not-supported'])
})

describe('brings', () => {
  test.each([...outsideCharts, 'Specimen'])('the provenance of a %s to a backend app', async (type) => {
    const answer = await search(type, 'backend')

    expect(matchesOf(answer)).toEqual([targets.get(type)])
    expect(includedIn(answer)).toEqual([`pv-of-${type.toLowerCase()}`])
  })

  test('of records that all share, a patient the provenance of her own chart alone', async () => {
    const practitioner = await search('Practitioner', 'patient')

    expect(includedIn(practitioner)).toEqual(['pv-shared'])
    expect(includedIn(await search('Specimen', 'patient'))).toEqual(['pv-of-specimen'])
  })

  test('nothing without the scope for it, and says so', async () => {
    const { token } = await stack.issueToken({
      audience: 'backend',
      practice,
      scope: 'system/Practitioner.rs',
    })

    const answer = await stack.call('Practitioner?_revinclude=Provenance:target', { token, practice })

    expect(answer.status).toBe(200)
    expect(includedIn(answer)).toEqual([])
    expect(entriesOf(answer).at(-1)?.search.mode).toBe('outcome')
  })
})
