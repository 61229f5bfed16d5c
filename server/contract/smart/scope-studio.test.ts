import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fhirTypeNumbers } from '../fhir/registry.ts'
import { appAudiences } from '../workflows/registration-form.ts'
import {
  choiceOfScope,
  launchesOf,
  reaches,
  scopeOfChoice,
  studioLines,
  tickedLines,
} from './scope-studio.ts'
import { parseScopes } from './scopes.ts'

const none = { types: [], picks: [], launches: [] }

test('ticked types and parts are scopes of the audience', () => {
  const choice = {
    ...none,
    reach: 'patient',
    types: ['Patient', 'Observation'],
    picks: [
      'Observation?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
      'Condition?category=http://terminology.hl7.org/CodeSystem/condition-category|problem-list-item',
    ],
    launches: ['launch/patient', 'offline_access', 'launch'],
  } as const

  expect(scopeOfChoice('patient', choice)).toBe(
    'launch/patient offline_access patient/Patient.rs ' +
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory ' +
      'patient/Condition.rs?category=http://terminology.hl7.org/CodeSystem/condition-category|problem-list-item',
  )
  expect(scopeOfChoice('clinician', { ...none, reach: 'user', types: ['Goal'] })).toBe('user/Goal.rs')
  expect(scopeOfChoice('backend', { ...none, reach: 'user', types: ['Group'] })).toBe('system/Group.rs')
  expect(scopeOfChoice('patient', { ...none, reach: 'system', types: ['Group', 'Nothing'] })).toBe('')
})

test('the nine parts that certification names can be chosen one by one', () => {
  const names = studioLines('patient').flatMap(({ parts }) => parts.map(({ name }) => name.split('|')[1]))

  expect(names).toEqual(
    expect.arrayContaining([
      ...['encounter-diagnosis', 'health-concern', 'problem-list-item'],
      ...['laboratory', 'social-history', 'vital-signs', 'survey', 'sdoh', 'clinical-test'],
    ]),
  )
})

test('all parts of a type stay parts; only a type that was ticked itself is asked for whole', () => {
  const parts = studioLines('patient').find(({ type }) => type === 'Observation')?.parts ?? []
  const picks = parts.map(({ name }) => name)
  const asParts = parts.map(({ name }) => `patient/Observation.rs?${name.split('?')[1]}`)

  const scope = scopeOfChoice('patient', { ...none, reach: 'patient', types: [], picks })

  expect(scope.split(' ').sort()).toEqual(asParts.sort())
  expect(choiceOfScope('patient', scope)).toMatchObject({ types: [], picks: expect.arrayContaining(picks) })
  expect(scopeOfChoice('patient', { ...none, reach: 'patient', types: ['Observation'], picks })).toBe(
    'patient/Observation.rs',
  )
})

test('whatever is ticked is served, and is ticked again when it is read back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...appAudiences), fc.infiniteStream(fc.boolean()), (audience, coins) => {
      const toss = <T>(all: readonly T[]) => all.filter(() => coins.next().value)
      // A whole type has all of its parts ticked.
      const whole = toss(studioLines(audience))
      const inParts = toss(studioLines(audience).filter((line) => !whole.includes(line)))
      const picks = [...whole.flatMap(({ parts }) => parts), ...inParts.flatMap(({ parts }) => toss(parts))]
      const choice = {
        reach: toss(reaches[audience])[0] ?? reaches[audience][0],
        types: whole.map(({ type }) => type),
        picks: picks.map(({ name }) => name),
        launches: toss(launchesOf(audience)),
      }

      const scope = scopeOfChoice(audience, choice)
      const { others, ...again } = choiceOfScope(audience, scope)

      expect(parseScopes(scope).refused).toEqual([])
      expect(others).toEqual([])
      if (choice.types.length + picks.length > 0) expect(again.reach).toBe(choice.reach)
      expect(new Set(again.types)).toEqual(new Set(choice.types))
      expect(new Set(again.picks)).toEqual(new Set(choice.picks))
      expect(again.launches).toEqual(choice.launches)
    }),
    { seed: 8, numRuns: 100 },
  )
})

test('a scope that has no box is kept aside, never lost', () => {
  const { others, types } = choiceOfScope(
    'patient',
    'patient/Patient.r patient/Goal.rs user/Goal.rs patient/Nothing.rs patient/Observation.rs?category=x|y launch',
  )

  expect(types).toEqual(['Patient', 'Goal'].slice(1))
  expect(new Set(others)).toEqual(
    new Set([
      'patient/Patient.r',
      'user/Goal.rs',
      'patient/Nothing.rs',
      'patient/Observation.rs?category=x|y',
      'launch',
    ]),
  )
})

test('no more lines are ticked than there are, whatever types a stored scope names', () => {
  for (const audience of ['patient', 'clinician', 'backend'] as const) {
    const everything = Object.keys(fhirTypeNumbers).map((type) => `${reaches[audience][0]}/${type}.rs`)
    const choice = choiceOfScope(audience, everything.join(' '))

    expect(tickedLines(audience, choice).length).toBeLessThanOrEqual(studioLines(audience).length)
  }
  expect(tickedLines('patient', { types: ['Group', 'Patient'], picks: [] }).map(({ type }) => type)).toEqual([
    'Patient',
  ])
})
