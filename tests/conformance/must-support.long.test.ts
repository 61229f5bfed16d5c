/**
 * Every mandatory and must-support element, slice, extension, choice and reference target of the 48 US Core 6.1.0
 * profiles is somewhere in the template practice, as a test suite that walks the profiles would look for it.
 * Facts: https://hl7.org/fhir/us/core/STU6.1/profiles-and-extensions.html
 */
import { describe, expect, test } from 'vitest'
import { castSeed } from '../../seed/options.ts'
import { practiceRecords } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { missingFrom } from '../support/must-support.ts'
import { type Found, profiles, profilesOf, valuesAt } from '../support/us-core-profiles.ts'

const resources = [...practiceRecords(getPractice('sandbox-template'), castSeed)] as readonly Found[]
const byAddress = new Map(resources.map((each) => [`${each.resourceType}/${each.id}`, each]))

describe('the cast holds everything that US Core 6.1.0 asks for', () => {
  test('48 profiles are looked at', () => {
    expect(profiles).toHaveLength(48)
  })

  test.each(profiles.map((each) => [each.profile, each] as const))('%s', (_, profile) => {
    expect(missingFrom(profile, resources, byAddress)).toEqual([])
  })
})

describe('what is asked of the record as a whole', () => {
  const codes = (type: string, path: string) =>
    new Set(
      resources
        .filter((each) => each.resourceType === type)
        .flatMap((each) => valuesAt(each, path, []).map(String)),
    )

  test('all eight kinds of note are there', () => {
    expect([...codes('DocumentReference', 'type.coding.code')]).toEqual(
      expect.arrayContaining([
        '11488-4',
        '18842-5',
        '34117-2',
        '28570-0',
        '11506-3',
        '18748-4',
        '11502-2',
        '11526-1',
      ]),
    )
  })

  test('reports come from cardiology, pathology and radiology', () => {
    expect([...codes('DiagnosticReport', 'category.coding.code')]).toEqual(
      expect.arrayContaining(['LP29708-2', 'LP7839-6', 'LP29684-5']),
    )
  })

  test('what a report presents is also a document of the same patient', () => {
    const attached = (type: string, path: string) =>
      resources
        .filter((each) => each.resourceType === type)
        .flatMap((each) =>
          valuesAt(each, path, []).map(
            (url) => `${(each.subject as { reference: string }).reference} ${url}`,
          ),
        )
    const documents = new Set(attached('DocumentReference', 'content.attachment.url'))
    const presented = attached('DiagnosticReport', 'presentedForm.url')

    expect(presented.length).toBeGreaterThan(0)
    expect(presented.filter((each) => !documents.has(each))).toEqual([])
  })

  test('screenings are social, functional, about disability and about thinking', () => {
    const screened = new Set(
      resources
        .filter((each) => profilesOf(each).includes('us-core-observation-screening-assessment'))
        .flatMap((each) => valuesAt(each, 'category.coding.code', []).map(String)),
    )

    expect([...screened]).toEqual(
      expect.arrayContaining(['sdoh', 'functional-status', 'disability-status', 'cognitive-status']),
    )
    expect([...codes('Condition', 'category.coding.code')]).toContain('sdoh')
  })

  test('data is absent with a reason, both ways: as an extension, and as the coding of the code `unknown`', () => {
    const text = JSON.stringify(resources)
    const absentReasons = resources.flatMap((each) =>
      ['dataAbsentReason.coding', 'component.dataAbsentReason.coding'].flatMap((path) =>
        valuesAt(each, path, []),
      ),
    ) as { system: string; code: string }[]

    expect(text).toContain('http://hl7.org/fhir/StructureDefinition/data-absent-reason')
    expect(
      absentReasons
        .filter(({ system }) => system === 'http://terminology.hl7.org/CodeSystem/data-absent-reason')
        .map(({ code }) => code),
    ).toContain('unknown')
  })

  test('conditions of every profile have the day on which they were asserted, onset or not', () => {
    const asserted = resources.filter(
      (each) =>
        each.resourceType === 'Condition' &&
        (each.extension as { url: string }[] | undefined)?.some(({ url }) =>
          url.endsWith('/condition-assertedDate'),
        ),
    )
    const found = (withOnset: boolean) => [
      ...new Set(
        asserted.filter((each) => 'onsetDateTime' in each === withOnset).flatMap((each) => profilesOf(each)),
      ),
    ]

    expect(found(true).sort()).toEqual([
      'us-core-condition-encounter-diagnosis',
      'us-core-condition-problems-health-concerns',
    ])
    expect(found(false)).toEqual(['us-core-condition-problems-health-concerns'])
  })
})
