/**
 * The US Core 6.1.0 test suite with one access token: that of the conformance person. 442 tests of the profiles and
 * 10 of the server as a whole. The last one, TLS, needs the proxy: `tests/journeys/proxy.spec.ts`.
 */
import { describe, expect, type RunnerTask, test } from 'vitest'
import { conformancePersonId } from '../../server/contract/lab/conformance-person.ts'
import { compareFhir } from '../support/compare-fhir.ts'
import { type FhirAnswer, fhirStack } from '../support/fhir.ts'
import { valuesAt } from '../support/us-core-profiles.ts'
import { testGroups, usCoreSuite } from '../support/us-core-suite.ts'

const practice = 'sandbox-template'
let call: (path: string, options?: object) => Promise<FhirAnswer>
const suite = usCoreSuite((path, options) => call(path, options), conformancePersonId)

const stack = await fhirStack()
const { token } = await stack.issueToken({ practice, audience: 'patient', patientId: conformancePersonId })
call = (path, options = {}) => {
  stack.services.advance(20) // the caller keeps to its limits
  return stack.call(path, { ...options, token, practice })
}

describe.each(testGroups.map((each) => [each.group, each] as const))('%s', (_, group) => {
  for (const search of group.searches)
    test(`search by ${search.names.join(' + ')}`, () => suite.search(group, search))

  test('read', () => suite.readFirst(group))

  if (group.revIncludes.length > 0) test('provenance', () => suite.withProvenance(group))

  test('every record is as R4 and the profile say', () => suite.validate(group))

  if (group.references) test('references', () => suite.resolveReferences(group))

  // What references lead to is read by the test before.
  test('every must-support element', () => {
    expect(suite.mustSupport(group)).toEqual([])
  })

  if (group.group === 'document_reference')
    test('a document has a custodian, or a provenance that names an organization', () => {
      const stewarded = new Set(
        suite
          .all('Provenance')
          .filter((each) => valuesAt(each, 'agent.who', []).length > 0)
          .flatMap((each) => valuesAt(each, 'target.reference', [])),
      )
      const without = suite
        .all('DocumentReference')
        .filter(({ id, custodian }) => !custodian && !stewarded.has(`DocumentReference/${id}`))

      expect(without.map(({ id }) => id)).toEqual([])
    })

  if (group.group === 'medication_request')
    test('a medication that is referred to is as its profile says', () => {
      const medications = suite.all('Medication')

      expect(medications.length).toBeGreaterThan(0)
      expect(medications.flatMap(compareFhir)).toEqual([])
    })

  if (group.group === 'practitioner')
    test('a practitioner has an address, or a role', () => {
      const addressed = suite.all('Practitioner').some(({ address }) => address !== undefined)

      expect(addressed || suite.all('PractitionerRole').length > 0).toBe(true)
    })
})

describe('the server and the record as a whole', () => {
  test('metadata is a CapabilityStatement', async () => {
    const { status, body } = await call('metadata')

    expect([status, body.resourceType]).toEqual([200, 'CapabilityStatement'])
  })

  test('of FHIR 4.0.1', async () => {
    expect((await call('metadata')).body.fhirVersion).toBe('4.0.1')
  })

  test('in JSON', async () => {
    expect((await call('metadata')).body.format).toEqual(expect.arrayContaining(['json']))
  })

  test('with the Patient profile and every other one of the suite', async () => {
    const { body } = await call('metadata')
    const supported = body.rest.flatMap(({ resource }: { resource: { supportedProfile?: string[] }[] }) =>
      resource.flatMap(({ supportedProfile = [] }) => supportedProfile),
    )
    const names = supported.map((url: string) => url.split('|')[0]?.split('/').pop())

    expect(testGroups.map(({ profile }) => profile).filter((each) => !names.includes(each))).toEqual([])
  })

  test('as a US Core server', async () => {
    const { instantiates } = (await call('metadata')).body

    expect(instantiates.map((url: string) => url.split('|')[0])).toContain(
      'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
    )
  })

  const codes = (type: string, path: string) => suite.all(type).flatMap((each) => valuesAt(each, path, []))

  test('notes of eight kinds, reports of three', () => {
    const notes = ['11488-4', '18842-5', '34117-2', '28570-0', '11506-3', '18748-4', '11502-2', '11526-1']

    expect(codes('DocumentReference', 'type.coding.code')).toEqual(expect.arrayContaining(notes))
    expect(codes('DiagnosticReport', 'category.coding.code')).toEqual(
      expect.arrayContaining(['LP29708-2', 'LP7839-6', 'LP29684-5']),
    )
  })

  test('what a report presents is a document, too', () => {
    const documents = codes('DocumentReference', 'content.attachment.url')
    const presented = codes('DiagnosticReport', 'presentedForm.url')

    expect(presented.length).toBeGreaterThan(0)
    expect(presented.filter((each) => !documents.includes(each))).toEqual([])
  })

  test('screenings of every category, and a condition that one of them found', () => {
    const categories = ['sdoh', 'functional-status', 'disability-status', 'cognitive-status']

    expect(codes('Observation', 'category.coding.code')).toEqual(expect.arrayContaining(categories))
    expect(codes('Condition', 'category.coding.code')).toContain('sdoh')
  })

  test('an extension says why data is absent', () => {
    expect(JSON.stringify([...suite.found.values()])).toContain(
      'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
    )
  })

  test('a code says why data is absent', () => {
    expect(JSON.stringify([...suite.found.values()])).toContain(
      'http://terminology.hl7.org/CodeSystem/data-absent-reason',
    )
  })
})

const count = (tasks: readonly RunnerTask[]): number =>
  tasks.reduce((sum, each) => sum + (each.type === 'suite' ? count(each.tasks) : 1), 0)

test('with TLS, which is tried at the proxy, these are the 453 tests of the suite', ({ task }) => {
  // This test is counted in place of the one at the proxy.
  expect(count(task.file.tasks)).toBe(453)
})
