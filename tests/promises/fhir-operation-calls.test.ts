/** Every way to call every operation: GET, POST with a form, POST with a Parameters resource. */
import { describe, expect, test } from 'vitest'
import { fhirOperationCalls, type OperationInput } from '../../server/contract/fhir/operation-calls.ts'
import {
  bulkOperations,
  type FhirOperationName,
  fhirOperations,
} from '../../server/contract/fhir/operations.ts'
import { entriesOf, type FhirAnswer, type FhirCallOptions, fhirStack, matchesOf } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'

const patientId = 'pt-wren-testwell'
const form = 'application/x-www-form-urlencoded'
const fhirJson = 'application/fhir+json'

const stack = await fhirStack()
const expiresAt = new Date(stack.services.clock().getTime() + 3_600_000)
const token = (await stack.issueToken({ audience: 'backend', expiresAt })).token
const documents = await stack.call('DocumentReference?patient=pt-otis-samplewood', { token })
const { id } = entriesOf(documents).find(({ resource }) => resource.content[0].attachment.url)?.resource ?? {}
const paths = {
  everything: `Patient/${patientId}/$everything`,
  docref: 'DocumentReference/$docref',
  ccda: `Patient/${patientId}/$ccda`,
  attachment: `DocumentReference/${id}/$attachment`,
}

type Pairs = readonly (readonly [name: string, value: string])[]
type Way = (path: string, pairs: Pairs, options?: FhirCallOptions) => Promise<FhirAnswer>

const values: Partial<Record<OperationInput['kind'], (text: string) => object>> = {
  number: (text) => ({ valueInteger: Number(text) }),
  flag: (text) => ({ valueBoolean: text === 'true' }),
  date: (text) => ({ valueDate: text }),
  instant: (text) => ({ valueInstant: text }),
  types: (text) => ({ valueCode: text }),
  patient: (text) => ({ valueId: text }),
  code: (text) => ({ valueCodeableConcept: { coding: [{ system: 'http://loinc.org', code: text }] } }),
}
const kindOf = (name: string) =>
  Object.values(fhirOperationCalls)
    .flatMap<OperationInput>(({ inputs }) => [...inputs])
    .find((input) => input.name === name)?.kind ?? 'code'

const parametersOf = (pairs: Pairs) => ({
  resourceType: 'Parameters',
  ...(pairs.length > 0 && {
    parameter: pairs.map(([name, value]) => ({
      name,
      ...(values[kindOf(name)]?.(value) ?? { valueString: value }),
    })),
  }),
})

function post(path: string, type: string | null, body: BodyInit | undefined, options: FhirCallOptions = {}) {
  const headers = { ...(type !== null && { 'Content-Type': type }), ...options.headers }
  return stack.call(path, { token, ...options, method: 'POST', headers, ...(body !== undefined && { body }) })
}

const ways: Record<string, Way> = {
  'a query string': (path, pairs, options) =>
    stack.call(pairs.length === 0 ? path : `${path}?${query(pairs)}`, { token, ...options }),
  'a form': (path, pairs, options) => post(path, form, query(pairs), options),
  'a Parameters resource': (path, pairs, options) =>
    post(path, fhirJson, JSON.stringify(parametersOf(pairs)), options),
}
const query = (pairs: Pairs) => String(new URLSearchParams(pairs.map(([name, value]) => [name, value])))

const names = Object.keys(fhirOperations) as FhirOperationName[]
const inputs = names.flatMap((name) =>
  fhirOperationCalls[name].inputs.map((input): [FhirOperationName, string, OperationInput] => [
    name,
    input.name,
    input,
  ]),
)
/** What a call needs beside the parameter. */
const required = (name: FhirOperationName, given: string): Pairs =>
  name === 'docref' && given !== 'patient' ? [['patient', patientId]] : []

describe.each(Object.entries(ways))('in %s', (_, call) => {
  test.each(inputs)(
    '$%s takes its parameter %s as often as its definition says',
    async (name, _name, input) => {
      const one = [input.name, input.example] as const

      const once = await call(paths[name], [...required(name, input.name), one])
      const twice = await call(paths[name], [...required(name, input.name), one, one])

      expect(once.status, once.text.slice(0, 300)).toBe(200)
      // The definitions of HL7: _type is 0..*, all others 0..1.
      if (input.kind === 'types') expect(twice.status, twice.text.slice(0, 300)).toBe(200)
      else {
        expect([twice.status, twice.body.issue[0].code]).toEqual([400, 'value'])
        expect(twice.body.issue[0].diagnostics).toContain(input.name)
      }
    },
  )

  test('$everything lists the resources of each _type', async () => {
    const several = await call(paths.everything, [
      ['_type', 'Condition'],
      ['_type', 'Goal,Coverage'],
    ])
    const listed = await call(paths.everything, [['_type', 'Condition,Goal,Coverage']])

    expect(matchesOf(several).length).toBeGreaterThan(3)
    expect(matchesOf(several)).toEqual(matchesOf(listed))
  })

  test('an unknown parameter is refused', async () => {
    for (const name of names) {
      const { status, body } = await call(paths[name], [...required(name, ''), ['flavour', 'x']])
      expect([status, body.resourceType], name).toEqual([400, 'OperationOutcome'])
    }
  })
})

describe('POST', () => {
  test.each(names)('to $%s is answered as GET, logged as GET and counted as GET', async (name) => {
    const pairs = required(name, '')
    const expected = await ways['a query string']?.(paths[name], pairs)
    const bodies: [type: string | null, body: string | undefined][] = [
      [form, query(pairs)],
      [`${form}; charset=UTF-8`, query(pairs)],
      [fhirJson, JSON.stringify(parametersOf(pairs))],
      [`${fhirJson}; charset=utf-8; fhirVersion=4.0`, JSON.stringify(parametersOf(pairs))],
      ['application/json', JSON.stringify(parametersOf(pairs))],
      ...(pairs.length > 0
        ? []
        : ([
            [fhirJson, ''],
            [null, undefined],
          ] as [string | null, undefined][])),
    ]

    const answers: FhirAnswer[] = []
    for (const [type, body] of bodies) {
      stack.services.advance(2_000)
      answers.push(await post(paths[name], type, body))
    }

    for (const answer of answers) {
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      expect(unsealed(answer.text)).toBe(unsealed(expected?.text ?? ''))
      expect(answer.headers.get('content-type')).toBe(expected?.headers.get('content-type'))
    }
    const logged = await logOf([expected as FhirAnswer, ...answers])
    expect(new Set(logged.map(({ method: _, ...row }) => JSON.stringify(row))).size).toBe(1)
    expect(logged.map(({ method }) => method)).toEqual(['GET', ...answers.map(() => 'POST')])
  })

  test('to a heavy operation takes as much of the heavy requests as GET', async () => {
    const own = await stack.issueToken({ audience: 'patient', patientId })
    await stack.services.limiter.take([{ window: 'heavy', subject: own.tokenId, cost: 99 }])

    const [served, refused] = [
      await post(paths.everything, form, '_count=1', { token: own.token }),
      await post(paths.everything, form, '_count=1', { token: own.token }),
    ]

    expect([served.status, refused.status]).toEqual([200, 429])
  })

  test('needs what GET needs: a token, its scopes, its patient', async () => {
    const narrow = await stack.issueToken({ audience: 'patient', patientId, scope: 'patient/Patient.rs' })
    const other = await stack.issueToken({ audience: 'patient', patientId: 'pt-otis-samplewood' })

    for (const name of ['everything', 'ccda'] as const) {
      const none = await post(paths[name], form, '', { token: null })
      expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="sandpiper"'])
      expect((await post(paths[name], form, '', { token: narrow.token })).status).toBe(403)
      const [hers, nobodys] = [
        await post(paths[name], form, '', { token: other.token }),
        await post(paths[name].replace(patientId, 'nobody'), form, '', { token: other.token }),
      ]
      expect([hers.status, masked(hers.text)]).toEqual([404, masked(nobodys.text)])
    }
    const docref = await post(paths.docref, form, query([['patient', patientId]]), { token: other.token })
    expect(docref.status).toBe(403)
  })

  const parameter = (element: object) => JSON.stringify({ resourceType: 'Parameters', parameter: [element] })
  test.each([
    ['XML', 'application/fhir+xml', '<Parameters xmlns="http://hl7.org/fhir"/>', 415],
    ['plain text', 'text/plain', 'patient=x', 415],
    ['a file upload', 'multipart/form-data; boundary=x', '--x--', 415],
    ['a body without a type', '', 'patient=x', 415],
    ['JSON in another encoding', 'application/fhir+json; charset=latin1', '{}', 415],
    ['another version of FHIR', 'application/fhir+json; fhirVersion=3.0', '{}', 415],
    ['broken JSON', fhirJson, '{"resourceType":', 400],
    ['another resource', fhirJson, '{"resourceType":"Patient"}', 400],
    ['a list', fhirJson, '[]', 400],
    ['a parameter without a name', fhirJson, parameter({ valueString: 'x' }), 400],
    ['a parameter without a value', fhirJson, parameter({ name: '_type' }), 400],
    [
      'a parameter with two values',
      fhirJson,
      parameter({ name: '_type', valueCode: 'Goal', valueString: 'x' }),
      400,
    ],
    ['a resource as a parameter', fhirJson, parameter({ name: '_type', resource: {} }), 400],
    ['parts of a parameter', fhirJson, parameter({ name: '_type', part: [] }), 400],
    ['a value that is no text', fhirJson, parameter({ name: '_type', valueQuantity: { value: 1 } }), 400],
    ['a NUL character', fhirJson, parameter({ name: '_type', valueCode: 'Go\u0000al' }), 400],
    [
      'half a character',
      fhirJson,
      '{"resourceType":"Parameters","parameter":[{"name":"_type","valueCode":"\\ud800"}]}',
      400,
    ],
    ['too many parameters', fhirJson, JSON.stringify(parametersOf(Array(61).fill(['_type', 'Goal']))), 400],
    ['too large a body', form, `_type=${'x'.repeat(1_048_577)}`, 413],
  ])('refuses %s with an outcome', async (_, type, body, status) => {
    for (const name of names) {
      const answer = await post(paths[name], type === '' ? null : type, new TextEncoder().encode(body))
      expect([answer.status, answer.body.resourceType], `${name} ${answer.text}`).toEqual([
        status,
        'OperationOutcome',
      ])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      if (status === 415) expect(answer.body.issue[0].diagnostics).toContain('Parameters')
    }
  })

  test('refuses a compressed body', async () => {
    const answer = await post(paths.everything, form, '_count=1', { headers: { 'Content-Encoding': 'gzip' } })

    expect([answer.status, answer.body.issue[0].diagnostics]).toEqual([
      415,
      'The body must not be compressed.',
    ])
  })

  test('is said to be served in the capability statement, of all operations but the export', async () => {
    const { body } = await stack.call('metadata')
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
    const said = body.rest[0].resource.flatMap(({ operation = [] }: any) => operation)

    const posted = said.filter(({ documentation }: { documentation: string }) =>
      documentation.includes('POST'),
    )
    expect(posted.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort())
    expect(said).toHaveLength(names.length + Object.keys(bulkOperations).length)
    expect((await post('Group/population/$export', fhirJson, '{"resourceType":"Parameters"}')).status).toBe(
      404,
    )
  })
})

/** A cursor is sealed anew for each page, and the time of an answer is its own. */
const unsealed = (text: string) =>
  text.replace(/_cursor=[\w.-]+/g, '_cursor').replace(/"lastUpdated":"[^"]+"/g, '')

async function logOf(answers: FhirAnswer[]) {
  await stack.services.recorder.flush()
  const rows = await Promise.all(
    answers.map(({ headers }) =>
      stack.services.pool.query(
        `SELECT a.method, a.route, a.status, p.action, p.resource_type, p.patient_id, p.count, p.purpose, p.outcome
         FROM log.activity a JOIN log.phi_audit p USING (correlation_id) WHERE correlation_id = $1`,
        [headers.get('x-correlation-id')],
      ),
    ),
  )
  return rows.map(({ rows: [row] }) => row)
}
