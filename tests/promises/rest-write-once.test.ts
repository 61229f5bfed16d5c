import { describe, expect, test } from 'vitest'
import { operations } from '../../server/contract/rest/operations.ts'
import { restStack } from '../support/rest.ts'

const stack = await restStack()
const writer = await stack.issueWriter()

const person = { name: { family: 'Samplewood', given: ['Juniper'] }, birthDate: '1988-02-17' }

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  stack.post(path, body, { key: writer.key, headers })

async function rowCounts() {
  const { rows } = await stack.services.database.ownerPool.query(
    `SELECT (SELECT count(*)::int FROM clinical.resource WHERE dataset_id = $1) AS resources,
            (SELECT count(*)::int FROM clinical.idempotency WHERE dataset_id = $1) AS names`,
    [writer.datasetId],
  )
  return rows[0]
}

describe('Idempotency-Key', () => {
  const named = (name: string, body: unknown = person) => post('/patients', body, { 'idempotency-key': name })

  test('gives the same answer to the same request, whatever the order of its fields, and makes nothing new', async () => {
    const first = await named('once-1')
    const before = await rowCounts()

    const again = await named('once-1')
    const reordered = await named('once-1', {
      birthDate: person.birthDate,
      sex: 'unknown',
      name: { given: ['Juniper'], family: 'Samplewood' },
    })

    expect([first.status, again.status, reordered.status]).toEqual([201, 201, 201])
    expect(again.text).toBe(first.text)
    expect(reordered.text).toBe(first.text)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await rowCounts()).toEqual(before)
  })

  test('answers again with the record of now, which is accounted as read', async () => {
    const answers = [await named('once-read'), await named('once-read')]

    const { rows } = await stack.services.database.ownerPool.query(
      'SELECT action, patient_id FROM log.phi_audit WHERE correlation_id = ANY ($1) ORDER BY id',
      [answers.map(({ headers }) => headers.get('x-correlation-id'))],
    )

    const { id } = answers[0]?.body ?? {}
    expect(rows).toEqual([
      { action: 'create', patient_id: id },
      { action: 'read', patient_id: id },
    ])
  })

  test('refuses another body, and another operation, under the same name', async () => {
    await named('once-2')

    const otherBody = await named('once-2', { ...person, birthDate: '1988' })
    const otherOperation = await post('/encounters', operations.createEncounter.bodyExample, {
      'idempotency-key': 'once-2',
    })

    for (const { status, body } of [otherBody, otherOperation]) {
      expect(status).toBe(400)
      expect(body.error.message).toBe('Idempotency-Key: was already used for another request.')
    }
  })

  test('lets of several at once one make it, and the others have its answer', async () => {
    const before = await rowCounts()

    const answers = await Promise.all(Array.from({ length: 6 }, () => named('once-3')))

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const after = await rowCounts()
    expect(after.names - before.names).toBe(1)
    expect(after.resources - before.resources).toBe(2)
  })

  test('is used up by no refusal, and is each key’s own', async () => {
    const refused = await named('once-4', { ...person, birthDate: '2099' })
    const corrected = await named('once-4')
    const other = await stack.issueKey({ practice: await slugOf(writer.practiceId), level: 'full' })
    const others = await stack.post('/patients', person, {
      key: other.key,
      headers: { 'idempotency-key': 'once-4' },
    })

    expect([refused.status, corrected.status, others.status]).toEqual([400, 201, 201])
    expect(others.body.id).not.toBe(corrected.body.id)
  })

  test.each(['', 'a b', 'é', 'x'.repeat(256)])('must not be %j', async (name) => {
    const answer = await named(name)

    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe('Idempotency-Key must have 1 to 255 visible ASCII characters.')
  })

  test('keeps the status and the id, and nothing of a body', async () => {
    await named('once-5', { name: { family: 'Unrepeatable-Zzyzx' }, birthDate: '1970' })

    const { rows } = await stack.services.pool.query(
      `SELECT * FROM clinical.idempotency WHERE name = 'once-5'`,
    )

    expect(Object.keys(rows[0]).sort()).toEqual(
      [
        'created_at',
        'dataset_id',
        'key_id',
        'name',
        'request',
        'resource_id',
        'resource_type',
        'status',
      ].sort(),
    )
    expect(JSON.stringify(rows)).not.toMatch(/zzyzx/i)
  })

  test('is forgotten after 24 hours', async () => {
    const first = await named('once-6')

    stack.services.advance(24 * 3_600_000 - 1)
    expect((await named('once-6')).body.id).toBe(first.body.id)
    stack.services.advance(1)

    expect((await named('once-6')).body.id).not.toBe(first.body.id)
    expect(
      await stack.services.store.deleteOnceBefore(new Date(stack.services.clock().getTime() - 1)),
    ).toBeGreaterThan(0)
  })
})

describe('a write', () => {
  test('stands in both logs when its answer arrives, with patient and purpose, and nothing of its body', async () => {
    const { headers, body } = await post(
      '/patients',
      { name: { family: 'Logless-Zzyzx' }, birthDate: '1970' },
      {
        'x-purpose': 'treatment',
      },
    )

    const correlationId = headers.get('x-correlation-id')
    const activity = await stack.services.pool.query(
      'SELECT method, route, status, refusal FROM log.activity WHERE correlation_id = $1',
      [correlationId],
    )
    const access = await stack.services.pool.query(
      'SELECT action, resource_type, patient_id, count, purpose, outcome FROM log.phi_audit WHERE correlation_id = $1',
      [correlationId],
    )
    expect(activity.rows).toEqual([{ method: 'POST', route: '/patients', status: 201, refusal: null }])
    expect(access.rows).toEqual([
      {
        action: 'create',
        resource_type: 'Patient',
        patient_id: body.id,
        count: 1,
        purpose: 'treatment',
        outcome: 'served',
      },
    ])
    const logs = await stack.services.pool.query(
      `SELECT (SELECT string_agg(a::text, '') FROM log.activity a) || (SELECT string_agg(p::text, '') FROM log.phi_audit p) AS text`,
    )
    expect(logs.rows[0].text).not.toMatch(/zzyzx|samplewood/i)
  })

  test('by a key that was revoked since writes nothing', async () => {
    const { key, id, datasetId } = await stack.issueWriter()
    await stack.call('/context', { key })
    await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })

    const answer = await stack.post('/patients', { ...person, mrn: 'SYN-DEAD' }, { key })

    expect(answer.status).toBe(401)
    const { rowCount } = await stack.services.pool.query(
      `SELECT 1 FROM clinical.identifier WHERE dataset_id = $1 AND value = 'SYN-DEAD'`,
      [datasetId],
    )
    expect(rowCount).toBe(0)
  })

  test('goes to the practice’s new records when it has moved', async () => {
    const { key, practiceId, datasetId } = await stack.issueWriter()
    await stack.post('/patients', person, { key })
    await stack.services.practiceData.reset(practiceId)

    const answer = await stack.post('/patients', { ...person, mrn: 'SYN-MOVED' }, { key })

    expect(answer.status).toBe(201)
    const { rows } = await stack.services.pool.query(
      `SELECT dataset_id FROM clinical.identifier WHERE value = 'SYN-MOVED'`,
    )
    expect(rows.map(({ dataset_id }) => dataset_id)).not.toContain(datasetId)
    expect(rows).toHaveLength(1)
  })

  test('touches no other practice’s dataset', async () => {
    const datasets = new Set<number>()
    const stop = stack.services.store.onStatement(({ datasetId }) => datasets.add(datasetId))

    await post('/patients', person)
    await post('/encounters', operations.createEncounter.bodyExample)
    await post('/documents', operations.createDocument.bodyExample)

    stop()
    // 0 is the dictionary of codes, which belongs to nobody.
    datasets.delete(0)
    expect([...datasets]).toEqual([writer.datasetId])
  })
})

async function slugOf(practiceId: string): Promise<string> {
  return (await stack.services.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })).slug
}
