/** Patients and practitioners at the REST API, and what it tells about the key that asks. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../server/contract/rest/operations.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { examplePatient } from '../support/example-resources.ts'
import { masked } from '../support/masked.ts'
import { type RestAnswer, restStack } from '../support/rest.ts'

const stack = await restStack()
const key = (await stack.issueKey()).key

const get = (path: string) => stack.call(path, { key })

const idsIn = ({ body }: RestAnswer): string[] => body.data.map(({ id }: { id: string }) => id)
const listed = async (path: string) => idsIn(await get(path))
const idsOf = (query: string) => listed(`/patients?${query}`)

describe('GET /context', () => {
  test('tells the practice, the key and its limits', async () => {
    const issued = await stack.issueKey({ level: 'full' })

    const { status, body } = await stack.call('/context', { key: issued.key })

    expect(status).toBe(200)
    expect(operations.getContext.response.parse(body)).toEqual(body)
    expect(body).toEqual({
      practice: {
        id: 'sandpiper-demonstration',
        name: 'Sandpiper Demonstration Practice',
        environment: 'sandbox',
      },
      principal: {
        kind: 'api_key',
        keyPrefix: issued.prefix,
        keyName: 'Test key',
        level: 'full',
        dataClasses: null,
        purposes: null,
        expiresAt: '2027-02-18T17:00:00.000Z',
      },
      limits: {
        key: { perSecond: 150, perMinute: 3600 },
        practice: { perSecond: 400, perMinute: 12000 },
        caps: null,
      },
    })
  })

  test('tells a new name at once, although the key is cached', async () => {
    const issued = await stack.issueKey()
    await stack.call('/context', { key: issued.key })

    await stack.services.prisma.apiKey.update({ where: { id: issued.id }, data: { name: 'Renamed' } })

    expect((await stack.call('/context', { key: issued.key })).body.principal.keyName).toBe('Renamed')
  })
})

describe('GET /patients/{id}', () => {
  test('gives the record, every field of it', async () => {
    const { status, headers, body } = await get('/patients/pt-wren-testwell')

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual(operations.getPatient.example)
    expect(operations.getPatient.response.parse(body)).toEqual(body)
  })

  test('gives HEAD the same headers without the body', async () => {
    const answer = await stack.call('/patients/pt-wren-testwell', { key, method: 'HEAD' })

    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
  })

  test('answers about another practice’s patient as about no patient, byte for byte', async () => {
    const production = await stack.issueKey({ practice: 'harbor-family', environment: 'production' })
    const { body: elsewhere } = await stack.call('/patients?limit=1', {
      key: production.key,
      base: 'production',
    })
    const otherId: string = elsewhere.data[0].id

    const other = await get(`/patients/${otherId}`)
    const missing = await get('/patients/nobody-at-all')

    expect(other.status).toBe(404)
    expect(masked(other.text)).toBe(masked(missing.text))
    expect(masked(missing.text)).toBe(
      '{"error":{"code":"not_found","message":"Nothing was found at this address.","correlationId":"masked"}}',
    )
    const names = (headers: Headers) => [...headers.keys()].filter((name) => !name.startsWith('ratelimit'))
    expect(names(other.headers)).toEqual(names(missing.headers))
  })

  test.each(['a'.repeat(65), '%00', '%ff', 'a%20b', 'a%2Fb', '..%2Fcontext', 'é', "1'--"])(
    'answers about the impossible id %s as about no patient',
    async (id) => {
      const answer = await get(`/patients/${id}`)

      expect(answer.status).toBe(404)
      expect(answer.body.error.code).toBe('not_found')
    },
  )
})

describe('GET /patients', () => {
  test('gives every record as a promise of the contract, in the order of names', async () => {
    const { body } = await get('/patients?limit=100')

    expect(operations.listPatients.response.parse(body)).toEqual(body)
    expect(body.page).toEqual({ limit: 100, offset: 0, hasMore: false })
    expect(body.data.length).toBeGreaterThan(10)
  })

  test('is paged without gap or double, and hasMore is right at the boundary', async () => {
    const all = await idsOf('limit=100')

    const paged: string[] = []
    for (let offset = 0; ; offset += 3) {
      const { body } = await get(`/patients?limit=3&offset=${offset}`)
      paged.push(...body.data.map(({ id }: { id: string }) => id))
      expect(body.page.hasMore).toBe(offset + 3 < all.length)
      if (!body.page.hasMore) break
    }

    expect(paged).toEqual(all)
    expect((await get(`/patients?limit=${all.length}`)).body.page.hasMore).toBe(false)
    expect((await get(`/patients?limit=${all.length - 1}`)).body.page.hasMore).toBe(true)
    expect((await get('/patients?offset=1000000')).body.data).toEqual([])
  })

  test('has 25 records in a page by default', async () => {
    expect((await get('/patients')).body.page.limit).toBe(25)
  })

  test.each([
    ['q=wren', 'pt-wren-testwell'],
    ['q=TESTWELL', 'pt-wren-testwell'],
    ['q=testwell%20wren', 'pt-wren-testwell'],
    ['q=wren+testw', 'pt-wren-testwell'],
    ['q=munoz', 'pt-zoe-munoz'],
    ['q=Zo%C3%AB', 'pt-zoe-munoz'],
    ['q=%E8%A9%A6%E9%A8%93', 'pt-hanako-shiken'],
    ['q=SYN-004217', 'pt-wren-testwell'],
    ['mrn=SYN-004217', 'pt-wren-testwell'],
    ['dob=1971', 'pt-wren-testwell'],
    ['dob=1971-04', 'pt-wren-testwell'],
    ['dob=1971-04-09', 'pt-wren-testwell'],
    ['dob=1958', 'pt-ash-mockley'],
    ['q=testw&dob=1971&mrn=SYN-004217', 'pt-wren-testwell'],
  ])('finds by %s', async (query, id) => {
    expect(await idsOf(query)).toContain(id)
  })

  test.each([
    'mrn=syn-004217',
    'mrn=SYN-00421',
    'q=ren',
    'dob=1971-05',
    'q=wren&dob=1972',
    'q=%2C.-',
    'mrn=%25',
  ])('finds nobody by %s', async (query) => {
    expect(await idsOf(query)).toEqual([])
  })

  test('sees a written patient on the next request, and another practice does not', async () => {
    const { services } = stack
    const practice = await services.prisma.practice.findUniqueOrThrow({ where: { slug: 'cedar-hollow' } })
    const there = await stack.issueKey({ practice: 'cedar-hollow', environment: 'production' })
    const elsewhere = await stack.issueKey({ practice: 'harbor-family', environment: 'production' })
    const patient = examplePatient({
      id: 'pt-new-samplewood',
      family: 'Newly-Samplewood',
      born: '2001-02-03',
    })

    await services.store.write(practice.datasetId, [patient], { liveness: { kind: 'none' } })

    const found = await stack.call('/patients?q=newly', { key: there.key, base: 'production' })
    const hidden = await stack.call('/patients?q=newly', { key: elsewhere.key, base: 'production' })
    expect(found.body.data).toMatchObject([{ id: 'pt-new-samplewood', birthDate: '2001-02-03' }])
    expect(hidden.body.data).toEqual([])
  })

  test('asks the store about its own practice’s dataset only', async () => {
    const practice = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'sandpiper-demonstration' },
    })
    const datasets = new Set<number>()
    const stop = stack.services.store.onStatement(({ datasetId }) => datasets.add(datasetId))

    for (const path of [
      '/context',
      '/patients',
      '/patients/pt-wren-testwell',
      '/patients/x',
      '/patients?limit=0',
    ]) {
      await get(path)
    }

    stop()
    expect([...datasets]).toEqual([practice.datasetId])
  })
})

describe('GET /practitioners', () => {
  test('lists the providers in the order of names, page by page without gap or double', async () => {
    const { body } = await get('/practitioners?limit=100')
    const paged: string[] = []
    for (let offset = 0; ; offset += 2) {
      const page = (await get(`/practitioners?limit=2&offset=${offset}`)).body
      paged.push(...page.data.map(({ id }: { id: string }) => id))
      if (!page.page.hasMore) break
    }

    expect(operations.listPractitioners.response.parse(body)).toEqual(body)
    expect(body.data.length).toBeGreaterThan(3)
    expect(paged).toEqual(body.data.map(({ id }: { id: string }) => id))
  })

  test.each(['placeh', 'INES', 'ines placeholder', 'placeholder ines'])('finds by q=%s', async (q) => {
    expect(await listed(`/practitioners?q=${encodeURIComponent(q)}`)).toContain('pr-ines-placeholder')
  })

  test('finds by NPI, and nobody by the parameters of patients', async () => {
    const { npi } = (await get('/practitioners/pr-ines-placeholder')).body

    expect(await listed(`/practitioners?q=${npi}`)).toEqual(['pr-ines-placeholder'])
    expect((await get('/practitioners?mrn=1')).status).toBe(400)
    expect(await listed('/practitioners?q=zzz')).toEqual([])
  })
})

describe('GET /practitioners/{id}', () => {
  test('gives the record, every field of it', async () => {
    const { status, body } = await get('/practitioners/pr-ines-placeholder')

    expect(status).toBe(200)
    expect(body).toEqual(operations.getPractitioner.example)
  })

  test('does not find a patient, a role or nobody', async () => {
    const answers = await Promise.all(
      ['pt-wren-testwell', 'prr-ines-placeholder', 'nobody'].map((id) => get(`/practitioners/${id}`)),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ text }) => masked(text))).size).toBe(1)
  })
})

describe('GET /locations/{id}/providers', () => {
  test('lists those who have a role in force there, each once', async () => {
    const writer = await stack.issueWriter()
    const getOwn = (path: string) => stack.call(path, { key: writer.key })
    const listed = async (path: string) => idsIn(await getOwn(path))
    const everybody = await listed('/practitioners?limit=100')
    const role = (id: string, location: string, active: boolean) => ({
      resourceType: 'PractitionerRole',
      id,
      active,
      practitioner: { reference: 'Practitioner/pr-ines-placeholder' },
      location: [{ reference: `Location/${location}` }],
      specialty: [
        { coding: [{ system: 'http://nucc.org/provider-taxonomy', code: '207R00000X' }], text: 'Internist' },
      ],
    })

    const before = await listed('/locations/loc-annex/providers')
    await stack.services.store.write(
      writer.datasetId,
      [role('prr-gone', 'loc-annex', false), role('prr-second', 'loc-main', true)],
      { liveness: noLiveness },
    )
    const whileEnded = await listed('/locations/loc-annex/providers')
    await stack.services.store.write(writer.datasetId, [role('prr-gone', 'loc-annex', true)], {
      liveness: noLiveness,
    })
    const { body } = await getOwn('/locations/loc-annex/providers')

    expect(before).toEqual([])
    expect(whileEnded).toEqual([])
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({
      id: 'pr-ines-placeholder',
      specialties: [
        { code: '207R00000X', display: 'Internist' },
        { code: '207Q00000X', display: 'Family Medicine Physician' },
      ],
    })
    expect(new Set(body.data[0].locationIds)).toEqual(new Set(['loc-main', 'loc-annex']))
    expect(await listed('/locations/loc-main/providers?limit=100')).toEqual(everybody)
  })

  test('is paged', async () => {
    const first = (await get('/locations/loc-main/providers?limit=1')).body
    const second = (await get('/locations/loc-main/providers?limit=1&offset=1')).body

    expect(first.page).toEqual({ limit: 1, offset: 0, hasMore: true })
    expect(first.data[0].id).not.toBe(second.data[0].id)
  })

  test('does not find a location that is not there, or is a person', async () => {
    for (const id of ['loc-none', 'pr-ines-placeholder', 'a%20b']) {
      expect((await get(`/locations/${id}/providers`)).status, id).toBe(404)
    }
  })
})
