import { expect, test } from 'vitest'
import { productionKeyTimes } from './production-key-workflow.ts'
import { registrationTimes } from './registration-workflow.ts'
import { fillReply, findUnknownField, replyDays } from './saved-replies.ts'

const facts = { app: 'Tide {organization}', organization: 'Samplewood', 'due date': 'Wed 23 Dec 2026' }

test('each field is filled with its fact, wherever and however often it stands', () => {
  expect(fillReply('{app} of {organization}: answer by {due date}. {app}', facts)).toBe(
    'Tide {organization} of Samplewood: answer by Wed 23 Dec 2026. Tide {organization}',
  )
  expect(fillReply('No field, {braces} stay.', facts)).toBe('No field, {braces} stay.')
})

test('a field that nothing fills is found', () => {
  expect(findUnknownField('question', '{app} by {due date}')).toBeNull()
  expect(findUnknownField('question', 'Dear {name}, {app}')).toBe('name')
  expect(findUnknownField('question', '{}')).toBe('')
  expect(findUnknownField('sandbox_question', '{app} by {due date}')).toBe('due date')
})

test('the last day is the same for an answer and for an appeal', () => {
  expect(replyDays).toBe(registrationTimes.appealDays)
  expect(replyDays).toBe(productionKeyTimes.infoSilentDays)
  expect(replyDays).toBe(productionKeyTimes.appealDays)
})
