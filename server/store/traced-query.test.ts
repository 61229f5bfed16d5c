import { expect, test } from 'vitest'
import { summaryOf, tracedQuery } from './traced-query.ts'

test.each([
  ['SELECT "portal"."account"."id" FROM "portal"."account" WHERE id = $1', 'SELECT portal.account'],
  ['INSERT INTO "portal"."audit_event" ("id") VALUES ($1)', 'INSERT portal.audit_event'],
  ["UPDATE portal.practice SET name = 'Larkfield'", 'UPDATE portal.practice'],
  ['BEGIN', 'BEGIN'],
  ['', 'STATEMENT'],
])('%s is named by what it does', (text, name) => {
  expect(summaryOf(text)).toBe(name)
  expect(summaryOf({ text, values: [1] })).toBe(name)
})

test('a statement with a name has that name', () => {
  expect(summaryOf({ name: 'batch-read', text: 'SELECT 1' })).toBe('batch-read')
})

test('a statement whose name was made from its text is named by what it does', () => {
  expect(summaryOf({ name: 'prisma:qYA1Agd', text: 'SELECT id FROM portal.account' })).toBe(
    'SELECT portal.account',
  )
})

test('promises, callbacks and streams get what the driver says', async () => {
  const stream = { submit() {} }
  const ask = (query: unknown, ...rest: unknown[]) => {
    const callback = rest.at(-1)
    if (typeof callback === 'function') return void callback(query === 'bad' ? new Error('bad') : null, query)
    return query === stream
      ? stream
      : query === 'bad'
        ? Promise.reject(new Error('bad'))
        : Promise.resolve(query)
  }
  const byCallback = (query: string) =>
    new Promise((resolve) => void tracedQuery(ask, [query, [], (...all: unknown[]) => resolve(all)]))

  expect(await tracedQuery(ask, ['SELECT 1'])).toBe('SELECT 1')
  await expect(tracedQuery(ask, ['bad'])).rejects.toThrow('bad')
  expect(await byCallback('SELECT 1')).toEqual([null, 'SELECT 1'])
  expect(await byCallback('bad')).toEqual([new Error('bad')])
  expect(tracedQuery(ask, [stream])).toBe(stream)
})
