import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FhirType, fhirTypeNumbers, registryRow } from '../fhir/registry.ts'
import {
  type ConsentGroup,
  chooseGroups,
  consentGroups,
  firstChoice,
  groupOf,
  groupScopes,
  splitBoxes,
} from './consent-groups.ts'
import { chooseScopes, describeScopes } from './scope-labels.ts'
import { narrow } from './scope-narrowing.ts'
import { picksOf } from './scope-picks.ts'
import { formatScopes, isTypeOfContext, parseScopes, type Scope } from './scopes.ts'

const types = Object.keys(fhirTypeNumbers) as readonly FhirType[]
const contexts = ['patient', 'user'] as const
const parse = (text: string) => parseScopes(text).scopes
const system = 'http://terminology.hl7.org/CodeSystem/observation-category'

// The same tries at every run.
fc.configureGlobal({ seed: 42 })

/** Every scope about records that an app may ask for: types, wildcards, known and unknown categories, of any system. */
const everyScope = contexts.flatMap((context) => [
  `${context}/*.rs`,
  `${context}/*.read`,
  ...types
    .filter((type) => isTypeOfContext(context, type))
    .flatMap((type) => {
      const parts = picksOf(type).map(({ filter }) => filter)
      const filters = registryRow(type).parameters.some(({ scopable }) => scopable)
        ? [
            ...parts.flatMap(({ system: its, code }) => [`${its}|${code}`, code]),
            'unheard-of',
            'urn:x|laboratory',
            'constructor',
          ]
        : []
      return [
        ...['rs', 'r', 's', 'read'].map((access) => `${context}/${type}.${access}`),
        ...filters.map((filter) => `${context}/${type}.rs?category=${filter}`),
      ]
    }),
])

test('every scope a client may ask for is in groups, each of its boxes in exactly one', () => {
  expect(everyScope.length).toBeGreaterThan(250)
  for (const text of everyScope) {
    const { scopes, refused } = parseScopes(text)
    expect(refused, text).toEqual([])
    const groups = groupScopes(scopes, 'own')
    const names = groups.flatMap(({ boxes }) => boxes.map(({ name }) => name))
    expect(names.length, text).toBeGreaterThan(0)
    expect(new Set(names).size, text).toBe(names.length)
    // The boxes are those of the lines, none left out.
    const lines = describeScopes(scopes, 'own').lines
    const ofLines = lines.reduce(
      (sum, { picks, hasRest }) => sum + Math.max(1, picks.length) + Number(hasRest),
      0,
    )
    expect(names.length, text).toBe(ofLines)
  }
})

test('a scope of one category is one box in one group, wherever the category belongs', () => {
  for (const text of everyScope.filter((each) => each.includes('?'))) {
    const groups = groupScopes(parse(text), 'own')
    expect(
      groups.map(({ boxes }) => boxes.length),
      text,
    ).toEqual([1])
  }
  const groupFor = (category: string) =>
    groupScopes(parse(`patient/Observation.rs?category=${category}`), 'own')[0]?.id
  expect(
    ['laboratory', `${system}|vital-signs`, 'survey', 'unheard-of', 'constructor'].map(groupFor),
  ).toEqual(['tests', 'vitals', 'sensitive', 'sensitive', 'sensitive'])
})

test('each category is shown in the same group alone and within its whole type', () => {
  for (const type of types)
    for (const { filter } of picksOf(type)) {
      const whole = groupScopes(parse(`user/${type}.rs`), 'own')
      const within = whole.filter(({ boxes }) => boxes.some(({ name }) => name.endsWith(`|${filter.code}`)))
      expect(within.map(({ id }) => id)).toEqual([groupOf(type, filter)])
    }
})

test('a whole record is eight groups and the sensitive ones apart, in the order of the table', () => {
  const groups = groupScopes(parse('patient/*.rs'), 'own')

  expect(groups.map(({ id }) => id)).toEqual(Object.keys(consentGroups))
  expect(groups.filter(({ sensitive }) => !sensitive)).toHaveLength(8)
  expect(groups.at(-1)).toMatchObject({ id: 'sensitive', sensitive: true })
  expect(groups.filter(({ partial }) => partial)).toEqual([])
  expect(groupScopes(parse('patient/Goal.rs'), 'own')).toMatchObject([{ id: 'conditions', partial: true }])
})

const anyScopes = fc
  .array(fc.constantFrom(...everyScope, 'openid', 'offline_access'), { maxLength: 8 })
  .map((texts) => narrow(parse(texts.join(' '))))

function grant(offered: readonly Scope[], groups: readonly string[], boxes: readonly string[]) {
  const choice = chooseGroups(groupScopes(offered, 'own'), { groups, boxes })
  return chooseScopes(offered, { ...choice, lasting: true })
}
const allBoxes = (offered: readonly Scope[]) =>
  groupScopes(offered, 'own').flatMap(({ boxes }) => boxes.map(({ name }) => name))

test('with every group ticked the app gets what it asked for, word for word', () => {
  fc.assert(
    fc.property(anyScopes, (offered) => {
      expect(grant(offered, Object.keys(consentGroups), allBoxes(offered))).toEqual(offered)
    }),
  )
})

test('what is granted is exactly what is ticked', () => {
  const anyGroups = fc.subarray(Object.keys(consentGroups) as ConsentGroup[])
  fc.assert(
    fc.property(anyScopes, anyGroups, fc.infiniteStream(fc.boolean()), (offered, groups, coins) => {
      const boxes = allBoxes(offered).filter(() => coins.next().value)
      const granted = grant(offered, groups, boxes)
      const { chosen, refused } = splitBoxes(offered, granted)
      const ticked = groupScopes(offered, 'own')
        .filter(({ id }) => groups.includes(id))
        .flatMap(({ boxes: own }) => own.filter(({ name }) => boxes.includes(name)))
      // No scope says "all but": the rest of a type goes with every part of it, or not at all.
      const isWhole = (type: string) =>
        allBoxes(offered).every(
          (name) => !name.startsWith(`${type}?`) || ticked.some((box) => box.name === name),
        )
      const expected = ticked.flatMap(({ name, type, isRest }) => (isRest && !isWhole(type) ? [] : [name]))
      expect([...chosen].sort()).toEqual(expected.sort())
      expect([...chosen, ...refused].sort()).toEqual(allBoxes(offered).sort())
    }),
    { numRuns: 500 },
  )
})

test('a patient’s sensitive records start unticked, a clinician’s do not, and one tick of a group is all of it', () => {
  const groups = groupScopes(parse('patient/*.rs'), 'own')
  const [patient, clinician] = [firstChoice(groups, 'patient', null), firstChoice(groups, 'practice', null)]

  expect(patient.groups).toEqual(Object.keys(consentGroups).filter((id) => id !== 'sensitive'))
  expect(clinician.groups).toEqual(Object.keys(consentGroups))
  expect(patient.boxes).toEqual(clinician.boxes)
})

test('what was chosen the last time is ticked again, sensitive or not, and what was refused is not', () => {
  const offered = parse('patient/Patient.rs patient/Goal.rs patient/Observation.rs')
  const granted = parse(`patient/Patient.rs patient/Observation.rs?category=${system}|survey`)
  const earlier = splitBoxes(offered, granted)
  const groups = groupScopes(
    [...offered, ...parse('patient/Coverage.rs patient/QuestionnaireResponse.rs')],
    'own',
  )
  const { groups: ticked, boxes } = firstChoice(groups, 'patient', earlier)
  const left = chooseGroups(groups, { groups: ticked, boxes })

  // Coverage was not asked for before; neither were questionnaires, which are sensitive.
  expect([...left.types].sort()).toEqual(['Coverage', 'Observation', 'Patient'])
  expect(left.picks).toEqual([`Observation?category=${system}|survey`])
  expect(formatScopes(chooseScopes(offered, { ...left, lasting: false }))).toBe(formatScopes(granted))
})
