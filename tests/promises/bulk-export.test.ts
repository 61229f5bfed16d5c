/** Bulk export from the Group to the last line: https://hl7.org/fhir/uv/bulkdata/STU2/export.html */
import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { bulkStack, groupId, kickOffHeaders } from '../support/bulk.ts'
import { baseOf, defaultPractice, entriesOf } from '../support/fhir.ts'
import { addDeveloper, addPracticePerson } from '../support/journey-people.ts'
import { stopAccess } from '../support/practice-stop.ts'
import { smartSupport } from '../support/smart.ts'

const stack = await bulkStack({ exportFileBytesMax: 200_000 })
const backend = await stack.issueToken({ audience: 'backend' })

/** Everybody else at the same base. */
const stranger = () => stack.issueToken({ audience: 'backend' })

describe('the Group', () => {
  test('is one, of everybody who is not deleted, computed', async () => {
    const { token } = backend
    const found = await stack.call('Group', { token })
    const read = await stack.call(`Group/${groupId}`, { token })
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: defaultPractice },
    })
    const { Patient } = await stack.services.store.datasets.counts(datasetId)

    expect(found.body.total).toBe(1)
    expect(entriesOf(found)[0]?.resource).toEqual(read.body)
    expect(read.body).toMatchObject({
      resourceType: 'Group',
      type: 'person',
      actual: true,
      quantity: Patient,
    })
    expect(read.body.member).toHaveLength(Patient ?? -1)
    expect((await stack.call('Group?_id=another', { token })).body.total).toBe(0)
    expect((await stack.call('Group?_lastUpdated=lt2000', { token })).body.total).toBe(0)
    expect((await stack.call('Group/another', { token })).status).toBe(404)
  })

  test('is for backend tokens with a scope for it', async () => {
    const tokens = await Promise.all([
      stack.issueToken(),
      stack.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' }),
      stack.issueToken({ audience: 'backend', scope: 'system/Patient.rs' }),
    ])
    for (const { token } of tokens) {
      expect((await stack.call('Group', { token })).status).toBe(403)
      expect((await stack.call(`Group/${groupId}`, { token })).status).toBe(403)
    }
    const own = await stack.issueToken({ audience: 'backend', scope: 'system/Group.rs' })
    expect((await stack.call('Group', { token: own.token })).status).toBe(200)
  })
})

describe('a kick-off', () => {
  const refusals: [
    why: string,
    query: string,
    headers: Record<string, string>,
    status: number,
    says: RegExp,
  ][] = [
    ['without Accept', '', { accept: '' }, 400, /Accept/],
    ['with any Accept', '', { accept: '*/*' }, 400, /Accept/],
    ['with another Accept', '', { accept: 'application/json' }, 400, /Accept/],
    ['without Prefer', '', { prefer: '' }, 400, /Prefer/],
    ['with another Prefer', '', { prefer: 'return=minimal' }, 400, /Prefer/],
    ['with _typeFilter', '?_typeFilter=Patient%3Fgender%3Dmale', {}, 400, /_typeFilter/],
    ['with _elements', '?_elements=id', {}, 400, /_elements/],
    ['with any other parameter', '?patient=x', {}, 400, /patient/],
    ['of an unknown type', '?_type=Patient,Unicorn', {}, 400, /Unicorn/],
    ['of no type', '?_type=', {}, 400, /_type/],
    ['in another format', '?_outputFormat=text/csv', {}, 400, /_outputFormat/],
    ['since a day', '?_since=2026-01-01', {}, 400, /_since/],
    ['since a day that is none', '?_since=2026-02-31T00:00:00Z', {}, 400, /_since/],
    ['since the future', '?_since=2999-01-01T00:00:00Z', {}, 400, /_since/],
    ['in two formats', '?_outputFormat=ndjson&_outputFormat=ndjson', {}, 400, /_outputFormat/],
    ['since two times', '?_since=2020-01-01T00:00:00Z&_since=2021-01-01T00:00:00Z', {}, 400, /_since/],
  ]

  test.each(refusals)('%s is refused', async (_, query, headers, status, says) => {
    const answer = await stack.kickOff(backend.token, query, { headers })

    expect([answer.status, answer.body.resourceType]).toEqual([status, 'OperationOutcome'])
    expect(answer.body.issue[0].diagnostics).toMatch(says)
    expect(await stack.services.prisma.bulkExport.count()).toBe(0)
  })

  test('needs a token of this practice whose scopes hold every type', async () => {
    const narrow = await stack.issueToken({ audience: 'backend', scope: 'system/Patient.rs system/Goal.r' })
    const clinician = await stack.issueToken()
    const revoked = await stack.issueToken({ audience: 'backend' })
    await stack.services.prisma.grant.update({
      where: { id: revoked.grantId },
      data: { revokedAt: stack.services.clock() },
    })

    expect((await stack.call(`Group/${groupId}/$export`, { headers: kickOffHeaders })).status).toBe(401)
    expect((await stack.kickOff(revoked.token, '?_elements=id')).status).toBe(401)
    expect((await stack.kickOff(clinician.token)).status).toBe(403)
    expect((await stack.kickOff(narrow.token, '?_type=Patient,Condition')).status).toBe(403)
    expect((await stack.kickOff(narrow.token, '?_type=Goal')).status).toBe(403)
    expect((await stack.kickOff(backend.token, '', { practice: 'another-practice' })).status).toBe(403)
    expect(await stack.services.prisma.bulkExport.count()).toBe(0)
  })

  test('is of the one Group: any other, the whole system and the type Patient are unavailable', async () => {
    const options = { token: backend.token, headers: kickOffHeaders }
    for (const path of ['Group/another/$export', '$export', 'Patient/$export', 'Group/$export']) {
      const answer = await stack.call(path, options)
      expect([answer.status, answer.body.resourceType], path).toEqual([404, 'OperationOutcome'])
    }
    const posted = await stack.kickOff(backend.token, '', { method: 'POST' })
    expect(posted.status).toBe(404)
  })

  test('waits while another export of the practice runs, and is taken once that is cancelled', async () => {
    const other = await stranger()
    const query = '?_outputFormat=application%2Ffhir%2Bndjson&_since=2020-01-01T00:00:00%2B01:00'
    const [one, two] = await Promise.all([
      stack.kickOff(backend.token, query, { headers: { prefer: 'handling=lenient, respond-async' } }),
      stack.kickOff(backend.token, '?_outputFormat=ndjson'),
    ])
    const [first, second] = one.status === 202 ? [one, two] : [two, one]
    const url = stack.statusOf(first)

    expect([first.status, second.status]).toEqual([202, 429])
    expect(url).toMatch(new RegExp(`^${baseOf(defaultPractice)}/bulk/[0-9a-f-]{36}$`))
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    const running = await stack.call(url, { token: backend.token })
    expect([running.status, running.headers.get('retry-after')]).toEqual([202, '1'])
    expect(running.headers.get('x-progress')).toBeTruthy()
    expect((await stack.call(url, { token: backend.token })).status).toBe(429)
    for (const method of ['GET', 'DELETE']) {
      expect((await stack.call(url, { token: other.token, method })).status).toBe(404)
      expect((await stack.call(url, { method })).status).toBe(401)
    }

    expect((await stack.call(url, { token: backend.token, method: 'DELETE' })).status).toBe(202)
    const gone = await stack.call(url, { token: backend.token })
    expect([gone.status, gone.body.resourceType]).toEqual([404, 'OperationOutcome'])
    const again = await stack.kickOff(backend.token, '?_outputFormat=application/ndjson')
    expect(again.status).toBe(202)
    await stack.call(stack.statusOf(again), { token: backend.token, method: 'DELETE' })
  })
})

test('a practice that lets no systems in, or is suspended, has its running exports cancelled', async () => {
  const { prisma, exportRuns, fhirPolicy } = stack.services
  const { practiceId } = backend
  const admin = await smartSupport(stack.services).createAdmin(practiceId)
  const open = { enabled: true, audiences: ['patient', 'clinician', 'backend'], types: null } as const
  const setState = (state: 'active' | 'suspended') =>
    prisma.practice.update({ where: { id: practiceId }, data: { state } })
  const ways: [string, () => Promise<unknown>, () => Promise<unknown>, at: 'once' | 'at its next look'][] = [
    ['switched off', () => fhirPolicy.set(practiceId, { ...open, enabled: false }, admin), reopen, 'once'],
    [
      'no systems',
      () => fhirPolicy.set(practiceId, { ...open, audiences: ['patient'] }, admin),
      reopen,
      'once',
    ],
    ['suspended', () => setState('suspended'), () => setState('active'), 'at its next look'],
  ]
  function reopen() {
    return fhirPolicy.set(practiceId, open, admin)
  }
  const stateOf = async (id: string) => (await prisma.bulkExport.findUniqueOrThrow({ where: { id } })).state

  for (const [why, shut, undo, at] of ways) {
    const url = stack.statusOf(await stack.kickOff(backend.token))
    const exportId = url.slice(url.lastIndexOf('/') + 1)
    const run = await exportRuns.begin(exportId)
    if (run === null) throw new Error('there is nothing to run')
    const look = () => exportRuns.report(run, { written: 1, total: 9 })
    expect([await look(), await stateOf(exportId)], why).toEqual([true, 'running'])

    await shut()

    if (at === 'once') expect(await stateOf(exportId), why).toBe('cancelled')
    expect([await look(), await stateOf(exportId)], why).toEqual([false, 'cancelled'])
    const late = { transactionTime: stack.services.clock(), total: 0, files: [] }
    expect(await exportRuns.complete(run, late), why).toBe(false)
    expect((await stack.call(url, { token: backend.token })).status, why).toBe(403)
    await undo()
    expect((await stack.call(url, { token: backend.token })).status, why).toBe(404)
  }

  // One that waits for its turn is not begun.
  const url = stack.statusOf(await stack.kickOff(backend.token))
  await setState('suspended')
  expect(await exportRuns.begin(url.slice(url.lastIndexOf('/') + 1))).toBeNull()
  await setState('active')
  expect((await stack.call(url, { token: backend.token })).status).toBe(404)
})

describe('an export', () => {
  test('holds line for line what paging through search returns, in files that links lead to for a day', async () => {
    const { token } = backend
    const manifest = await stack.run(token)
    const { body } = manifest

    expect(manifest.status).toBe(200)
    expect(manifest.headers.get('content-type')).toBe('application/json')
    const endsAt = new Date(manifest.headers.get('expires') ?? '').getTime()
    expect(endsAt - stack.services.clock().getTime()).toBeGreaterThan(23.9 * 3_600_000)
    expect(endsAt - stack.services.clock().getTime()).toBeLessThanOrEqual(24 * 3_600_000)
    expect(Object.keys(body)).toEqual([
      'transactionTime',
      'request',
      'requiresAccessToken',
      'output',
      'error',
    ])
    expect(body).toMatchObject({ requiresAccessToken: true, error: [] })
    expect(body.request).toBe(`${baseOf(defaultPractice)}/Group/${groupId}/$export`)
    const ofType = (type: string) => body.output.filter((each: { type: string }) => each.type === type)
    expect(ofType('Observation').length).toBeGreaterThan(1)

    const types = Object.keys(fhirRegistry) as FhirType[]
    const searched = new Map<string, string[]>(types.map((type) => [type, []]))
    const patients = (await stack.lines(manifest, 'Patient', token)).map((line) => JSON.parse(line).id)
    for (const type of types) {
      const { compartment } = fhirRegistry[type]
      const queries =
        compartment === null
          ? ['_count=500']
          : patients.map((id) => `${compartment === 'self' ? '_id' : 'patient'}=${id}&_count=500`)
      for (const query of queries) {
        stack.services.advance(100)
        const fresh = { token }
        for (const page of await stack.collect(`${type}?${query}`, fresh))
          for (const { resource, search } of entriesOf(page))
            if (search.mode === 'match') searched.get(type)?.push(JSON.stringify(resource))
      }
    }
    for (const type of types) {
      const exported = await stack.lines(manifest, type, token)
      const counted = ofType(type).reduce((sum: number, { count }: { count: number }) => sum + count, 0)
      expect(exported.length, type).toBe(counted)
      const normal = exported.map((line) => JSON.stringify(JSON.parse(line)))
      // Owners outside a chart are found by no search that names a patient.
      const inSearch = new Set(searched.get(type))
      expect(normal.length, type).toBe(searched.get(type)?.length)
      expect(
        normal.filter((line) => !inSearch.has(line)),
        type,
      ).toEqual([])
    }

    const [file] = body.output
    const other = await stranger()
    const plain = await stack.call(file.url, { token })
    const part = await stack.call(file.url, { token, headers: { range: 'bytes=5-20' } })
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    const zipped = await stack.app.fetch(new Request(file.url, { headers }))
    expect(plain.headers.get('content-type')).toBe('application/fhir+ndjson')
    expect([part.status, part.text]).toEqual([206, plain.text.slice(5, 21)])
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(plain.text)
    expect((await stack.call(file.url)).status).toBe(401)
    const resume = await stopAccess(stack.services, { practiceId: backend.practiceId })
    expect((await stack.call(file.url, { token })).status).toBe(401)
    await resume()
    expect((await stack.call(file.url, { token: other.token })).status).toBe(404)
    expect((await stack.call(file.url.replace(/expires=\d/, 'expires=9'), { token })).status).toBe(404)
    expect((await stack.call(file.url.replace(/\/1\./, '/2.'), { token })).status).toBe(404)

    stack.services.advance(24 * 3_600_000)
    const { clientId } = backend
    const later = await stack.issueToken({ audience: 'backend', clientId })
    const same = await stack.call(manifest.url, { token: later.token })
    expect([same.status, same.text]).toEqual([200, manifest.text])
    expect((await stack.call(file.url, { token: later.token })).status).toBe(404)
    expect(stack.filesLeft()).toBeGreaterThan(0)
    await stack.services.exportRuns.removeOver(stack.services.clock())
    expect(stack.filesLeft()).toBe(0)
  }, 120_000)

  test('is narrowed by scopes and by _since, and is gone when it is cancelled', async () => {
    const laboratory = 'http://terminology.hl7.org/CodeSystem/observation-category|laboratory'
    const scope = `system/Patient.rs system/Observation.rs?category=${laboratory}`
    const { token } = await stack.issueToken({ audience: 'backend', scope })
    const narrow = await stack.run(token)
    const types = new Set(narrow.body.output.map(({ type }: { type: string }) => type))
    const observations = await stack.lines(narrow, 'Observation', token)

    expect(types).toEqual(new Set(['Observation', 'Patient']))
    expect(observations.length).toBeGreaterThan(0)
    for (const line of observations) expect(line).toContain('laboratory')
    const [file] = narrow.body.output
    const statuses = async () => {
      const files: Promise<string>[] = narrow.body.output.map(
        async ({ type, url }: { type: string; url: string }) =>
          `${type} ${(await stack.call(url, { token })).status}`,
      )
      return new Set(await Promise.all(files))
    }
    const keep = (fhirTypes: string[]) =>
      stack.services.prisma.practice.update({ where: { id: backend.practiceId }, data: { fhirTypes } })
    await keep(['Patient'])
    expect(await statuses()).toEqual(new Set(['Patient 200', 'Observation 403']))
    await keep([])
    expect((await stack.call(narrow.url, { token, method: 'DELETE' })).status).toBe(202)
    expect((await stack.call(file.url, { token })).status).toBe(404)
    expect((await stack.call(narrow.url, { token })).status).toBe(404)
    expect(stack.filesLeft()).toBe(0)

    const nothing = await stack.run(token, `?_type=Patient&_since=${narrow.body.transactionTime}`)
    expect(nothing.body.output).toEqual([])
  }, 60_000)
})

describe('people', () => {
  const actorOf = (accountId: string): Actor => ({
    accountId,
    sessionId: randomUUID(),
    authenticatedAt: stack.services.clock(),
    ip: '192.0.2.9',
    userAgent: 'test',
    correlationId: randomUUID(),
  })

  test('who decide at the practice, or develop the app, see its exports and end them; nobody else does', async () => {
    const { exportAdmin, prisma, organizations, database } = stack.services
    const { ownerPool } = database
    const people = await Promise.all([
      addPracticePerson(ownerPool, 'admin'),
      addPracticePerson(ownerPool, 'clinician'),
      addDeveloper(ownerPool),
      addDeveloper(ownerPool),
    ])
    const [admin, clinician, developer, strange] = people.map(({ accountId }) => actorOf(accountId)) as [
      Actor,
      Actor,
      Actor,
      Actor,
    ]
    const { token, clientId, practiceId } = await stack.issueToken({ audience: 'backend' })
    const own = await organizations.create({ name: 'Samplewood Exports' }, developer)
    await organizations.create({ name: 'Samplewood Elsewhere' }, strange)
    await prisma.client.update({ where: { id: clientId }, data: { organizationId: own.id } })
    await stack.stopWorker()
    const begun = await stack.kickOff(token, '?_type=Patient,Goal')
    const id = stack.statusOf(begun).split('/').at(-1) ?? ''

    const [seen] = (await exportAdmin.listForPractice(practiceId, admin)).rows
    expect(seen).toMatchObject({
      id,
      client: { clientId, organizationName: 'Samplewood Exports' },
      practice: { slug: defaultPractice },
      state: 'running',
      types: ['Goal', 'Patient'],
      total: null,
      cancellable: true,
    })
    expect((await exportAdmin.listForClient(clientId, developer)).rows.map((each) => each.id)).toEqual([id])
    const refused = [
      exportAdmin.listForPractice(practiceId, clinician),
      exportAdmin.listForPractice(practiceId, developer),
      exportAdmin.listForClient(clientId, strange),
      exportAdmin.listForClient(clientId, admin),
      exportAdmin.cancel(id, clinician),
      exportAdmin.cancel(id, strange),
      exportAdmin.cancel('not-an-id', admin),
    ]
    for (const [place, each] of (await Promise.allSettled(refused)).entries())
      expect(each, String(place)).toMatchObject({
        status: 'rejected',
        reason: { kind: expect.stringMatching(/not_found|forbidden/) },
      })

    await exportAdmin.cancel(id, developer)
    await expect(exportAdmin.cancel(id, admin)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await stack.call(stack.statusOf(begun), { token })).status).toBe(404)

    const manifest = await stack.run(token, '?_type=Patient')
    const [complete] = (await exportAdmin.listForPractice(practiceId, admin)).rows
    const before = stack.filesLeft()
    expect(complete).toMatchObject({ state: 'complete', fileCount: 1, cancellable: true, failure: null })
    expect(complete?.bytes).toBeGreaterThan(1_000)
    await exportAdmin.cancel(complete?.id ?? '', admin)
    expect((await stack.call(manifest.body.output[0].url, { token })).status).toBe(404)
    expect(stack.filesLeft()).toBe(before - 1)
    expect(await prisma.auditEvent.count({ where: { action: 'bulk_export.cancelled', practiceId } })).toBe(2)
  }, 60_000)
})
