/** Random bodies and query strings for the REST writes and lists, near enough to good ones to get past the first check. */
import fc from 'fast-check'
import { operations } from '../../server/contract/rest/operations.ts'
import { documentTypes, encounterTypes } from '../../server/contract/rest/record-codes.ts'

export type RandomRequest = { path: string; body?: string; name?: string }

const text = fc.string({ unit: 'grapheme', maxLength: 120 })
/** Of a name or a title: mostly one. */
const words = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Samplewood', 'Zoë Ødegård', '試験', 'O’Mock', 'x') },
  { weight: 1, arbitrary: text },
)
const anyText = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 20 }), fc.constant(''))
const scalar = fc.oneof(anyText, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const junk = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(text, scalar, { maxKeys: 3 }))
/** Right most of the time. */
const or = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: junk })
const idOf = (good: string) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(good) },
    { weight: 1, arbitrary: fc.constantFrom('pt-zoe-munoz', 'pr-ines-placeholder', 'nobody', '..') },
  )
const moment = fc
  .date({ min: new Date('1890-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const day = fc.oneof(
  moment.map((each) => each.slice(0, 10)),
  fc.constantFrom('1988', '1988-02', '2099', '1988-02-30'),
)

const bodies = {
  '/patients': fc.record(
    {
      mrn: or(fc.constantFrom('SYN-R1', 'SYN-R2', 'ünï-1', 'x y')),
      name: or(
        fc.record(
          { family: or(words), given: or(fc.array(words, { maxLength: 6 })) },
          { requiredKeys: ['family'] },
        ),
      ),
      birthDate: or(day),
      sex: or(fc.constantFrom('male', 'female', 'other', 'unknown')),
      telecom: or(
        fc.array(fc.record({ system: or(fc.constantFrom('phone', 'email')), value: or(words) }), {
          maxLength: 3,
        }),
      ),
      address: or(
        fc.array(
          fc.record({ line: or(fc.array(words, { maxLength: 4 })), city: or(words) }, { requiredKeys: [] }),
          {
            maxLength: 3,
          },
        ),
      ),
      language: or(fc.constantFrom('en', 'es', 'pl', 'xx')),
      active: or(fc.boolean()),
    },
    { requiredKeys: ['name', 'birthDate'] },
  ),
  '/encounters': fc.record(
    {
      patientId: or(idOf('pt-wren-testwell')),
      practitionerId: or(idOf('pr-ines-placeholder')),
      locationId: or(idOf('loc-main')),
      class: or(fc.constantFrom('AMB', 'IMP', 'VR', 'x')),
      type: or(fc.constantFrom(...Object.keys(encounterTypes))),
      reason: or(words),
      start: or(moment),
    },
    { requiredKeys: ['patientId', 'type'] },
  ),
  '/documents': fc.record(
    {
      patientId: or(idOf('pt-wren-testwell')),
      encounterId: or(idOf('en-none')),
      title: or(words),
      type: or(fc.constantFrom(...Object.keys(documentTypes))),
      contentType: or(fc.constantFrom('application/pdf', 'text/plain', 'text/html')),
      size: or(fc.integer({ min: 0, max: 30_000_000 })),
      sha256: or(fc.constant(operations.createDocument.bodyExample.sha256)),
      authoredAt: or(moment),
      authorId: or(idOf('pr-ines-placeholder')),
    },
    { requiredKeys: ['patientId', 'title', 'type', 'contentType', 'size', 'sha256', 'authoredAt'] },
  ),
} as const

const paths = Object.keys(bodies) as (keyof typeof bodies)[]
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('once-a', 'once-b', 'once-c', 'once-d') },
)

/** A body of one of the writes, sometimes cut off or spoiled in the middle. */
export const randomWrite: fc.Arbitrary<RandomRequest> = fc
  .constantFrom(...paths)
  .chain((path) =>
    fc.tuple(
      fc.constant(path),
      fc.oneof(
        { weight: 20, arbitrary: bodies[path].map((body) => JSON.stringify(body)) },
        {
          weight: 2,
          arbitrary: fc
            .tuple(bodies[path], fc.dictionary(text, junk, { maxKeys: 2 }))
            .map(([body, more]) => JSON.stringify({ ...body, ...more })),
        },
        { weight: 2, arbitrary: fc.json() },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
      ),
      fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat() }),
      name,
    ),
  )
  .map(([path, body, cut, name]) => ({
    path,
    body: cut === undefined ? body : body.slice(0, cut % (body.length + 1)),
    ...(name !== undefined && { name }),
  }))

const parameter = fc.oneof(
  fc.constantFrom('q', 'mrn', 'dob', 'limit', 'offset', '__proto__', 'constructor'),
  text,
)
const value = fc.oneof(
  text,
  fc.integer().map(String),
  fc.constantFrom(
    '1985-02-29',
    '9999-12-31',
    '1971',
    "' OR 1=1 --",
    '%',
    '\\',
    '\u{10ffff}',
    '100',
    '0',
    '-0',
    'NaN',
    '1e3',
    'a',
  ),
)
const encoded = fc
  .array(fc.tuple(parameter, value), { maxLength: 4 })
  .map((pairs) => pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'))
const raw = fc
  .array(
    fc.constantFrom('&', '=', '%', '%zz', '%c3', '%28', '+', 'q', 'limit', '25', ';', '[', ']', '?', '%00'),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** A list with a query string. */
export const randomQuery: fc.Arbitrary<RandomRequest> = fc
  .tuple(
    fc.constantFrom('/patients', '/practitioners', '/locations/loc-main/providers'),
    fc.oneof(encoded, raw),
  )
  .map(([path, query]) => ({ path: `${path}?${query}` }))
