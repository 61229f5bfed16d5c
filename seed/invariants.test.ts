/** What must hold of every record, whoever it is about. */
import { describe, expect, test } from 'vitest'
import { identifierTypes, testDataLabel } from '../server/contract/codes.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { castPeople } from './cast.ts'
import { allergens, noKnownAllergy, reactions } from './codes/allergies.ts'
import { conditions } from './codes/conditions.ts'
import * as demographics from './codes/demographics.ts'
import { findings, labs, panels, specimens } from './codes/labs.ts'
import { medications } from './codes/medications.ts'
import { procedures } from './codes/procedures.ts'
import * as surveys from './codes/surveys.ts'
import * as terminology from './codes/terminology.ts'
import { vaccines } from './codes/vaccines.ts'
import { vitals } from './codes/vitals.ts'
import { defaultSeed } from './options.ts'
import { practiceBatches } from './practice-records.ts'
import { practices } from './practices.ts'

const slugs = ['sandbox-template', 'harbor-family', 'juniper-point', 'old-quay']
const batches = practices
  .filter((practice) => slugs.includes(practice.slug))
  .flatMap((practice) =>
    [...practiceBatches(practice, defaultSeed)].map((batch) => ({ practice, resources: batch.resources })),
  )
/** One patient's resources, the Patient first. */
const charts = batches
  .filter(({ resources }) => resources[0]?.resourceType === 'Patient')
  .map(({ practice, resources }) => ({
    name: `${practice.slug}/${resources[0]?.id}`,
    patient: resources[0] as Resource,
    resources,
  }))
const everything = batches.flatMap((batch) => batch.resources)

/** Everything under a name, at any depth. */
function all(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    ...(key === name ? [child] : []),
    ...all(child, name),
  ])
}

const when = [
  'effectiveDateTime',
  'performedDateTime',
  'occurrenceDateTime',
  'onsetDateTime',
  'abatementDateTime',
  'recordedDate',
  'authoredOn',
  'whenHandedOver',
  'authored',
  'issued',
  'start',
  'date',
  'collectedDateTime',
]

describe('time', () => {
  test('nothing happens before birth, after death or after the reference date', () => {
    const wrong = charts.flatMap(({ name, patient, resources }) => {
      const born = String(patient.birthDate)
      const last = String(patient.deceasedDateTime ?? defaultSeed.asOf).slice(0, 10)
      return resources.slice(1).flatMap((resource) =>
        when
          .flatMap((element) => all(resource, element))
          .map((moment) => String(moment).slice(0, 10))
          .filter((day) => day.slice(0, born.length) < born || day > last)
          .map((day) => `${name} ${resource.resourceType}/${resource.id} ${day}`),
      )
    })

    expect(wrong).toEqual([])
  })

  test('what is over ends after it began', () => {
    const wrong = everything.flatMap((resource) => {
      const { onsetDateTime: onset, abatementDateTime: abated } = resource as { [key: string]: string }
      return onset && abated && abated < onset ? [resource.id] : []
    })

    expect(wrong).toEqual([])
  })

  test('no drug is ordered before the problem it is for', () => {
    const wrong = charts.flatMap(({ name, resources }) => {
      const onsets = new Map(
        resources.map((each) => [
          `${each.resourceType}/${each.id}`,
          each.onsetDateTime as string | undefined,
        ]),
      )
      return resources
        .filter((each) => each.resourceType === 'MedicationRequest')
        .filter((each) =>
          ((each.reasonReference ?? []) as { reference: string }[]).some(
            ({ reference }) => String(each.authoredOn).slice(0, 10) < (onsets.get(reference) ?? ''),
          ),
        )
        .map((each) => `${name} ${each.id}`)
    })

    expect(wrong).toEqual([])
  })
})

describe('bodies', () => {
  const observations = (resources: readonly Resource[], code: string) =>
    resources
      .filter((each) => each.resourceType === 'Observation' && all(each.code, 'code').includes(code))
      .map((each) => ({
        at: String(each.effectiveDateTime),
        value: (each.valueQuantity as { value: number } | undefined)?.value ?? Number.NaN,
      }))

  test('no child grows smaller', () => {
    const wrong = charts.flatMap(({ name, patient, resources }) => {
      if (String(patient.birthDate) < '2008-11-15') return []
      const heights = observations(resources, vitals.height.coding.code)
      return heights
        .filter((each, index) => index > 0 && each.value < (heights[index - 1]?.value ?? 0))
        .map(() => name)
    })

    expect(wrong).toEqual([])
  })

  test('the body mass index is that of the weight and height beside it', () => {
    const wrong = charts.flatMap(({ name, resources }) => {
      const at = (code: string) => new Map(observations(resources, code).map((each) => [each.at, each.value]))
      const heights = at(vitals.height.coding.code)
      const weights = at(vitals.weight.coding.code)
      return observations(resources, vitals.bmi.coding.code)
        .filter(({ at: moment, value }) => {
          const metres = (heights.get(moment) ?? 0) / 100
          return Math.abs((weights.get(moment) ?? 0) / metres ** 2 - value) > 0.051
        })
        .map(({ at: moment, value }) => `${name} ${moment} ${value}`)
    })

    expect(wrong).toEqual([])
  })

  test('nobody male is pregnant', () => {
    const pregnant = [
      ...conditions['normal-pregnancy'].codings.map((coding) => coding.code),
      surveys.surveyCodes.pregnancyStatus.code,
      terminology.encounterTypes.prenatal.code,
    ]
    const wrong = charts.filter(
      ({ patient, resources }) =>
        patient.gender === 'male' &&
        resources.some((each) => all(each, 'code').some((code) => pregnant.includes(String(code)))),
    )

    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

describe('references and codes', () => {
  test('a record refers to itself and to the practice, never to another patient', () => {
    const practiceOf = new Map<string, boolean>(
      batches
        .filter(({ resources }) => resources[0]?.resourceType === 'Organization')
        .flatMap(({ resources }) =>
          resources.map((each) => [`${each.resourceType}/${each.id}`, true] as const),
        ),
    )
    const wrong = charts.flatMap(({ name, resources }) => {
      const own = new Set<string>(resources.map((each) => `${each.resourceType}/${each.id}`))
      return resources
        .slice(1)
        .flatMap((each) => all(each, 'reference'))
        .filter((reference) => !own.has(String(reference)) && !practiceOf.has(String(reference)))
        .map((reference) => `${name} ${reference}`)
    })

    expect(wrong).toEqual([])
  })

  test('every clinical resource has somebody who wrote it', () => {
    const wrong = charts.flatMap(({ name, resources }) => {
      const targets = new Set<unknown>(
        resources
          .filter((each) => each.resourceType === 'Provenance')
          .flatMap((each) => all(each.target, 'reference')),
      )
      return resources
        .filter((each) => each.resourceType !== 'Provenance')
        .filter((each) => !targets.has(`${each.resourceType}/${each.id}`))
        .map((each) => `${name} ${each.resourceType}/${each.id}`)
    })

    expect(wrong).toEqual([])
  })

  test('every coding stands in the tables', () => {
    const known = new Set(
      [
        allergens,
        noKnownAllergy,
        reactions,
        conditions,
        demographics,
        findings,
        labs,
        panels,
        specimens,
        medications,
        procedures,
        surveys,
        terminology,
        vaccines,
        vitals,
        identifierTypes,
        testDataLabel,
      ].flatMap(codingsIn),
    )
    const used = new Set(everything.flatMap(codingsIn))

    expect([...used].filter((coding) => !known.has(coding))).toEqual([])
  })

  test('units are among those of the tables', () => {
    const tables = [...Object.values(labs), ...Object.values(vitals)].map((row) =>
      'unit' in row ? row.unit : '',
    )
    const others = ['s', 'ms', 'mg', 'mL', '[iU]', '{score}', '{#}']
    const quantities = everything.flatMap(
      (each) => JSON.stringify(each).match(/"system":"http:\/\/unitsofmeasure.org","code":"([^"]+)"/g) ?? [],
    )
    const units = new Set(quantities.map((text) => JSON.parse(`{${text}}`).code as string))

    expect([...units].filter((unit) => !tables.includes(unit as never) && !others.includes(unit))).toEqual([])
  })

  test('the drugs of the polypharmacy chart are what its purpose says', () => {
    const hester = charts.find(({ name }) => name === 'sandbox-template/pt-hester-placewright')
    const drugs = hester?.resources.filter((each) => each.resourceType === 'MedicationRequest') ?? []

    expect(drugs).toHaveLength(15)
  })
})

test('the template holds at most six thousand resources, the whole cast among them', () => {
  const template = batches.filter(({ practice }) => practice.slug === 'sandbox-template')
  const ids = new Set(template.flatMap(({ resources }) => resources.map((each) => each.id)))

  expect(template.flatMap(({ resources }) => resources).length).toBeLessThanOrEqual(6_000)
  expect(castPeople(defaultSeed.asOf).filter((person) => !ids.has(person.id))).toEqual([])
})

/** `system|code` of every Coding at any depth. */
function codingsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { system, code, value: measured } = value as Record<string, unknown>
  const own =
    typeof system === 'string' && typeof code === 'string' && measured === undefined
      ? [`${system}|${code}`]
      : []
  return [...own, ...Object.values(value).flatMap(codingsIn)]
}
