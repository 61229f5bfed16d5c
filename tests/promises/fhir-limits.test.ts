/** Budgets of the FHIR interface, and what is written down of each call. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type FhirCallOptions, type FhirStack, fhirStack } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'
import { longTest } from '../support/slice.ts'

const stack = await fhirStack()

beforeEach(() => {
  // A fresh minute at its very beginning, so that no test pays for another.
  stack.services.advance(60_000 - (stack.services.clock().getTime() % 60_000))
})

const cheap = 'Patient?_id=pt-nil-stubwell&_count=0'

/** As many calls in the one moment of the stopped clock, 16 under way at a time: the pool has 8 connections. */
async function burst(times: number, options: FhirCallOptions, path = cheap) {
  const answers: Awaited<ReturnType<FhirStack['call']>>[] = []
  let next = 0
  const lane = async () => {
    while (next < times) answers[next++] = await stack.call(path, options)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return (status: number) => answers.filter((answer) => answer?.status === status)
}

describe('a token', () => {
  test('is served exactly 300 times in a second, then told how long to wait', async () => {
    const { token } = await stack.issueToken()

    const first = await burst(320, { token }, 'Nothing')

    expect([first(404).length, first(429).length]).toEqual([300, 20])
    const [refused] = first(429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect(refused?.body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'throttled' }] })
    stack.services.advance(1_000)
    expect((await stack.call(cheap, { token })).status).toBe(200)
  })

  test('is told its own budget, and a refused request costs nothing', async () => {
    const { token } = await stack.issueToken()

    const first = await stack.call('Nothing', { token })
    const second = await stack.call(cheap, { token })

    expect(first.headers.get('ratelimit')).toBe('"second";r=299;t=1, "minute";r=8999;t=60')
    expect(second.headers.get('ratelimit')).toBe('"second";r=298;t=1, "minute";r=8998;t=60')
    expect(second.headers.get('ratelimit-policy')).toBe('"second";q=300;w=1, "minute";q=9000;w=60')
  })

  test('of an app with higher limits on request has those', async () => {
    const { token, clientId } = await stack.issueToken()
    await stack.services.prisma.clientLimit.create({
      data: {
        clientId,
        burst: 400,
        sustained: 9_500,
        reason: 'asked for it',
        createdAt: stack.services.clock(),
      },
    })
    stack.services.advance(60_000)

    const answers = await burst(410, { token }, 'Nothing')

    expect([answers(404).length, answers(429).length]).toEqual([400, 10])
  })
})

describe('heavy requests of a token', () => {
  const included = 'Patient?_id=pt-nil-stubwell&_revinclude=Provenance:target&_count=1'

  test('are served 100 times in a second, by GET and by POST, while its other requests go on', async () => {
    const { token } = await stack.issueToken()
    const other = await stack.issueToken()

    const answers = await burst(104, { token }, included)

    expect([answers(200).length, answers(429).length]).toEqual([100, 4])
    expect(answers(429)[0]?.headers.get('retry-after')).toBe('1')
    const form = new URLSearchParams(included.split('?')[1])
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const posted = { token, method: 'POST', headers, body: `${form}` }
    expect((await stack.call('Patient/_search', posted)).status).toBe(429)
    expect((await stack.call(cheap, { token })).status).toBe(200)
    expect((await stack.call(included, { token: other.token })).status).toBe(200)
    stack.services.advance(1_000)
    expect((await stack.call(included, { token })).status).toBe(200)
  })

  test('weigh what their row says: a CCD as much as ten pages of $everything', async () => {
    const { token, tokenId } = await stack.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })
    const statuses = async (used: number) => {
      stack.services.advance(60_000)
      await stack.services.limiter.take([{ window: 'heavy', subject: tokenId, cost: used }])
      const ccd = await stack.call('Patient/pt-wren-testwell/$ccda', { token })
      const chart = await stack.call('Patient/pt-wren-testwell/$everything?_count=1', { token })
      return [ccd.status, chart.status]
    }

    expect(await statuses(89)).toEqual([200, 200])
    expect(await statuses(90)).toEqual([200, 429])
    expect(await statuses(91)).toEqual([429, 200])
    expect(await statuses(100)).toEqual([429, 429])
  })
})

test('a practice is served 600 times in a second over all tokens, from whatever addresses', async () => {
  const tokens = await Promise.all([1, 2, 3].map(() => stack.issueToken()))

  let served = 0
  for (const [index, { token }] of tokens.entries()) {
    served += (await burst(210, { token, ip: `198.51.100.${index}` }, 'Nothing'))(404).length
  }

  expect(served).toBe(600)
  const { token } = await stack.issueToken({ practice: 'sandbox-template' })
  expect((await stack.call(cheap, { token, practice: 'sandbox-template', ip: '198.51.100.9' })).status).toBe(
    200,
  )
})

longTest('an address is served 600 times in a second, before anybody asks who it is', async () => {
  const answers = await burst(610, { ip: '203.0.113.5' }, 'Nothing')

  expect([answers(401).length, answers(429).length]).toEqual([600, 10])
  const { token } = await stack.issueToken()
  const refused = await stack.call(cheap, { token, ip: '203.0.113.5' })
  const anonymous = await stack.call('metadata', { ip: '203.0.113.5' })
  expect([refused.status, anonymous.status]).toEqual([429, 429])
  expect(masked(refused.text)).toBe(masked(anonymous.text))
  expect((await stack.call(cheap, { token, ip: '203.0.113.6' })).status).toBe(200)
})

describe('the record', () => {
  async function recordsOf(correlationId: string | null) {
    await stack.services.recorder.flush()
    const { pool } = stack.services
    const { rows: activity } = await pool.query('SELECT * FROM log.activity WHERE correlation_id = $1', [
      correlationId,
    ])
    const { rows: access } = await pool.query('SELECT * FROM log.phi_audit WHERE correlation_id = $1', [
      correlationId,
    ])
    return { activity: activity[0], access: access[0] }
  }

  test('of a read names who, which app, whose chart, what, why and how it ended', async () => {
    const { token, clientId, practiceId } = await stack.issueToken({ practitionerId: 'pr-1' })
    const search = await stack.call(
      'Observation?patient=pt-wren-testwell&_count=3&_revinclude=Provenance:target',
      { token },
    )
    const observation = search.body.entry[0].resource.id

    const read = await stack.call(`Observation/${observation}`, {
      token,
      headers: { origin: 'https://app.example' },
    })

    const searched = await recordsOf(search.headers.get('x-correlation-id'))
    const seen = await recordsOf(read.headers.get('x-correlation-id'))
    expect(searched.access).toMatchObject({
      practice_id: practiceId,
      principal_kind: 'smart_token',
      principal_id: 'Practitioner/pr-1',
      client_id: clientId,
      action: 'search',
      resource_type: 'Observation',
      patient_id: 'pt-wren-testwell',
      count: search.body.entry.length,
      purpose: 'treatment',
      outcome: 'served',
    })
    expect(seen.access).toMatchObject({
      action: 'read',
      patient_id: 'pt-wren-testwell',
      count: 1,
      outcome: 'served',
    })
    expect(seen.activity).toMatchObject({
      door: 'fhir',
      environment: 'sandbox',
      client_id: clientId,
      method: 'GET',
      route: '/r4/{practice}/Observation/{id}',
      status: 200,
      refusal: null,
      from_browser: true,
    })
  })

  test('of a refusal names its reason and no patient; of no call does it hold a parameter or an id', async () => {
    const { token, clientId } = await stack.issueToken({ scope: 'user/Patient.rs' })

    const forbidden = await stack.call('Observation?patient=pt-wren-testwell', { token })
    const invalid = await stack.call('Patient?_id=pt-wren-testwell&birthdate=2024-13', { token })
    const unknown = await stack.call('Patient/pt-wren-testwell', {})

    const records = await Promise.all(
      [forbidden, invalid, unknown].map(({ headers }) => recordsOf(headers.get('x-correlation-id'))),
    )
    expect(records.map(({ activity }) => [activity.status, activity.refusal, activity.client_id])).toEqual([
      [403, 'no scope for search of Observation', clientId],
      [400, 'validation:birthdate', clientId],
      [401, 'no_credential', null],
    ])
    // Nobody knows what it was meant for who brings no token.
    expect(records.map(({ activity }) => activity.environment)).toEqual(['sandbox', 'sandbox', null])
    expect(records.map(({ access }) => access?.outcome)).toEqual(['refused', 'refused', undefined])
    expect(records.map(({ access }) => access?.patient_id ?? null)).toEqual([null, null, null])
    expect(JSON.stringify(records)).not.toContain('pt-wren')
    expect(JSON.stringify(records)).not.toContain('2024-13')
  })

  test('of a patient and of a backend says for what', async () => {
    const patient = await stack.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })
    const backend = await stack.issueToken({ audience: 'backend' })

    const answers = [
      await stack.call('Patient/pt-wren-testwell/$everything', { token: patient.token }),
      await stack.call('Group', { token: backend.token }),
    ]

    const [own, machine] = await Promise.all(
      answers.map(({ headers }) => recordsOf(headers.get('x-correlation-id'))),
    )
    expect(own?.access).toMatchObject({
      principal_kind: 'smart_token',
      principal_id: 'Patient/pt-wren-testwell',
      action: 'everything',
      patient_id: 'pt-wren-testwell',
      purpose: 'patient_request',
    })
    expect(machine?.access).toMatchObject({
      principal_kind: 'backend_token',
      principal_id: backend.grantId,
      action: 'search',
      resource_type: 'Group',
      patient_id: null,
      purpose: 'operations',
    })
  })

  test('is written before anything leaves: without it the answer is 503', async () => {
    const { token } = await stack.issueToken()
    const { ownerPool } = stack.services.database
    await ownerPool.query('ALTER TABLE log.phi_audit ADD CONSTRAINT broken CHECK (count < 0) NOT VALID')
    const answer = await stack.call('Patient/pt-wren-testwell', { token })
    await ownerPool.query('ALTER TABLE log.phi_audit DROP CONSTRAINT broken')

    expect([answer.status, answer.body.issue[0].code]).toEqual([503, 'transient'])
    expect(answer.text).not.toContain('Testwell')
    expect((await stack.call('Patient/pt-wren-testwell', { token })).status).toBe(200)
  })
})
