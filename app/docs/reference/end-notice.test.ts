import { expect, test } from 'vitest'
import { operations } from '../../../server/contract/rest/operations.ts'
import { operationPage } from './rest-pages.server.ts'

test('the page of a deprecated operation begins with its end, its successor and the policy', () => {
  const deprecation = {
    since: '2026-11-01',
    sunset: '2027-11-01',
    successor: 'getPatient',
    note: 'Its pages are too long.',
  }
  const [first] = operationPage(
    'listPatients',
    { ...operations.listPatients, deprecation },
    'REST API',
  ).blocks
  const [usual] = operationPage('listPatients', operations.listPatients, 'REST API').blocks

  expect(first).toEqual({
    kind: 'text',
    text: 'Deprecated: ends on November 1, 2027. Its pages are too long. Use [`getPatient`](/docs/reference/rest/getPatient) instead. [How operations end](/docs/versioning#deprecation).',
  })
  expect(usual).toMatchObject({ text: expect.stringMatching(/^`GET \/patients`/) })
})
