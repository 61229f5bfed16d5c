import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fhirTypeNumbers } from './fhir-registry.ts'
import { appAudiences } from './registration-form.ts'
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
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
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

test('whatever is ticked is served, and is ticked again when it is read back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...appAudiences), fc.infiniteStream(fc.boolean()), (audience, coins) => {
      const toss = <T>(all: readonly T[]) => all.filter(() => coins.next().value)
      const lines = studioLines(audience).filter(() => coins.next().value)
      const choice = {
        reach: toss(reaches[audience])[0] ?? reaches[audience][0],
        types: lines.map(({ type }) => type),
        // A type without a part ticked is the whole type, which has them all.
        picks: lines.flatMap(({ parts }) => {
          const some = toss(parts)
          return (some.length === 0 ? parts : some).map(({ name }) => name)
        }),
        launches: toss(launchesOf(audience)),
      }

      const scope = scopeOfChoice(audience, choice)
      const { others, ...again } = choiceOfScope(audience, scope)

      expect(parseScopes(scope).refused).toEqual([])
      expect(others).toEqual([])
      if (choice.types.length > 0) expect(again.reach).toBe(choice.reach)
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
  expect(tickedLines('patient', { types: ['Group', 'Patient'] }).map(({ type }) => type)).toEqual(['Patient'])
})
