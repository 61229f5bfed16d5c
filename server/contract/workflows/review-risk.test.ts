import { expect, test } from 'vitest'
import { type RiskFactId, riskFacts, riskOf } from './review-risk.ts'

const ids = Object.keys(riskFacts) as RiskFactId[]

test('without a fact the risk is low, and shows none', () => {
  expect(riskOf({})).toEqual({ level: 'low', facts: [] })
  expect(riskOf({ writes: false })).toEqual({ level: 'low', facts: [] })
})

test('one fact gives its own level, and any number of raised ones stays raised', () => {
  for (const id of ids) expect(riskOf({ [id]: true })).toEqual({ level: riskFacts[id].level, facts: [id] })
  const raised = ids.filter((id) => riskFacts[id].level === 'raised')
  expect(riskOf(Object.fromEntries(raised.map((id) => [id, true])))).toEqual({
    level: 'raised',
    facts: raised,
  })
})

test('the gravest fact gives the level, in whatever order they were found', () => {
  expect(riskOf({ new_organization: true, writes: true })).toEqual({
    level: 'high',
    facts: ['writes', 'new_organization'],
  })
})
