/** The operations beside read and search: a whole chart, references to documents, the bytes of one. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { chartTypes } from '../../server/search/patient-record.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { entriesOf, fhirOrigin, fhirStack, linkOf, matchesOf } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'

const patientId = 'pt-otis-samplewood'

const stack = await fhirStack()
const token = (await stack.issueToken()).token
const documents = entriesOf(await stack.call(`DocumentReference?patient=${patientId}`, { token })).map(
  ({ resource }) => resource,
)

const attachmentOf = (contentType: string) =>
  documents.find(({ content: [{ attachment }] }) => attachment.url && attachment.contentType === contentType)

describe('$everything', () => {
  test('is the whole chart once, page by page, and what it refers to', async () => {
    const pages = await stack.collect(`Patient/${patientId}/$everything?_count=60`, { token })

    const ofPage = pages.map((page) =>
      entriesOf(page).map(({ resource }) => `${resource.resourceType}/${resource.id}`),
    )
    const all = ofPage.flat()
    const expected: string[] = []
    for (const type of chartTypes) {
      const query = type === 'Patient' ? `_id=${patientId}` : `patient=${patientId}`
      for (const page of await stack.collect(`${type}?${query}&_count=500`, { token }))
        expected.push(...matchesOf(page))
    }
    expect(pages.length).toBeGreaterThan(2)
    // What several pages refer to stands on each of them.
    for (const page of ofPage) expect(new Set(page).size).toBe(page.length)
    expect(pages.flatMap(matchesOf).sort()).toEqual(expected.sort())
    const outside = all.filter((each) => !expected.includes(each)).map((each) => each.split('/')[0])
    expect([...new Set(outside)]).toEqual(expect.arrayContaining(['Practitioner', 'Organization']))
    for (const type of outside) expect(chartTypes).not.toContain(type)
    expect(pages[0]?.body.total).toBe(expected.length)
    const referred = new Set(
      JSON.stringify(pages.map(({ body }) => body)).match(/(?<="reference":")[A-Z]\w+\/[\w.-]+/g),
    )
    expect([...referred].filter((each) => !all.includes(each))).toEqual([])
  })

  test('takes _type, _since and a span of care', async () => {
    const types = await stack.call(`Patient/${patientId}/$everything?_type=Condition,Goal`, { token })
    const future = await stack.call(`Patient/${patientId}/$everything?_since=2026-11-20T00:00:00Z`, { token })
    const span = await stack.call(
      `Patient/${patientId}/$everything?start=2026-01-01&end=2026-12-31&_type=Encounter`,
      { token },
    )

    expect(new Set(matchesOf(types).map((each) => each.split('/')[0]))).toEqual(
      new Set(['Condition', 'Goal']),
    )
    expect(future.status).toBe(200)
    for (const { resource } of entriesOf(future))
      expect(Date.parse(resource.meta.lastUpdated)).toBeGreaterThan(Date.parse('2026-11-20T00:00:00Z'))
    expect(entriesOf(span).length).toBeGreaterThan(0)
    for (const { resource } of entriesOf(span).filter(({ search }) => search.mode === 'match'))
      expect(resource.period.start >= '2026').toBe(true)
  })

  test('refuses what it does not take, naming it', async () => {
    for (const [query, code] of [
      ['_type=Nothing', 'value'],
      ['_since=yesterday', 'value'],
      ['start=2026-13', 'value'],
      ['flavour=x', 'not-supported'],
      ['_count=-1', 'value'],
    ]) {
      const { status, body } = await stack.call(`Patient/${patientId}/$everything?${query}`, { token })
      expect([status, body.issue[0].code], query).toEqual([400, code])
    }
    expect((await stack.call('Patient/nobody/$everything', { token })).status).toBe(404)
  })

  test('needs every type of the chart, read and search, without a filter', async () => {
    const scopes = [
      chartTypes.filter((type) => type !== 'Goal').map((type) => `patient/${type}.rs`),
      [...chartTypes.filter((type) => type !== 'Goal').map((type) => `patient/${type}.rs`), 'patient/Goal.r'],
      [
        ...chartTypes.filter((type) => type !== 'Observation').map((type) => `patient/${type}.rs`),
        'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
      ],
    ]
    for (const scope of scopes) {
      const { token } = await stack.issueToken({ audience: 'patient', patientId, scope: scope.join(' ') })
      expect((await stack.call(`Patient/${patientId}/$everything`, { token })).status).toBe(403)
    }
    const whole = await stack.issueToken({
      audience: 'patient',
      patientId,
      scope: chartTypes.map((type) => `patient/${type}.rs`).join(' '),
    })
    const chart = await stack.call(`Patient/${patientId}/$everything`, { token: whole.token })
    expect(chart.status).toBe(200)
    // What was not granted is not in it, though the chart refers to it.
    expect(entriesOf(chart).some(({ resource }) => resource.resourceType === 'Practitioner')).toBe(false)
  })

  test('of another patient is a missing one', async () => {
    const own = await stack.issueToken({ audience: 'patient', patientId })
    const other = await stack.call('Patient/pt-wren-testwell/$everything', { token: own.token })
    const nobody = await stack.call('Patient/nobody/$everything', { token: own.token })

    expect([other.status, nobody.status]).toEqual([404, 404])
    expect(masked(other.text)).toBe(masked(nobody.text))
  })
})

describe('$docref', () => {
  const docref = (query: string, options = {}) =>
    stack.call(`DocumentReference/$docref?${query}`, { token, ...options })

  test('lists the current documents of a patient, by kind and by the care they tell of', async () => {
    const all = await docref(`patient=${patientId}`)
    const { id, type, context } = documents.find(({ status }) => status === 'current')
    const { code } = type.coding[0]
    const byType = await docref(`patient=${patientId}&type=http://loinc.org%7C${code}`)
    const [day] = context.period.start.split('T')
    const bySpan = await docref(`patient=${patientId}&start=${day}&end=${day}`)
    const before = await docref(`patient=${patientId}&end=1900-01-01`)

    const current = documents
      .filter(({ status }) => status === 'current')
      .map((each) => `DocumentReference/${each.id}`)
    const [ccd, ...stored] = matchesOf(all)
    expect(entriesOf(all)[0]?.resource.type.coding[0].code).toBe('34133-9')
    expect(current).not.toContain(ccd)
    expect(stored.sort()).toEqual(current.sort())
    expect(linkOf(all, 'self')).toBe(
      `${fhirOrigin}/r4/sandpiper-demonstration/DocumentReference/$docref?patient=${patientId}`,
    )
    expect(entriesOf(byType).length).toBeGreaterThan(0)
    for (const { resource } of entriesOf(byType)) expect(resource.type.coding[0].code).toBe(code)
    expect(matchesOf(bySpan)).toContain(`DocumentReference/${id}`)
    expect(before.body.total).toBe(0)
  })

  test('pages like any search', async () => {
    for (const count of [1, 2]) {
      const query = `patient=${patientId}&_count=${count}`
      const pages = await stack.collect(`DocumentReference/$docref?${query}`, { token })

      expect(pages.length).toBeGreaterThan(1)
      for (const page of pages) expect(matchesOf(page).length).toBeLessThanOrEqual(count)
      expect(new Set(pages.flatMap(matchesOf)).size).toBe(pages[0]?.body.total)
      expect(pages.flatMap(matchesOf)).toHaveLength(pages[0]?.body.total)
    }
    const none = await docref(`patient=${patientId}&_count=0`)
    const all = await docref(`patient=${patientId}`)
    expect([none.body.total, 'entry' in none.body]).toEqual([all.body.total, false])
  })

  test('takes the patient of a patient’s token, and asks anybody else for one', async () => {
    const own = await stack.issueToken({ audience: 'patient', patientId })

    expect(matchesOf(await docref('', { token: own.token })).length).toBeGreaterThan(0)
    const { status, body } = await docref('')
    expect([status, body.issue[0].code]).toEqual([400, 'required'])
  })

  test('refuses a filter by profile and whatever it does not know', async () => {
    for (const [query, code] of [
      ['profile=http://example.org/p', 'not-supported'],
      ['flavour=x', 'not-supported'],
      ['start=2024-13', 'value'],
      ['end=tomorrow', 'value'],
      ['on-demand=maybe', 'value'],
      [`patient=${patientId}`, 'value'],
    ]) {
      const { status, body } = await docref(`patient=${patientId}&${query}`)
      expect([status, body.issue[0].code], query).toEqual([400, code])
    }
  })
})

describe('$attachment', () => {
  async function bytesOf(url: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await stack.app.fetch(
      new Request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } }),
    )
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test.each(['application/pdf', 'image/png', 'text/plain', 'application/xml'])(
    'gives the very bytes of %s, and nothing that runs',
    async (contentType) => {
      const { attachment } = attachmentOf(contentType).content[0]

      const { status, headers, bytes } = await bytesOf(attachment.url)

      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe(contentType)
      expect(bytes.length).toBe(attachment.size)
      expect(createHash('sha1').update(bytes).digest('base64')).toBe(attachment.hash)
      expect(headers.get('content-length')).toBe(String(bytes.length))
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
      expect(headers.get('content-disposition')).toMatch(
        contentType.includes('xml') ? /^attachment;/ : /^inline;/,
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    },
  )

  test('of five megabytes arrives whole, and by ranges', async () => {
    const found = entriesOf(await stack.call('DocumentReference?patient=pt-cal-notareal', { token }))
    const url: string = found
      .map(({ resource }) => resource.content[0].attachment.url)
      .find((each) => each !== undefined)
    const whole = await bytesOf(url)
    const { length } = whole.bytes
    const etag = whole.headers.get('etag') ?? ''

    const part = async (range: string, headers: Record<string, string> = {}) =>
      bytesOf(url, { range, ...headers })
    const middle = await part(`bytes=10-${length - 10}`)
    const tail = await part('bytes=-5')

    expect([middle.status, middle.headers.get('content-range')]).toEqual([
      206,
      `bytes 10-${length - 10}/${length}`,
    ])
    expect(middle.bytes.equals(whole.bytes.subarray(10, length - 9))).toBe(true)
    expect([tail.status, tail.bytes.equals(whole.bytes.subarray(-5))]).toEqual([206, true])
    expect((await part('bytes=0-0')).bytes.length).toBe(1)
    expect((await part(`bytes=${length - 1}-`)).bytes.length).toBe(1)
    expect((await part(`bytes=0-${length + 99}`)).bytes.length).toBe(length)
    const beyond = await part(`bytes=${length}-`)
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${length}`])
    expect((await part('bytes=5-2')).status).toBe(200)
    expect((await part('bytes=0-1,4-5')).status).toBe(200)
    expect((await part('lines=0-1')).status).toBe(200)
    expect((await part('bytes=0-4', { 'if-range': etag })).status).toBe(206)
    expect((await part('bytes=0-4', { 'if-range': '"other"' })).status).toBe(200)
    expect((await bytesOf(url, { 'if-none-match': etag })).status).toBe(304)
    const head = await bytesOf(url, {}, 'HEAD')
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([
      200,
      0,
      String(length),
    ])
  })

  test('answers for every document of the practice, stored beside it or within it', async () => {
    const { prisma, store } = stack.services
    const { datasetId } = await prisma.practice.findUniqueOrThrow({
      where: { slug: 'sandpiper-demonstration' },
    })
    const seen = { within: 0, stored: 0 }
    for await (const line of store.readAll(datasetId, 'DocumentReference')) {
      const { id, content } = JSON.parse(line)
      for (const [ordinal, { attachment }] of content.entries()) {
        const { data, contentType, hash } = attachment
        const { status, headers, bytes } = await bytesOf(
          `${fhirOrigin}/r4/sandpiper-demonstration/DocumentReference/${id}/$attachment?ordinal=${ordinal}`,
        )
        expect([status, headers.get('content-type')], id).toEqual([200, contentType])
        if (hash) expect(createHash('sha1').update(bytes).digest('base64'), id).toBe(hash)
        if (data) expect(bytes.toString('base64')).toBe(data)
        seen[data ? 'within' : 'stored'] += 1
      }
    }
    expect(seen.within).toBeGreaterThan(20)
    expect(seen.stored).toBeGreaterThan(3)
  })

  test('of bytes within the document has a tag, parts, and nothing that runs', async () => {
    const within = documents.find(({ content: [{ attachment }] }) => attachment.url === undefined)
    const bytes = Buffer.from(within.content[0].attachment.data, 'base64')
    const url = `${fhirOrigin}/r4/sandpiper-demonstration/DocumentReference/${within.id}/$attachment`

    const whole = await bytesOf(url)
    const part = await bytesOf(url, { range: 'bytes=3-7' })
    const etag = whole.headers.get('etag') ?? ''

    expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    expect(whole.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect([part.status, part.headers.get('content-range'), part.bytes.equals(bytes.subarray(3, 8))]).toEqual(
      [206, `bytes 3-7/${bytes.length}`, true],
    )
    expect((await bytesOf(url, { 'if-none-match': etag })).status).toBe(304)
    expect((await bytesOf(url, {}, 'HEAD')).headers.get('content-length')).toBe(String(bytes.length))
  })

  test('is 404 where there are no bytes, and 400 for a parameter that it does not take', async () => {
    const within = documents.find(({ content: [{ attachment }] }) => attachment.url === undefined)
    const outside = attachmentOf('application/pdf').content[0].attachment.url

    for (const path of [`${outside}?ordinal=1`, `DocumentReference/${within.id}/$attachment?ordinal=1`]) {
      expect((await stack.call(path, { token })).status).toBe(404)
    }
    expect((await stack.call('DocumentReference/nobody/$attachment', { token })).status).toBe(404)
    expect((await stack.call(`DocumentReference/${within.id}/$attachment?size=1`, { token })).status).toBe(
      400,
    )
  })

  test('of a document whose attachment says nonsense of its bytes is still a response', async () => {
    const { prisma, store } = stack.services
    const slug = 'harbor-family'
    const { datasetId } = await prisma.practice.findUniqueOrThrow({ where: { slug } })
    const [line] = [(await store.readAll(datasetId, 'Patient').next()).value]
    const patient = { reference: `Patient/${JSON.parse(line as string).id}` }
    const odd = [
      { contentType: 'text/pl\u00e4in\r\nX-Injected: 1', data: 'aGk=' },
      { data: 'aGk=' },
      { contentType: 'text/plain', data: 7 },
      { contentType: 'text/plain' },
      {},
    ]
    await store.write(
      datasetId,
      [
        {
          resourceType: 'DocumentReference',
          id: 'dr-odd',
          status: 'current',
          subject: patient,
          content: odd.map((attachment) => ({ attachment })),
        },
        { resourceType: 'DocumentReference', id: 'dr-bare', status: 'current', subject: patient },
      ],
      { liveness: noLiveness },
    )
    await store.documents.put(
      datasetId,
      { type: 'DocumentReference', id: 'dr-bare' },
      'text/pl\u00e4in\n',
      Buffer.from('hi'),
    )
    const { token } = await stack.issueToken({ practice: slug })

    const answers = []
    for (const path of [...odd.map((_, at) => `dr-odd/$attachment?ordinal=${at}`), 'dr-bare/$attachment'])
      answers.push(await stack.call(`DocumentReference/${path}`, { token, practice: slug }))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 200])
    for (const { headers, text } of answers.filter(({ status }) => status === 200)) {
      expect([headers.get('content-type'), text]).toEqual(['application/octet-stream', 'hi'])
      expect(headers.get('x-injected')).toBeNull()
    }
  })
})
