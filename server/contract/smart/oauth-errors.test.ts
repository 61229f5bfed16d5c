import { expect, test } from 'vitest'
import { Problem, problems } from '../http/problems.ts'
import { oauthRefusals, refuse, wordsOf } from './oauth-errors.ts'

test('callers hear the description of the row, and a hint only of a refusal that has one', () => {
  const { description } = oauthRefusals.client_not_at_practice

  expect(wordsOf(refuse('client_not_at_practice'))).toEqual({ description, hint: null })
  expect(wordsOf(refuse('client_not_at_practice', { hint: 'Try elsewhere.' }))).toEqual({
    description,
    hint: 'Try elsewhere.',
  })
})

test('a fault of ours adds nothing to its row, although its own sentence begins like it', () => {
  const { description } = oauthRefusals.internal

  expect(problems.internal.message).toContain(`${description} `)
  expect(wordsOf(new Problem('internal'))).toEqual({ description, hint: null })
})
