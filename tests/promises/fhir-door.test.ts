/** What every caller of the FHIR interface can rely on, whatever it asks for. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { baseOf, defaultPractice, entriesOf, fhirOrigin, fhirStack, linkOf } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'

const stack = await fhirStack()
const clinician = (await stack.issueToken()).token
const patient = (await stack.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })).token

describe('a read', () => {
  test('gives the resource as it is stored, under the base of its practice', async () => {
    const answer = await stack.call('Patient/pt-wren-testwell', { token: clinician })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toMatchObject({ resourceType: 'Patient', id: 'pt-wren-testwell' })
    const { versionId, lastUpdated } = answer.body.meta
    expect(answer.headers.get('etag')).toBe(`W/"${versionId}"`)
    expect(new Date(answer.headers.get('last-modified') ?? '').getTime()).toBe(
      Math.floor(Date.parse(lastUpdated) / 1_000) * 1_000,
    )
  })

  test('is answered 304 to who has this version already', async () => {
    const first = await stack.call('Patient/pt-wren-testwell', { token: clinician })
    const etag = first.headers.get('etag') ?? ''
    const modified = first.headers.get('last-modified') ?? ''
    const again = (headers: Record<string, string>) =>
      stack.call('Patient/pt-wren-testwell', { token: clinician, headers })

    const byTag = await again({ 'if-none-match': `"other", ${etag}` })
    const byTime = await again({ 'if-modified-since': modified })

    expect([byTag.status, byTag.text, byTag.headers.get('etag')]).toEqual([304, '', etag])
    expect([byTime.status, byTime.text]).toEqual([304, ''])
    expect((await again({ 'if-none-match': 'W/"999"', 'if-modified-since': modified })).status).toBe(200)
    expect((await again({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200)
  })

  test('of what is not there, not yours or not an id is the same 404, byte for byte', async () => {
    const { body } = await stack.call('Observation?patient=pt-quill-demoson&_count=1', { token: clinician })
    const others = body?.entry?.[0]?.resource.id ?? 'nobody'
    const paths = [
      'Patient/nobody',
      'Patient/pt-quill-demoson',
      'Patient/%20',
      'Patient/%00',
      `Patient/${'a'.repeat(300)}`,
    ]

    const answers = await Promise.all(paths.map((path) => stack.call(path, { token: patient })))
    const observation = await stack.call(`Observation/${others}`, { token: patient })

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(new Set([...answers, observation].map(({ text }) => masked(text))).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'not-found' }],
    })
  })

  test('takes no parameters but those of the format', async () => {
    expect(
      (await stack.call('Patient/pt-wren-testwell?_format=json&_pretty=true', { token: clinician })).status,
    ).toBe(200)
    const refused = await stack.call('Patient/pt-wren-testwell?_summary=true', { token: clinician })
    expect([refused.status, refused.body.issue[0].code]).toEqual([400, 'not-supported'])
  })

  test('by HEAD is the same without a body', async () => {
    const answer = await stack.call('Patient/pt-wren-testwell', { token: clinician, method: 'HEAD' })

    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(answer.headers.get('etag')).toMatch(/^W\/"\d+"$/)
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
  })
})

describe('a search', () => {
  test('is a searchset whose pages lead to the end and hold each match once', async () => {
    const pages = await stack.collect('Observation?patient=pt-wren-testwell&_count=7', { token: clinician })

    const totals = new Set(pages.map(({ body }) => body.total))
    const ids = pages.flatMap((page) => entriesOf(page).map(({ resource }) => resource.id))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect(totals).toEqual(new Set([ids.length]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(pages.slice(0, -1).every((page) => entriesOf(page).length === 7)).toBe(true)
    const [first] = pages
    expect(first?.body).toMatchObject({ resourceType: 'Bundle', type: 'searchset' })
    expect(linkOf(first as never, 'self')).toBe(
      `${fhirOrigin}/r4/sandpiper-demonstration/Observation?patient=pt-wren-testwell&_count=7`,
    )
    for (const { fullUrl, resource, search } of entriesOf(first as never)) {
      expect(fullUrl).toBe(`${fhirOrigin}/r4/sandpiper-demonstration/Observation/${resource.id}`)
      expect(search).toEqual({ mode: 'match' })
    }
  })

  test('without matches has a total of 0 and no entry; with _count=0 the total alone', async () => {
    const none = await stack.call('Observation?patient=pt-wren-testwell&code=nothing-has-this', {
      token: clinician,
    })
    const total = await stack.call('Observation?patient=pt-wren-testwell&_count=0', { token: clinician })

    expect([none.status, none.body.total, 'entry' in none.body]).toEqual([200, 0, false])
    expect(total.body.total).toBeGreaterThan(7)
    expect('entry' in total.body).toBe(false)
    expect(linkOf(total, 'next')).toBeUndefined()
  })

  test('by a form finds the same, and its next link holds nothing of the form', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const byGet = await stack.call('Observation?patient=pt-wren-testwell&_count=5', { token: clinician })
    const byForm = await stack.call('Observation/_search?_count=5', {
      token: clinician,
      method: 'POST',
      headers: form,
      body: 'patient=pt-wren-testwell',
    })
    const wrongType = await stack.call('Observation/_search', {
      token: clinician,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })

    expect(byForm.body.entry).toEqual(byGet.body.entry)
    const next = linkOf(byForm, 'next') ?? ''
    expect(next).not.toContain('pt-wren')
    expect((await stack.call(next, { token: clinician })).body.total).toBe(byGet.body.total)
    expect(wrongType.status).toBe(415)
  })

  test('refuses a cursor that was changed, is another grant’s, or too old', async () => {
    const { body } = await stack.call('Observation?patient=pt-wren-testwell&_count=5', { token: clinician })
    const next: string = body.link[1].url
    const other = (await stack.issueToken()).token
    // The last but one: the last character can hold bits that mean nothing.
    const changed = `${next.slice(0, -2)}${next.at(-2) === 'A' ? 'B' : 'A'}${next.slice(-1)}`

    const answers = [
      await stack.call(changed, { token: clinician }),
      await stack.call(next, { token: other }),
      await stack.call(next.replace('/Observation?', '/Condition?'), { token: clinician }),
    ]

    for (const answer of answers) {
      expect([answer.status, answer.body.issue[0].code]).toEqual([400, 'value'])
    }
    expect((await stack.call(next, { token: clinician })).status).toBe(200)
  })

  test('names what was ignored under lenient handling', async () => {
    const path = 'Observation?patient=pt-wren-testwell&flavour=sweet&_count=1'

    const strict = await stack.call(path, { token: clinician })
    const lenient = await stack.call(path, { token: clinician, headers: { prefer: 'handling=lenient' } })

    expect([strict.status, strict.body.issue[0].code]).toEqual([400, 'not-supported'])
    expect(strict.body.issue[0].diagnostics).toContain('flavour')
    const outcome = entriesOf(lenient).find(({ search }) => search.mode === 'outcome')
    expect(outcome?.resource.issue[0].diagnostics).toContain('flavour')
    expect(linkOf(lenient, 'self')).not.toContain('flavour')
  })
})

describe('a token', () => {
  test('that is missing, malformed, unknown, expired or revoked gets the same 401 at every path', async () => {
    const expired = await stack.issueToken({ expiresAt: new Date(stack.services.clock().getTime() - 1) })
    const revoked = await stack.issueToken()
    expect((await stack.call('Patient?_id=pt-wren-testwell', { token: revoked.token })).status).toBe(200)
    await stack.services.prisma.accessToken.update({
      where: { id: revoked.tokenId },
      data: { revokedAt: stack.services.clock() },
    })
    const credentials = [
      {},
      { authorization: 'Basic abc' },
      { token: 'nonsense' },
      { token: `${revoked.token.slice(0, -4)}AAAA` },
      { token: expired.token },
      { token: revoked.token },
    ]
    const paths = [
      'Patient/pt-wren-testwell',
      'Patient/nobody',
      'Nothing',
      'Observation?date=2024-13',
      'Patient/pt-wren-testwell/$everything',
      'DocumentReference/x/$attachment',
    ]

    const answers = await Promise.all(
      credentials.flatMap((credential) => paths.map((path) => stack.call(path, credential))),
    )
    const elsewhere = await stack.call('Patient', { token: revoked.token, practice: 'nowhere-at-all' })

    expect(new Set([...answers, elsewhere].map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set([...answers, elsewhere].map(({ text }) => masked(text))).size).toBe(1)
    const bare = 'Bearer realm="sandpiper"'
    const invalid = `${bare}, error="invalid_token", error_description="The bearer token is malformed, unknown, expired or revoked."`
    expect(answers.map(({ headers }) => headers.get('www-authenticate'))).toEqual(
      credentials.flatMap((_, at) => paths.map(() => (at < 2 ? bare : invalid))),
    )
    expect(answers[0]?.headers.get('ratelimit')).toBeNull()
  })

  test('of another practice gets 403, whether the practice in the path exists or not', async () => {
    const answers = await Promise.all(
      ['harbor-family', 'cedar-hollow', 'nowhere-at-all', 'Sandpiper-Demonstration'].map((practice) =>
        stack.call('Patient/pt-wren-testwell', { token: clinician, practice }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(new Set(answers.map(({ text }) => masked(text))).size).toBe(1)
  })
})

describe('what is not offered', () => {
  test('is 404 with an outcome: writes, history, vread, batch, unknown types and operations', async () => {
    const requests: [string, string][] = [
      ['POST', 'Patient'],
      ['PUT', 'Patient/pt-wren-testwell'],
      ['PATCH', 'Patient/pt-wren-testwell'],
      ['DELETE', 'Patient/pt-wren-testwell'],
      ['POST', baseOf(defaultPractice)],
      ['GET', baseOf(defaultPractice)],
      ['GET', '_history'],
      ['GET', 'Patient/_history'],
      ['GET', 'Patient/pt-wren-testwell/_history'],
      ['GET', 'Patient/pt-wren-testwell/_history/1'],
      ['GET', 'Subscription'],
      ['GET', 'ValueSet/$expand'],
      ['GET', 'Patient/$everything'],
      ['GET', 'Patient/pt-wren-testwell/$export'],
      ['GET', 'Observation/pt-wren-testwell/$everything'],
      ['GET', 'Patient/pt-wren-testwell/Observation'],
      ['POST', 'Patient/pt-wren-testwell/_search'],
      ['GET', 'Patient/_search'],
      ['GET', 'patient/pt-wren-testwell'],
      ['GET', 'Observation?patient.name=Wren'],
      ['GET', '__proto__/x'],
    ]

    const answers = await Promise.all(
      requests.map(([method, path]) =>
        stack.call(path, {
          token: clinician,
          method,
          ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
        }),
      ),
    )

    expect(answers.map(({ status }, index) => `${requests[index]?.join(' ')} ${status}`)).toEqual(
      requests.map((request) => `${request.join(' ')} 404`),
    )
    for (const { body } of answers) {
      expect(body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'not-supported' }] })
    }
  })

  test('is 406 where another format is asked for', async () => {
    const status = async (path: string, accept?: string) =>
      (await stack.call(path, { token: clinician, ...(accept && { headers: { accept } }) })).status
    const read = 'Patient/pt-wren-testwell'

    expect(await status(`${read}?_format=xml`)).toBe(406)
    expect(await status(`${read}?_format=application%2Ffhir%2Bxml`, 'application/fhir+json')).toBe(406)
    expect(await status(read, 'application/fhir+xml')).toBe(406)
    expect(await status('metadata', 'text/turtle')).toBe(406)
    expect(await status('Patient?_id=pt-wren-testwell', 'application/fhir+json; fhirVersion=3.0')).toBe(406)
    for (const accept of [
      'application/fhir+json',
      'application/json',
      '*/*',
      'text/html, */*;q=0.1',
      'application/fhir+json; fhirVersion=4.0',
    ]) {
      expect(await status(read, accept), accept).toBe(200)
    }
    expect(await status(`${read}?_format=application/fhir%2Bjson`, 'application/fhir+xml')).toBe(200)
    expect(await status(`${read}?_format=application/fhir+json`)).toBe(200)
  })
})

describe('a browser app', () => {
  test('of any origin may call and read every answer, without credentials of the browser', async () => {
    const origin = { origin: 'https://app.example' }

    const preflight = await stack.call('Patient', {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    const answers = [
      await stack.call('Patient/pt-wren-testwell', { token: clinician, headers: origin }),
      await stack.call('Patient/pt-wren-testwell', { headers: origin }),
      await stack.call('metadata', { headers: origin }),
    ]

    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
    for (const { headers } of [preflight, ...answers]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('access-control-expose-headers')).toContain('X-Correlation-Id')
    }
  })

  test('and every caller finds its correlation id beside ours', async () => {
    const answer = await stack.call('Patient/nobody', {
      token: clinician,
      headers: { 'x-correlation-id': 'mine-1' },
    })

    expect(answer.headers.get('x-client-correlation-id')).toBe('mine-1')
    expect(answer.body.id).toBe(answer.headers.get('x-correlation-id'))
  })
})

test('long answers are compressed for who asks, short ones never', async () => {
  const compressed = async (path: string, encoding: string) => {
    const request = new Request(`${fhirOrigin}/r4/sandpiper-demonstration/${path}`, {
      headers: { authorization: `Bearer ${clinician}`, 'accept-encoding': encoding },
    })
    const answer = await stack.app.fetch(request)
    return {
      encoding: answer.headers.get('content-encoding'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }
  const path = 'Observation?patient=pt-wren-testwell'

  const plain = await compressed(path, 'identity')
  const small = await compressed(path, 'br;q=1, gzip;q=0.5')

  expect(plain.encoding).toBeNull()
  expect(small.encoding).toBe('gzip')
  const withoutCursor = (bytes: Buffer) => bytes.toString().replace(/_cursor=[\w-]+/g, '')
  expect(withoutCursor(gunzipSync(small.bytes))).toBe(withoutCursor(plain.bytes))
  expect((await compressed(path, 'gzip;q=0')).encoding).toBeNull()
  expect((await compressed('Patient/nobody', 'gzip')).encoding).toBeNull()
})
