/** What must hold of every record, whoever it is about. */
import { describe, expect, test } from 'vitest'
import { identifierTypes, testDataLabel } from '../server/contract/fhir/codes.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { all, momentsIn } from '../tests/support/chart-values.ts'
import { castPeople } from './cast.ts'
import * as codes from './codes/codes.ts'
import { defaultSeed } from './options.ts'
import { drawPerson } from './people/draw.ts'
import { practiceBatches, subjectOf } from './practice-records.ts'
import { practices } from './practices.ts'
import { createRandomness } from './randomness.ts'
import { allStories } from './stories/all-stories.ts'

const {
  allergens,
  apart,
  classOf,
  conditions,
  drugClasses,
  labs,
  medications,
  panels,
  ruledOutBy,
  surveyCodes,
  unsuited,
  vitals,
} = codes
const { encounterTypes, relationships, specialties } = codes.terms
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

describe('time', () => {
  test('nothing happens before birth, after death or after the reference date', () => {
    const wrong = charts.flatMap(({ name, patient, resources }) => {
      const born = String(patient.birthDate)
      const last = String(patient.deceasedDateTime ?? defaultSeed.asOf).slice(0, 10)
      return resources.slice(1).flatMap((resource) =>
        momentsIn(resource, resource.resourceType)
          .map((moment) => moment.slice(0, 10))
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
      surveyCodes.pregnancyStatus.code,
      encounterTypes.prenatal.code,
    ]
    const wrong = charts.filter(
      ({ patient, resources }) =>
        patient.gender === 'male' &&
        resources.some((each) => all(each, 'code').some((code) => pregnant.includes(String(code)))),
    )

    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})

describe('stories', () => {
  const reference = (value: unknown) => (value as { reference?: string } | undefined)?.reference ?? ''

  test('a note says the blood pressure that was measured at its visit', () => {
    const compared = charts.flatMap(({ name, resources }) => {
      const measured = new Map(
        resources
          .filter((each) => all(each.code, 'code').includes(vitals.bloodPressure.coding.code))
          .map((each) => [
            reference(each.encounter),
            all(each.component, 'value')
              .filter((value) => typeof value === 'number')
              .join('/'),
          ]),
      )
      return resources
        .filter((each) => each.resourceType === 'DocumentReference')
        .flatMap((each) => {
          const [data] = all(each.content, 'data') as string[]
          const said = /[Bb]lood pressure (\d+\/\d+)/.exec(Buffer.from(data ?? '', 'base64').toString())?.[1]
          const [visit] = all(each.context, 'reference') as string[]
          const there = measured.get(visit ?? '')
          return said && there ? [{ where: `${name} ${each.id}`, said, there }] : []
        })
    })

    expect(compared.length).toBeGreaterThan(300)
    expect(compared.filter(({ said, there }) => said !== there)).toEqual([])
  })

  test('visits of a pregnancy are the obstetrician’s, and children are looked after by those for children', () => {
    const specialtyOf = (practice: string, clinician: string) =>
      batches
        .filter((each) => each.practice.slug === practice)
        .flatMap((each) => each.resources)
        .filter(
          (each) => each.resourceType === 'PractitionerRole' && reference(each.practitioner) === clinician,
        )
        .flatMap((each) => all(each.specialty, 'code').filter((code) => typeof code === 'string'))[0]
    const { pediatrics, familyMedicine, obstetrics } = specialties
    const wrong = charts.flatMap(({ name, patient, resources }) => {
      const practice = name.split('/')[0] ?? ''
      const own = specialtyOf(practice, reference((patient.generalPractitioner as unknown[])[0]))
      const young = String(patient.birthDate) > '2009'
      const prenatal = resources.filter((each) =>
        all(each.type, 'code').includes(encounterTypes.prenatal.code),
      )
      return [
        ...(young && own !== pediatrics.code && own !== familyMedicine.code ? [`${name} ${own}`] : []),
        ...prenatal
          .map((each) => specialtyOf(practice, (all(each.participant, 'reference') as string[])[0] ?? ''))
          .filter((code) => code !== obstetrics.code)
          .map((code) => `${name} prenatal ${code}`),
      ]
    })

    expect(wrong).toEqual([])
  })

  test('every newborn has a mother, and the one of the cast is a patient who leads to her child', () => {
    const newborns = charts.filter(({ patient }) => String(patient.birthDate) > '2026-10-20')
    const mothers = newborns.map(({ resources }) =>
      resources.filter(
        (each) =>
          each.resourceType === 'RelatedPerson' &&
          all(each.relationship, 'code').includes(relationships.mother.code),
      ),
    )
    const zoe = charts.find(({ name }) => name === 'sandbox-template/pt-zoe-munoz')
    const pip = charts.find(({ name }) => name === 'sandbox-template/pt-pip-testwell')
    const [related] = all(zoe?.patient.link, 'reference') as string[]
    const mother = pip?.resources.find((each) => `RelatedPerson/${each.id}` === related)
    const births = zoe?.resources.filter((each) =>
      String(each.performedDateTime).startsWith(String(pip?.patient.birthDate)),
    )

    expect(newborns.length).toBeGreaterThan(1)
    expect(mothers.map((each) => each.length)).toEqual(newborns.map(() => 1))
    expect(mother?.name).toEqual(zoe?.patient.name)
    expect(births).toHaveLength(1)
  })

  test('every story is told to somebody', () => {
    const storiesUsed = new Set<string>()
    for (const practice of practices.filter((each) => slugs.includes(each.slug))) {
      const randomness = createRandomness(defaultSeed.seed)
      for (let index = 0; index < 150; index++) {
        const person = drawPerson(
          randomness.stream(practice.slug, 'person', index),
          index,
          practice,
          defaultSeed.asOf,
        )
        const request = { practice, person, asOf: defaultSeed.asOf, randomness }
        const subject = subjectOf(request)
        for (const story of allStories) if ((story.share?.(subject) ?? 0) > 0) storiesUsed.add(story.name)
      }
    }

    expect(allStories.map((story) => story.name).filter((name) => !storiesUsed.has(name))).toEqual([])
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
    const known = new Set([codes, identifierTypes, testDataLabel].flatMap(codingsIn))
    const used = new Set(everything.flatMap(codingsIn))

    expect([...used].filter((coding) => !known.has(coding))).toEqual([])
  })

  test('every row that a table names is there', () => {
    const others = ['food-allergy', 'contraception', 'smoking-cessation']
    const problems = [
      ...Object.values(medications).flatMap(({ indications }) => indications),
      ...Object.values(unsuited).flat(),
    ].filter((key) => !(key in conditions) && !others.includes(key))
    const drugs = Object.values({ ...drugClasses, ...ruledOutBy })
      .flat()
      .filter((key) => !(key in medications))
    const tests = Object.values(panels)
      .flatMap(({ members }) => members)
      .filter((key) => !(key in labs))

    expect([...problems, ...drugs, ...tests]).toEqual([])
  })

  test('units are among those of the tables', () => {
    const tables = [...Object.values(labs), ...Object.values(vitals)].map((row) => row.unit ?? '')
    const others = ['s', 'ms', 'mg', 'mL', '[iU]', '{score}', '{#}']
    const quantities = everything.flatMap(
      (each) => JSON.stringify(each).match(/"system":"http:\/\/unitsofmeasure.org","code":"([^"]+)"/g) ?? [],
    )
    const units = new Set(quantities.map((text) => JSON.parse(`{${text}}`).code as string))

    expect([...units].filter((unit) => !tables.includes(unit) && !others.includes(unit))).toEqual([])
    expect([...units, ...tables, ...others].filter((unit) => unit !== '' && !isUcum(unit))).toEqual([])
    expect(['mmHg', 'bpm', 'kg/m^2', '°C', '10^3/uL', 'IU'].filter(isUcum)).toEqual([])
  })

  test('the drugs of the polypharmacy chart are what its purpose says', () => {
    const hester = charts.find(({ name }) => name === 'sandbox-template/pt-hester-placewright')
    const drugs = hester?.resources.filter((each) => each.resourceType === 'MedicationRequest') ?? []

    expect(drugs.filter((each) => each.status === 'active')).toHaveLength(15)
  })

  test('nobody is given what does not suit: two of a kind, what an allergy or a problem forbids', () => {
    const drugOf = (code: unknown) =>
      (Object.keys(medications) as codes.MedicationKey[]).find((key) => medications[key].coding.code === code)
    const wrong = charts.flatMap(({ name, resources }) => {
      const orders = resources.filter(
        (each) =>
          each.resourceType === 'MedicationRequest' && !each.reportedBoolean && each.status === 'active',
      )
      const taken = orders.flatMap((each) => drugOf(all(each.medicationCodeableConcept, 'code')[1]) ?? [])
      const classes = taken.flatMap((drug) => classOf(drug) ?? [])
      const allergic = resources
        .filter((each) => each.resourceType === 'AllergyIntolerance')
        .flatMap((each) => all(each.code, 'code'))
      const forbidden = (Object.keys(ruledOutBy) as codes.AllergenKey[])
        .filter((key) => allergic.includes(allergens[key].coding.code))
        .flatMap((key) => ruledOutBy[key] ?? [])
      return [
        ...classes
          .filter((each, index) => classes.indexOf(each) !== index)
          .map((each) => `${name} two of ${each}`),
        ...taken.filter((each) => forbidden.includes(each)).map((each) => `${name} is allergic to ${each}`),
        ...apart
          .filter(([one, other]) => classes.includes(one) && classes.includes(other))
          .map(([one, other]) => `${name} ${one} beside ${other}`),
      ]
    })

    expect(wrong).toEqual([])
  })
})

test('the template holds at most six thousand resources, the whole cast among them', () => {
  const template = batches.filter(({ practice }) => practice.slug === 'sandbox-template')
  const ids = new Set(template.flatMap(({ resources }) => resources.map((each) => each.id)))

  expect(template.flatMap(({ resources }) => resources).length).toBeLessThanOrEqual(6_000)
  expect(castPeople(defaultSeed.asOf).filter((person) => !ids.has(person.id))).toEqual([])
})

/**
 * Terms of the Unified Code for Units of Measure, as far as these records need them: atoms with the metric prefixes,
 * powers, annotations. https://ucum.org/ucum
 */
function isUcum(unit: string): boolean {
  const metric = '(?:[kcmunpfd]?(?:g|L|l|m|s|mol|eq|U|\\[iU\\]|\\[IU\\]|m\\[Hg\\]))'
  const atom = `(?:${metric}|1|10\\*|%|h|min|d|wk|mo|a|Cel|\\[pH\\]|\\{[^{}]+\\})`
  const factor = `${atom}-?\\d*(?:\\{[^{}]+\\})?`
  return new RegExp(`^/?${factor}(?:[./](?:${factor}|\\d+))*$`).test(unit)
}

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
