import { expect, test } from 'vitest'
import { readAnswerHead } from './answer-head.ts'

test('the head of an answer tells its id and every window of its budget', () => {
  const head = readAnswerHead(
    new Headers({
      'Content-Type': 'application/fhir+json; charset=utf-8',
      'X-Correlation-Id': '0b5c1f0e-1111-4222-8333-444455556666',
      'RateLimit-Policy': '"second";q=300;w=1, "minute";q=9000;w=60',
      RateLimit: '"second";r=299;t=1, "minute";r=8990;t=42',
      'Retry-After': '3',
    }),
  )

  expect(head).toMatchObject({
    mediaType: 'application/fhir+json',
    correlationId: '0b5c1f0e-1111-4222-8333-444455556666',
    budgets: [
      { name: 'second', seconds: 1, requests: 300, remaining: 299 },
      { name: 'minute', seconds: 60, requests: 9000, remaining: 8990 },
    ],
    retryAfterSeconds: 3,
  })
})

test('a door that tells of no window shows none, and a date to come again is no number of seconds', () => {
  const head = readAnswerHead(new Headers({ 'Retry-After': 'Sun, 22 Nov 2026 15:00:00 GMT' }))

  expect(head).toMatchObject({ mediaType: '', correlationId: null, budgets: [], retryAfterSeconds: null })
})
