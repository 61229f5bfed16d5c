import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../server/contract/operations.ts'
import { documentTypes, encounterTypes } from '../../server/contract/record-codes.ts'
import { planRead } from '../../server/search/patient-list.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { type RestStack, restStack } from '../support/rest.ts'

let stack: RestStack
let writer: Awaited<ReturnType<RestStack['issueWriter']>>

beforeAll(async () => {
  stack = await restStack()
  writer = await stack.issueWriter()
})

const person = { name: { family: 'Samplewood', given: ['Juniper'] }, birthDate: '1988-02-17' }

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  stack.post(path, body, { key: writer.key, headers })
const get = (path: string) => stack.call(path, { key: writer.key })

async function resourceOf(type: 'Patient' | 'Encounter' | 'DocumentReference', id: string) {
  const { rows } = await stack.services.store.find(writer.datasetId, planRead(type, id), noLiveness)
  return rows[0] && JSON.parse(rows[0].content)
}

/** What lies in the practice and in the logs, to see that a refusal leaves nothing. */
async function rowCounts() {
  const { rows } = await stack.services.database.ownerPool.query(
    `SELECT (SELECT count(*)::int FROM clinical.resource WHERE dataset_id = $1) AS resources,
            (SELECT count(*)::int FROM clinical.identifier WHERE dataset_id = $1) AS identifiers,
            (SELECT count(*)::int FROM clinical.idempotency WHERE dataset_id = $1) AS names,
            (SELECT count(*)::int FROM clinical.dictionary) AS codes`,
    [writer.datasetId],
  )
  return rows[0]
}

describe('POST /patients', () => {
  test('makes a patient, who is found on the next request by every parameter', async () => {
    const { status, headers, body } = await post('/patients', {
      ...operations.createPatient.bodyExample,
      mrn: 'SYN-WRITE-1',
    })

    expect(status).toBe(201)
    expect(operations.createPatient.response.parse(body)).toEqual(body)
    expect(body).toEqual({
      ...operations.createPatient.example,
      id: body.id,
      mrn: 'SYN-WRITE-1',
      lastUpdated: body.lastUpdated,
    })
    expect(headers.get('location')).toBe(`https://portal.example/sandbox/api/v1/patients/${body.id}`)
    expect((await get(`/patients/${body.id}`)).body).toEqual(body)
    for (const query of [
      'mrn=SYN-WRITE-1',
      'q=juniper%20samplewood',
      'q=syn-write-1',
      'q=samplew&dob=1988-02',
    ]) {
      expect((await get(`/patients?${query}`)).body.data, query).toContainEqual(body)
    }
  })

  test('writes a FHIR resource with its Provenance, which names the key, and marks both as synthetic', async () => {
    const { body } = await post('/patients', person)

    const patient = await resourceOf('Patient', body.id)
    const { rows } = await stack.services.pool.query<{ content: string }>(
      `SELECT content FROM clinical.resource r JOIN clinical.link l
         ON l.dataset_id = r.dataset_id AND l.source_type = r.type AND l.source = r.id
       WHERE r.dataset_id = $1 AND l.target = $2 AND r.patient_id = $2 AND r.type = 23`,
      [writer.datasetId, body.id],
    )
    const [provenance] = rows.map(({ content }) => JSON.parse(content))
    expect(rows).toHaveLength(1)
    expect(patient).toMatchObject({
      gender: 'unknown',
      active: true,
      meta: {
        versionId: '1',
        lastUpdated: body.lastUpdated,
        profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient'],
        security: [{ code: 'HTEST' }],
      },
      managingOrganization: { reference: 'Organization/org-practice' },
    })
    expect(provenance).toMatchObject({
      target: [{ reference: `Patient/${body.id}` }],
      meta: { security: [{ code: 'HTEST' }] },
      agent: [
        { who: { reference: 'Organization/org-practice' } },
        { who: { identifier: { value: writer.prefix }, display: `API key ${writer.prefix}` } },
      ],
    })
    expect(JSON.stringify(provenance)).not.toContain(writer.key)
  })

  test('gives a number where none is sent, and never one number to two patients', async () => {
    const drawn = await Promise.all([post('/patients', person), post('/patients', person)])
    const raced = await Promise.all(
      Array.from({ length: 8 }, () => post('/patients', { ...person, mrn: 'SYN-RACE' })),
    )

    expect(drawn.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(drawn.map(({ body }) => body.mrn)).size).toBe(2)
    for (const { body } of drawn) expect(body.mrn).toMatch(/^SYN-[0-9A-Z]{8}$/)
    expect(raced.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    const refusal = raced.find(({ status }) => status === 400)
    expect(refusal?.body.error).toMatchObject({
      code: 'validation',
      message: 'mrn: another patient of this practice has this number.',
    })
    expect((await get('/patients?mrn=SYN-RACE')).body.data).toHaveLength(1)
    const elsewhere = await stack.issueWriter()
    expect(
      (await stack.post('/patients', { ...person, mrn: 'SYN-RACE' }, { key: elsewhere.key })).status,
    ).toBe(201)
  })

  test('keeps Unicode as it came and finds it folded', async () => {
    const name = { family: 'Ñandú-Ødegård', given: ['Zoë', '試験', '🩺'] }
    const { body } = await post('/patients', { name, birthDate: '1960' })

    expect(body.name).toEqual(name)
    expect((await get('/patients?q=nandu%20odegard')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      body.id,
    ])
  })

  test.each([
    [{}, 'name: must be an object; birthDate: must be a real date'],
    [[], 'The body: must be an object.'],
    [null, 'The body: must be an object.'],
    [{ ...person, ssn: '1' }, 'Unknown field: ssn.'],
    [{ ...person, constructor: 1, Mrn: '1' }, 'Unknown fields: constructor, Mrn.'],
    [{ ...person, name: { ...person.name, 'prefix\r\nX: y': 'Dr' } }, 'Unknown field: name.prefix??X: y.'],
    [{ ...person, name: { family: '' } }, 'name.family: must be a text of 1 to 100 characters in one line'],
    [{ ...person, name: { family: ' Sample' } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'a\u0000b' } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'a\ud800b' } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'a\u202eb' } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'x'.repeat(101) } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'A', given: 'B' } }, 'name.given: must be a list of at most 5.'],
    [{ ...person, birthDate: '1988-02-30' }, 'birthDate: must be a real date'],
    [{ ...person, birthDate: '2026-11-22' }, 'birthDate: must not lie in the future.'],
    [{ ...person, birthDate: 1988 }, 'birthDate: must be a real date'],
    [{ ...person, sex: 'F' }, 'sex: must be one of male, female, other, unknown.'],
    [{ ...person, language: 'en-US' }, 'language: must be a language of BCP 47'],
    [{ ...person, language: 'zq' }, 'language: must be a language of BCP 47'],
    [{ ...person, mrn: 'x'.repeat(65) }, 'mrn: must be a text of 1 to 64 characters'],
    [{ ...person, active: 'yes' }, 'active: must be true or false.'],
    [{ ...person, telecom: [{ system: 'phone' }] }, 'telecom.0.value: must be a text'],
    [
      { ...person, telecom: Array(11).fill({ system: 'phone', value: '1' }) },
      'telecom: must be a list of at most 10.',
    ],
    [{ ...person, address: [{ line: [1] }] }, 'address.0.line.0: must be a text'],
  ])('refuses %j, saying what must be otherwise, and writes nothing', async (body, message) => {
    const before = await rowCounts()

    const answer = await post('/patients', body, { 'idempotency-key': 'refused' })

    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('validation')
    expect(answer.body.error.message.startsWith(message), answer.body.error.message).toBe(true)
    expect(await rowCounts()).toEqual(before)
  })

  test.each([
    ['{"birthDate":"1988","birthDate":"1989"}', 'The body holds an object with the same key twice.'],
    ['{"birthDate":"1988","birth\\u0044ate":"1989"}', 'The body holds an object with the same key twice.'],
    ['{"name":{"__proto__":{"family":"A"}}}', 'The body holds a key named __proto__.'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'The body is nested more than 32 levels deep.'],
    [`${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'The body is nested more than 32 levels deep.'],
    ['{"size":1e999}', 'The body holds a number that is too large or too long.'],
    ['{"size":12345678901234567890}', 'The body holds a number that is too large or too long.'],
    ['{"a":1,}', 'The body is not valid JSON.'],
    ['\ufeff{}', 'The body is not valid JSON.'],
    ['', 'The body is not valid JSON.'],
  ])('refuses the text %.60j as malformed', async (text, message) => {
    const answer = await post('/patients', text)

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'malformed_json', message })
  })

  test('refuses other media types, compressed bodies and more than a megabyte', async () => {
    const big = JSON.stringify({ ...person, mrn: 'x'.repeat(1_048_576) })

    expect((await post('/patients', person, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('/patients', person, { 'content-type': 'application/fhir+json' })).status).toBe(415)
    expect((await post('/patients', person, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await post('/patients', big)).status).toBe(413)
    expect((await post('/patients?a=1', person)).body.error.message).toBe('Unknown query parameter: a.')
  })

  test('writes nothing into records that many practices share', async () => {
    const { key } = await stack.issueKey({ level: 'full' })

    const answer = await stack.post('/patients', person, { key })

    expect(answer.status).toBe(403)
    expect(answer.body.error).toMatchObject({
      code: 'forbidden',
      message: 'The records of this practice are read-only.',
    })
  })

  test('labels nobody synthetic in production', async () => {
    const { key } = await stack.issueKey({
      practice: 'harbor-family',
      environment: 'production',
      level: 'full',
    })
    const made = await stack.post('/patients', person, { key, base: 'production' })
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })

    const { rows } = await stack.services.store.find(datasetId, planRead('Patient', made.body.id), noLiveness)

    expect(made.status).toBe(201)
    expect(made.body.mrn).toMatch(/^MRN-/)
    expect(rows[0]?.content).not.toContain('HTEST')
  })
})

describe('POST /encounters', () => {
  test('starts an encounter of a patient with everybody it names', async () => {
    const { status, body } = await post('/encounters', {
      ...operations.createEncounter.bodyExample,
      start: '2026-11-20T11:30:00-05:00',
    })

    expect(status).toBe(201)
    expect(operations.createEncounter.response.parse(body)).toEqual(body)
    expect(body).toEqual({
      ...operations.createEncounter.example,
      id: body.id,
      start: '2026-11-20T11:30:00-05:00',
      lastUpdated: body.lastUpdated,
    })
    expect(await resourceOf('Encounter', body.id)).toMatchObject({
      status: 'in-progress',
      subject: { reference: 'Patient/pt-wren-testwell' },
      serviceProvider: { reference: 'Organization/org-practice' },
    })
  })

  test('begins now and in the practice’s rooms when nothing else is said', async () => {
    const { body } = await post('/encounters', { patientId: 'pt-wren-testwell', type: '185349003' })

    expect(body).toMatchObject({
      start: stack.services.clock().toISOString(),
      class: { code: 'AMB' },
      practitionerId: null,
      locationId: null,
      reason: null,
    })
  })

  test.each([
    [{ patientId: 'nobody' }, 'patientId: there is no such record in this practice.'],
    [{ practitionerId: 'nobody' }, 'practitionerId: there is no such record in this practice.'],
    [{ practitionerId: 'pt-wren-testwell' }, 'practitionerId: there is no such record in this practice.'],
    [{ locationId: 'nowhere' }, 'locationId: there is no such record in this practice.'],
    [{ patientId: '../x' }, 'patientId: must be an id'],
    [{ type: '1' }, `type: must be one of ${Object.keys(encounterTypes).join(', ')}.`],
    [{ class: 'amb' }, 'class: must be one of AMB'],
    [{ start: '2026-11-20T17:06:00Z' }, 'start: must not lie in the future.'],
    [{ start: '2026-11-20' }, 'start: must be a moment with its offset'],
    [{ start: '2026-02-30T10:00:00Z' }, 'start: must be a moment with its offset'],
    [{ start: '2026-02-20T24:00:00Z' }, 'start: must be a moment with its offset'],
    [{ reason: 'a\nb' }, 'reason: must be a text'],
    [{ status: 'finished' }, 'Unknown field: status.'],
  ])('refuses %j and writes nothing', async (part, message) => {
    const before = await rowCounts()

    const answer = await post('/encounters', { ...operations.createEncounter.bodyExample, ...part })

    expect(answer.status).toBe(400)
    expect(answer.body.error.message.startsWith(message), answer.body.error.message).toBe(true)
    expect(await rowCounts()).toEqual(before)
  })

  test('answers about another practice’s patient as about nobody', async () => {
    const production = await stack.issueKey({ practice: 'harbor-family', environment: 'production' })
    const { body } = await stack.call('/patients?limit=1', { key: production.key, base: 'production' })

    const other = await post('/encounters', { patientId: body.data[0].id, type: '185349003' })
    const nobody = await post('/encounters', { patientId: 'nobody', type: '185349003' })

    const plain = ({ error }: { error: object }) => ({ ...error, correlationId: '' })
    expect(plain(other.body)).toEqual(plain(nobody.body))
  })
})

describe('POST /documents', () => {
  test('registers a document whose attachment is its own and whose bytes are not there yet', async () => {
    const { body: encounter } = await post('/encounters', {
      patientId: 'pt-wren-testwell',
      type: '185349003',
    })

    const { status, body } = await post('/documents', {
      ...operations.createDocument.bodyExample,
      encounterId: encounter.id,
    })

    expect(status).toBe(201)
    expect(operations.createDocument.response.parse(body)).toEqual(body)
    expect(body).toEqual({
      ...operations.createDocument.example,
      id: body.id,
      encounterId: encounter.id,
      lastUpdated: body.lastUpdated,
    })
    expect((await resourceOf('DocumentReference', body.id)).content[0].attachment.url).toBe(
      `https://base.invalid/DocumentReference/${body.id}/$attachment`,
    )
    const address = { type: 'DocumentReference', id: body.id } as const
    const bytes = await stack.services.store.documents.find(writer.datasetId, address, noLiveness)
    expect(bytes).toEqual({ alive: true, document: null })
  })

  test.each([
    [{ encounterId: 'none' }, 'encounterId: there is no such record in this practice.'],
    [{ authorId: 'none' }, 'authorId: there is no such record in this practice.'],
    [{ patientId: 'none' }, 'patientId: there is no such record in this practice.'],
    [{ type: 'x' }, `type: must be one of ${Object.keys(documentTypes).sort().join(', ')}.`],
    [{ contentType: 'text/html' }, 'contentType: must be one of application/pdf'],
    [{ size: 0 }, 'size: must be a whole number from 1 to 20000000.'],
    [{ size: 20_000_001 }, 'size: must be a whole number'],
    [{ size: 1.5 }, 'size: must be a whole number'],
    [{ sha256: 'A'.repeat(64) }, 'sha256: must be the SHA-256'],
    [{ authoredAt: '2026-11-21T00:00:00Z' }, 'authoredAt: must not lie in the future.'],
    [{ title: '' }, 'title: must be a text'],
    [{ data: 'aGVsbG8=' }, 'Unknown field: data.'],
  ])('refuses %j and writes nothing', async (part, message) => {
    const before = await rowCounts()

    const answer = await post('/documents', { ...operations.createDocument.bodyExample, ...part })

    expect(answer.status).toBe(400)
    expect(answer.body.error.message.startsWith(message), answer.body.error.message).toBe(true)
    expect(await rowCounts()).toEqual(before)
  })

  test('takes no encounter of another patient', async () => {
    const { body: encounter } = await post('/encounters', { patientId: 'pt-zoe-munoz', type: '185349003' })

    const answer = await post('/documents', {
      ...operations.createDocument.bodyExample,
      encounterId: encounter.id,
    })

    expect(answer.body.error.message).toBe('encounterId: there is no such record in this practice.')
  })
})

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

  test('refuses another body, and another operation, under the same name', async () => {
    await named('once-2')

    const otherBody = await named('once-2', { ...person, birthDate: '1988' })
    const otherOperation = await post('/encounters', operations.createEncounter.bodyExample, {
      'idempotency-key': 'once-2',
    })

    for (const { status, body } of [otherBody, otherOperation]) {
      expect(status).toBe(400)
      expect(body.error.message).toBe('Idempotency-Key: was used for another request.')
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
