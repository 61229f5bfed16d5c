import { expect, test } from 'vitest'
import { fieldsOfKept, pathOfKept } from './kept-call.ts'

const line = (over: object) => ({
  id: '0198c5d2-0000-7000-8000-000000000001',
  interface: 'fhir',
  operation: 'Condition search',
  practiceSlug: 'samplewood-sandbox',
  level: 'patient',
  request: { method: 'GET', path: 'Condition', query: {}, headers: [], body: false },
  ...over,
})
const request = (query: Record<string, string | readonly string[]>) => ({ ...line({}).request, query })

test('a line leads to the page of its own interface, with what names nobody', () => {
  expect(pathOfKept(line({}))).toBe(
    '/explorer/fhir?practice=samplewood-sandbox&type=Condition&call=0198c5d2-0000-7000-8000-000000000001',
  )
  expect(pathOfKept(line({ interface: 'mcp', operation: 'get_ccd', level: 'full_writes' }))).toBe(
    '/explorer/mcp?practice=samplewood-sandbox&level=full_writes&tool=get_ccd&call=0198c5d2-0000-7000-8000-000000000001',
  )
  expect(
    pathOfKept(
      line({
        interface: 'rest',
        operation: 'listPatients',
        level: 'full',
        request: request({ limit: '5', search: '…' }),
      }),
    ),
  ).toBe('/explorer/rest/listPatients?practice=samplewood-sandbox&level=full&q.limit=5')
})

test('what was kept of a search goes back into its fields, and what was not is named', () => {
  const kept = request({
    patient: '…',
    _count: '20',
    _sort: '-date',
    'code:not': ['…', '…'],
    _revinclude: ['Provenance:target', 'AuditEvent:entity'],
  })

  expect(fieldsOfKept(line({ request: kept }))).toEqual({
    values: { count: ['20'], sort: ['-date'], revinclude: ['Provenance:target', 'AuditEvent:entity'] },
    empty: ['patient', 'code:not'],
  })
  const read = { ...request({}), path: 'Condition/{id}' }
  expect(fieldsOfKept(line({ operation: 'Condition read', request: read }))).toEqual({
    values: {},
    empty: ['id'],
  })
})

test('of an operation its own form is filled in', () => {
  const kept = { ...request({ _count: '50', _since: '…' }), path: 'Patient/{id}/$everything' }

  expect(fieldsOfKept(line({ operation: 'Patient $everything', request: kept }))).toEqual({
    values: { operation: ['everything'], 'o-meta-count': ['50'] },
    empty: ['id', '_since'],
  })
})

test('a parameter of REST that was given twice is given twice again', () => {
  const kept = request({ _include: ['a', 'b'] })
  expect(
    pathOfKept(line({ interface: 'rest', operation: 'listPatients', level: 'full', request: kept })),
  ).toBe('/explorer/rest/listPatients?practice=samplewood-sandbox&level=full&q._include=a&q._include=b')
})
