import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appAudiences } from '../workflows/registration-form.ts'
import { choiceOfScope, launchesOf, reaches, scopeOfChoice, studioLines } from './scope-studio.ts'
import { parseScopes } from './scopes.ts'

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
