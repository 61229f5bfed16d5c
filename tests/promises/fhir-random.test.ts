/** Whatever is asked of the FHIR interface, the answer is one that was promised: never a fault. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FhirType, fhirRegistry, searchParameterNumbers } from '../../server/contract/fhir/registry.ts'
import { fhirStack } from '../support/fhir.ts'
import { runsAll } from '../support/slice.ts'

let requests = 0

const stack = await fhirStack()
const tokens = [
  (await stack.issueToken()).token,
  (await stack.issueToken({ audience: 'backend' })).token,
  (await stack.issueToken({ audience: 'patient', patientId: 'pt-otis-samplewood' })).token,
  (
    await stack.issueToken({
      scope:
        'user/Observation.rs?category=laboratory user/Condition.rs?category=http://example.org|x user/Provenance.rs',
    })
  ).token,
]

const settings = { seed: 20261121, numRuns: runsAll ? 250 : 80 }
const types = Object.keys(fhirRegistry) as FhirType[]
const text = fc.string({ unit: 'grapheme', maxLength: 60 })

const name = fc.tuple(
  fc.oneof(
    fc.constantFrom(...Object.keys(searchParameterNumbers)),
    fc.constantFrom(
      '_count',
      '_sort',
      '_include',
      '_revinclude',
      '_cursor',
      '_format',
      '_total',
      '_has',
      '_type',
      '_since',
      '__proto__',
      'constructor',
      '',
    ),
    text,
  ),
  fc.constantFrom(
    '',
    '',
    '',
    ':not',
    ':missing',
    ':exact',
    ':contains',
    ':Patient',
    ':text',
    ':below',
    ':foo',
    ':not:not',
    '.name',
    ':',
  ),
)

const value = fc.oneof(
  text,
  fc.integer().map(String),
  fc.constantFrom(
    'pt-otis-samplewood',
    'Patient/pt-otis-samplewood',
    'https://portal.example/r4/sandpiper-demonstration/Patient/pt-otis-samplewood',
    'http://loinc.org|8480-6',
    '|',
    '||',
    '|x',
    'x|',
    'a,b',
    ',',
    ',,',
    '\\,',
    '\\',
    '$',
    'true',
    'false',
    'ge2024',
    'gt2024-02-30',
    'ne2024',
    'sa2024',
    'eb2024',
    'ap2024',
    'ge',
    '9999-12-31',
    '0001-01-01',
    '2024-01-01T00:00:00.123456789+14:00',
    '-0',
    'NaN',
    '1e9',
    '500',
    '501',
    '0',
    'date',
    '-date',
    '_lastUpdated',
    '-_lastUpdated,date',
    'Provenance:target',
    'MedicationRequest:medication',
    '*',
    ':',
    "' OR 1=1 --",
    '%',
    '_',
    '\u{10ffff}',
    '\u0000',
    '\ufeff',
    'İ',
    'ﬁ',
    'Ⅷ',
    'א'.repeat(50),
    'a'.repeat(3_000),
  ),
)

const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 })
const encoded = pairs.map((all) =>
  all
    .map(([[base, modifier], text]) => `${encodeURIComponent(base + modifier)}=${encodeURIComponent(text)}`)
    .join('&'),
)
const raw = fc
  .array(
    fc.constantFrom(
      '&',
      '=',
      '%',
      '%zz',
      '%c3',
      '%28',
      '+',
      'code',
      '_count',
      '25',
      ';',
      '[',
      ']',
      '?',
      '%00',
      '#',
      '|',
      ',',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const place = fc.oneof(
  fc.constantFrom(...types),
  fc.constantFrom(
    'Patient/pt-otis-samplewood/$everything',
    'DocumentReference/$docref',
    'DocumentReference/x/$attachment',
    'metadata',
    'Patient/pt-otis-samplewood',
  ),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...types,
          '..',
          '.',
          '',
          '%2e%2e',
          '%2F',
          '%00',
          '%ff',
          '$everything',
          '_search',
          '_history',
          'pt-otis-samplewood',
        ),
        text.map(encodeURIComponent),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('/')),
)

const headers = fc.record(
  {
    prefer: fc.constantFrom('handling=lenient', 'handling=strict', 'respond-async', ';;;', ''),
    accept: fc.constantFrom('application/fhir+json', '*/*', 'text/html', ';q=', 'application/fhir+json;q=0'),
    'if-none-match': fc.constantFrom('*', 'W/"1"', '"', ','),
    'if-modified-since': fc.constantFrom('never', 'Thu, 01 Jan 2099 00:00:00 GMT'),
    range: fc.constantFrom('bytes=0-', 'bytes=-', 'bytes=9-1', 'lines=1'),
  },
  { requiredKeys: [] },
)

test('no path, parameter, form or header is answered with a fault', async () => {
  await fc.assert(
    fc.asyncProperty(
      place,
      fc.oneof(encoded, encoded, encoded, raw),
      headers,
      fc.constantFrom('GET', 'GET', 'GET', 'POST', 'HEAD', 'DELETE', 'OPTIONS'),
      fc.nat(3),
      async (path, query, given, method, who) => {
        if (++requests % 50 === 0) stack.services.advance(1_000)
        const token = tokens[who] ?? null
        const answer =
          method === 'POST'
            ? await stack.call(`${path}/_search`, {
                token,
                method,
                body: query,
                headers: { ...given, 'content-type': 'application/x-www-form-urlencoded' },
              })
            : await stack.call(`${path}?${query}`, { token, method, headers: given })

        expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500)
        if (answer.text !== '' && answer.status !== 206) {
          expect(['Bundle', 'OperationOutcome', 'CapabilityStatement', 'Patient']).toContain(
            answer.body?.resourceType,
          )
        }
        if (answer.status >= 400 && method !== 'HEAD') expect(answer.body?.issue).toHaveLength(1)
      },
    ),
    settings,
  )
})

test('a form of arbitrary bytes is refused as one, and 50 kB of parameters too', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const [token = ''] = tokens
  const post = (body: BodyInit, headers: Record<string, string> = form) =>
    stack.call('Observation/_search', { token, method: 'POST', headers, body })

  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect([200, 400, 403, 404]).toContain((await post(new Blob([bytes]), form)).status)
    }),
    { ...settings, numRuns: 40 },
  )
  const many = `code=${'a'.repeat(50_000)}`
  expect((await post(many)).status).toBe(400)
  expect((await stack.call(`Observation?${many}`, { token })).status).toBe(400)
  expect((await post('patient=%ff')).body.issue[0].diagnostics).toBe(
    'The search is not percent-encoded UTF-8.',
  )
  expect((await post(`x=${'a'.repeat(1_100_000)}`)).status).toBe(413)
})
