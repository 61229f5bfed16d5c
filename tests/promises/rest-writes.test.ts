import { describe, expect, test } from 'vitest'
import { operations } from '../../server/contract/rest/operations.ts'
import { documentTypes, encounterTypes } from '../../server/contract/rest/record-codes.ts'
import { planRead } from '../../server/search/lists.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { restStack } from '../support/rest.ts'

const stack = await restStack()
const writer = await stack.issueWriter()

const person = { name: { family: 'Samplewood', given: ['Juniper'] }, birthDate: '1988-02-17' }

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  stack.post(path, body, { key: writer.key, headers })
const get = (path: string) => stack.call(path, { key: writer.key })

async function resourceOf(type: 'Patient' | 'Encounter' | 'DocumentReference', id: string) {
  const { resource } = await stack.services.store.read(writer.datasetId, planRead(type, id), noLiveness)
  return resource && JSON.parse(String(resource.content))
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
      message: 'mrn: is already used by another patient of this practice.',
    })
    expect((await get('/patients?mrn=SYN-RACE')).body.data).toHaveLength(1)
    const elsewhere = await stack.issueWriter()
    expect(
      (await stack.post('/patients', { ...person, mrn: 'SYN-RACE' }, { key: elsewhere.key })).status,
    ).toBe(201)
  })

  test('keeps Unicode as it came and finds it folded', async () => {
    const name = { family: 'Ñandú-Ødegård', given: ['Zoë', '試験'] }
    const { body } = await post('/patients', { name, birthDate: '1960' })

    expect(body.name).toEqual(name)
    expect((await get('/patients?q=nandu%20odegard')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      body.id,
    ])
  })

  test('stores one spelling of a name', async () => {
    const name = { family: 'Ｓａｍｐｌｅ  wood', given: ['Zoe\u0308'] }

    expect((await post('/patients', { ...person, name })).body.name).toEqual({
      family: 'Sample wood',
      given: ['Zoë'],
    })
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
    [{ ...person, name: { family: '\u200b' } }, 'name.family: must be a text of 1 to 100'],
    [
      { ...person, name: { family: 'A', given: ['Ju\u00adniper'] } },
      'name.given.0: must be a text of 1 to 100',
    ],
    [{ ...person, name: { family: 'Sаmplewood' } }, 'name.family: Use letters of one script only.'],
    [
      { ...person, name: { family: '🩺' } },
      'name.family: Use letters, digits and ordinary punctuation only.',
    ],
    [{ ...person, name: { family: 'see evil.example' } }, 'name.family: Remove web and email addresses'],
    [{ ...person, name: { family: '-' } }, 'name.family: Use at least one letter or digit.'],
    [{ ...person, mrn: 'SYN-\u200b1' }, 'mrn: must be a text of 1 to 64'],
    [{ ...person, address: [{ city: '\u2060' }] }, 'address.0.city: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'x'.repeat(101) } }, 'name.family: must be a text of 1 to 100'],
    [{ ...person, name: { family: 'A', given: 'B' } }, 'name.given: must be a list of at most 5.'],
    [{ ...person, birthDate: '1988-02-30' }, 'birthDate: must be a real date'],
    [{ ...person, birthDate: '2026-11-22' }, 'birthDate: must not be in the future.'],
    [{ ...person, birthDate: 1988 }, 'birthDate: must be a real date'],
    [{ ...person, sex: 'F' }, 'sex: must be one of male, female, other, unknown.'],
    [{ ...person, language: 'en-US' }, 'language: must be a BCP 47 language'],
    [{ ...person, language: 'zq' }, 'language: must be a BCP 47 language'],
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
    ['{"birthDate":"1988","birthDate":"1989"}', 'The body contains an object with the same key twice.'],
    ['{"birthDate":"1988","birth\\u0044ate":"1989"}', 'The body contains an object with the same key twice.'],
    ['{"name":{"__proto__":{"family":"A"}}}', 'The body contains a key named __proto__.'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'The body is nested more than 32 levels deep.'],
    [`${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'The body is nested more than 32 levels deep.'],
    ['{"size":1e999}', 'The body contains a number that is too large or too long.'],
    ['{"size":12345678901234567890}', 'The body contains a number that is too large or too long.'],
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

    const { resource } = await stack.services.store.read(
      datasetId,
      planRead('Patient', made.body.id),
      noLiveness,
    )

    expect(made.status).toBe(201)
    expect(made.body.mrn).toMatch(/^MRN-/)
    expect(resource?.content).not.toContain('HTEST')
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
    [{ start: '2026-11-20T17:06:00Z' }, 'start: must not be in the future.'],
    [{ start: '2026-11-20' }, 'start: must be a timestamp with its offset'],
    [{ start: '2026-02-30T10:00:00Z' }, 'start: must be a timestamp with its offset'],
    [{ start: '2026-02-20T24:00:00Z' }, 'start: must be a timestamp with its offset'],
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
    [{ authoredAt: '2026-11-21T00:00:00Z' }, 'authoredAt: must not be in the future.'],
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
