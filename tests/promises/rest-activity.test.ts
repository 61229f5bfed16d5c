import { describe, expect, test } from 'vitest'
import { keyPattern, makeKey } from '../../server/contract/keys/key-format.ts'
import { fhirStack } from '../support/fhir.ts'
import { restStack } from '../support/rest.ts'

const logLines: string[] = []

const stack = await restStack({ logLines })

async function activityOf(keyId: string) {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.activityLog.page({ keyId, limit: 200 })
  return rows
}

async function accessOf(keyId: string) {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.pool.query(
    'SELECT * FROM log.phi_audit WHERE principal_id = $1 ORDER BY id',
    [keyId],
  )
  return rows
}

test('a request’s log line names its practice and the public part of its credential, unless it is unknown', async () => {
  const { key } = await stack.issueKey()
  const fhir = await fhirStack({ services: stack.services })
  const { token } = await fhir.issueToken()
  const lineOf = async (call: () => Promise<unknown>) => {
    logLines.length = 0
    await call()
    return logLines.map((line) => JSON.parse(line)).find(({ route }) => route)
  }

  const served = await lineOf(() => stack.call('/patients?limit=1', { key }))
  const refused = await lineOf(() => stack.call('/patients?limit=0', { key }))
  const fromApp = await lineOf(() => fhir.call('Patient/pt-wren-testwell', { token }))
  const unknown = await lineOf(() =>
    stack.call('/patients', { key: makeKey('sandbox', () => Buffer.alloc(32, 9)) }),
  )

  const practice = 'sandpiper-demonstration'
  expect(served).toMatchObject({ status: 200, practice, keyPrefix: key.slice(0, 12) })
  expect(refused).toMatchObject({ status: 400, practice, keyPrefix: key.slice(0, 12) })
  expect(fromApp).toMatchObject({ status: 200, practice, clientId: expect.any(String) })
  expect(unknown).toMatchObject({ status: 401 })
  expect(Object.keys(unknown)).not.toEqual(expect.arrayContaining(['practice']))
  expect(JSON.stringify([served, refused, fromApp])).not.toContain(key.slice(12))
})

describe('the activity log', () => {
  test('has a served request, with its route’s pattern, when the response arrives', async () => {
    const { key, id } = await stack.issueKey()

    const response = await stack.call('/patients/pt-wren-testwell', {
      key,
      ip: '2001:db8::7',
      headers: { 'x-correlation-id': 'visit-7' },
    })
    const { rows } = await stack.services.activityLog.page({ keyId: id, limit: 10 })

    expect(response.headers.get('x-client-correlation-id')).toBe('visit-7')
    expect(rows).toEqual([
      {
        at: stack.services.clock(),
        method: 'GET',
        route: '/patients/{id}',
        status: 200,
        ip: '2001:db8::7',
        durationMs: expect.any(Number),
        correlationId: response.headers.get('x-correlation-id'),
        clientCorrelationId: 'visit-7',
        refusalReason: null,
        refusal: null,
        fromBrowser: false,
        fault: null,
        count: 1,
        keyId: id,
        clientId: null,
        claimedPrefix: null,
      },
    ])
  })

  test('has the reason of every refusal', async () => {
    const { key, id } = await stack.issueKey()

    await stack.call('/patients?limit=0', { key })
    await stack.call('/patients?secret=1', { key })
    await stack.call('/patients/nobody', { key })
    await stack.call('/nowhere', { key })
    await stack.call('/patients', { key, method: 'DELETE' })
    await stack.call('/keys/1', { key })
    await stack.call('/context', { key, headers: { 'x-purpose': 'fun' } })

    const rows = await activityOf(id)
    expect(
      rows.map(({ method, route, status, refusalReason }) => [method, route, status, refusalReason]),
    ).toEqual(
      [
        ['GET', '/patients', 400, 'The request was not valid: limit.'],
        ['GET', '/patients', 400, 'The request was not valid: unknown_parameter.'],
        ['GET', '/patients/{id}', 404, 'The key’s practice has no such record, or the path doesn’t exist.'],
        ['GET', '*', 404, 'The key’s practice has no such record, or the path doesn’t exist.'],
        ['DELETE', '/patients', 403, 'The key is read-only and the request was a write.'],
        ['GET', '/keys/**', 403, 'An API key may not issue, list, change or revoke API keys.'],
        ['GET', '/context', 400, 'The request was not valid: X-Purpose.'],
      ].reverse(),
    )
  })

  test('has the REST API’s reason for a method that a path does not support', async () => {
    const { key, id } = await stack.issueKey({ level: 'full' })

    await stack.call('/patients', { key, method: 'DELETE' })

    const [row] = await activityOf(id)
    expect([row?.route, row?.status, row?.refusalReason]).toEqual([
      '/patients',
      405,
      'The path doesn’t support this method.',
    ])
  })

  test('has the attempts with a key’s prefix and another secret, and with a revoked key', async () => {
    const { key, id } = await stack.issueKey()
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const publicId = [...key.slice(5, 12)].map((letter) => alphabet.indexOf(letter))
    const guess = makeKey('sandbox', (size) => Buffer.from([...publicId, ...Array(size - 7).fill(3)]))

    await stack.call('/patients', { key: guess })
    await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })
    await stack.call('/patients', { key })

    expect((await activityOf(id)).map(({ refusalReason }) => refusalReason)).toEqual([
      'The key was revoked.',
      'The prefix belongs to this key, but the rest is wrong.',
    ])
  })

  test('stores the prefix that an unknown or broken key claims, and nothing else of the key', async () => {
    const { key } = await stack.issueKey()
    const broken = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`

    await stack.call('/patients', { key: broken })
    await stack.services.recorder.flush()

    const { rows } = await stack.services.pool.query(
      'SELECT key_id, practice_id, refusal FROM log.activity WHERE claimed_prefix = $1',
      [key.slice(0, 12)],
    )
    expect(rows).toEqual([{ key_id: null, practice_id: null, refusal: 'wrong_checksum' }])
  })

  test('marks requests from a browser', async () => {
    const { key, id } = await stack.issueKey()

    const response = await stack.call('/context', { key, headers: { origin: 'https://app.example' } })

    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect((await activityOf(id))[0]?.fromBrowser).toBe(true)
  })

  test('counts every request of a flood', async () => {
    const { key, id } = await stack.issueKey()

    await Promise.all(Array.from({ length: 2_000 }, () => stack.call('/context', { key })))

    await stack.services.recorder.flush()
    const { rows } = await stack.services.pool.query(
      'SELECT sum(count)::int AS n FROM log.activity WHERE key_id = $1',
      [id],
    )
    expect(rows[0].n).toBe(2_000)
    // The next tests start with full rate limits.
    stack.services.advance(60_000)
  })
})

describe('the practice’s record of access', () => {
  test('names the caller, the action, the patient, the number of records and the purpose', async () => {
    const { key, id, practiceId } = await stack.issueKey()

    const read = await stack.call('/patients/pt-wren-testwell', {
      key,
      headers: { 'x-purpose': 'treatment' },
    })
    await stack.call('/patients?limit=2', { key })
    await stack.call('/patients/nobody', { key })
    await stack.call('/context', { key })

    const rows = await accessOf(id)
    expect(rows[0]).toMatchObject({
      practice_id: practiceId,
      principal_kind: 'api_key',
      action: 'read',
      resource_type: 'Patient',
      patient_id: 'pt-wren-testwell',
      count: 1,
      purpose: 'treatment',
      outcome: 'served',
      correlation_id: read.headers.get('x-correlation-id'),
    })
    expect(
      rows
        .slice(1)
        .map(({ action, patient_id, count, purpose, outcome }) => [
          action,
          patient_id,
          count,
          purpose,
          outcome,
        ]),
    ).toEqual([
      ['search', null, 2, 'operations', 'served'],
      ['read', null, 0, 'operations', 'refused'],
      ['context', null, 0, 'operations', 'served'],
    ])
  })

  test('no patient data is sent while the record of access cannot be written', async () => {
    const broken = await restStack({ template: 'cast' })
    const { key } = await broken.issueKey()
    expect((await broken.call('/patients', { key })).status).toBe(200)

    await broken.services.database.ownerPool.query('ALTER TABLE log.phi_audit RENAME TO elsewhere')
    const response = await broken.call('/patients/pt-wren-testwell', { key })

    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(response.text).not.toContain('Testwell')
    await broken.services.database.ownerPool.query('ALTER TABLE log.elsewhere RENAME TO phi_audit')
    expect((await broken.call('/patients/pt-wren-testwell', { key })).status).toBe(200)
  })
})

test('neither the log nor the database holds a query string, a searched name, or a key', async () => {
  const { key } = await stack.issueKey()
  await stack.call('/patients?q=Fauxworth&mrn=SYN-777777&dob=1931-07-21', { key })
  await stack.call('/patients?Zanzibar=1', { key })
  await stack.call('/Zanzibar/path', { key })
  await stack.call('/patients/Zanzibar', { key })
  await stack.call(`/patients/${key}`, { key, headers: { 'x-correlation-id': key } })
  await stack.call(`/patients?q=${key}`, { authorization: `Basic ${key}` })
  await stack.services.recorder.flush()

  const { rows } = await stack.services.pool.query(
    'SELECT a::text AS text FROM log.activity a UNION ALL SELECT p::text FROM log.phi_audit p',
  )
  const texts = [...rows.map(({ text }) => text as string), ...logLines]
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts) {
    expect(text).not.toMatch(/Fauxworth|SYN-777777|1931-07-21|Zanzibar/)
    expect(text).not.toMatch(keyPattern)
  }
})
