/** The current CCD by FHIR and REST: who gets it, as what, and what is written down of it. */
import { describe, expect, test } from 'vitest'
import { chartTypes } from '../../server/search/patient-record.ts'
import { entriesOf, type FhirStack, fhirOrigin, fhirStack } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'
import { type RestStack, restStack } from '../support/rest.ts'

const patientId = 'pt-otis-samplewood'
const slug = 'sandpiper-demonstration'

const rest = await restStack()
const stack = await fhirStack()
const key = (await rest.issueKey()).key
const token = (await stack.issueToken()).token

const accessOf = async (
  services: RestStack['services'] | FhirStack['services'],
  correlationId: string | null,
) => {
  const { rows } = await services.pool.query(
    'SELECT action, patient_id, outcome, count FROM log.phi_audit WHERE correlation_id = $1',
    [correlationId],
  )
  return rows
}

describe('GET /patients/{id}/ccda', () => {
  test('gives the document of a patient, the same bytes each time, and nothing that runs', async () => {
    const one = await rest.call(`/patients/${patientId}/ccda`, { key })
    const other = await rest.call(`/patients/${patientId}/ccda`, { key })

    expect(one.status).toBe(200)
    expect(one.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(one.headers.get('x-content-type-options')).toBe('nosniff')
    expect(one.headers.get('cache-control')).toBe('no-store')
    expect(one.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<ClinicalDocument /)
    expect(one.text).toMatch(/<\/ClinicalDocument>\n$/)
    expect(other.text).toBe(one.text)
  })

  test('names the patient in the practice’s record of access, and the refused caller’s nobody', async () => {
    const given = await rest.call(`/patients/${patientId}/ccda`, {
      key,
      headers: { 'x-purpose': 'treatment' },
    })
    const missing = await rest.call('/patients/nobody/ccda', { key })
    await rest.services.recorder.flush()

    const [access] = await accessOf(rest.services, given.headers.get('x-correlation-id'))
    const [refused] = await accessOf(rest.services, missing.headers.get('x-correlation-id'))
    expect(access).toMatchObject({ action: 'ccda', patient_id: patientId, outcome: 'served', count: 1 })
    expect(refused).toMatchObject({ action: 'ccda', patient_id: null })
    expect(missing.status).toBe(404)
  })

  test('gives people a page of the same sections, without a script', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await rest.call(`/patients/${patientId}/ccda`, { key, headers: { accept: browser } })
    const plain = await rest.call(`/patients/${patientId}/ccda`, { key, headers: { accept: '*/*' } })

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^sandbox; default-src 'none'; style-src 'sha256-/,
    )
    expect(page.headers.get('vary')).toContain('Accept')
    expect(page.text).toContain('<h2 id="problems-title">Problems</h2>')
    expect(page.text).toContain('Otis Lee Samplewood Jr.')
    expect(page.text).not.toMatch(/<script|<link|javascript:| on\w+=/i)
    expect(plain.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  })

  test('answers HEAD without a body, and a key that was revoked not at all', async () => {
    const head = await rest.call(`/patients/${patientId}/ccda`, { key, method: 'HEAD' })
    const gone = await rest.issueKey()
    await rest.services.prisma.apiKey.update({
      where: { id: gone.id },
      data: { revokedAt: rest.services.clock() },
    })
    const refused = await rest.call(`/patients/${patientId}/ccda`, { key: gone.key })

    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(refused.status).toBe(401)
  })

  test('is whole for a patient of whom a name and a birth are all that is known', async () => {
    const writer = await rest.issueWriter()
    const made = await rest.post(
      '/patients',
      { name: { family: 'Ejemplo Ñandú' }, birthDate: '1990' },
      { key: writer.key },
    )
    const { text } = await rest.call(`/patients/${made.body.id}/ccda`, { key: writer.key })

    expect(text).toContain('<family>Ejemplo Ñandú</family>')
    expect(text).toContain('<given nullFlavor="UNK"/>')
    expect(text).toContain('<birthTime value="1990"/>')
    expect(text).toContain('<administrativeGenderCode nullFlavor="UNK"/>')
    expect(text).toMatch(/<\/ClinicalDocument>\n$/)
  })
})

test('a credential that ends while the document is written breaks the document off', async () => {
  const issued = await rest.issueKey()
  const request = new Request(`https://elsewhere.example/sandbox/api/v1/patients/${patientId}/ccda`, {
    headers: { authorization: `Bearer ${issued.key}` },
  })
  const answer = await rest.app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
  await rest.services.prisma.apiKey.update({
    where: { id: issued.id },
    data: { revokedAt: rest.services.clock() },
  })

  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toMatchObject({ kind: 'unavailable' })
})

describe('$docref', () => {
  const docref = (query: string, options = {}) =>
    stack.call(`DocumentReference/$docref?${query}`, { token, ...options })

  test('offers the current CCD of type 34133-9, whose attachment is the document', async () => {
    const answer = await docref(`patient=${patientId}&type=http://loinc.org%7C34133-9`)
    const [entry] = entriesOf(answer)
    const { id, content, context, subject, status } = entry?.resource ?? {}
    const { url, contentType } = content[0].attachment
    const served = await stack.app.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }))
    const text = await served.text()

    expect(entry?.fullUrl).toBe(`${fhirOrigin}/r4/${slug}/DocumentReference/${id}`)
    expect([status, subject.reference, contentType]).toEqual([
      'current',
      `Patient/${patientId}`,
      'application/xml',
    ])
    expect(url).toBe(`${fhirOrigin}/r4/${slug}/Patient/${patientId}/$ccda`)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(served.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(entry?.resource.masterIdentifier.value).toMatch(/^urn:uuid:/)
    expect(text).toContain(`<id root="${entry?.resource.masterIdentifier.value.slice('urn:uuid:'.length)}"/>`)
    expect(text).toBe((await rest.call(`/patients/${patientId}/ccda`, { key })).text)
    expect(context.period.start < context.period.end).toBe(true)
  })

  test('refers to a document that can be read, and whose $attachment is the CCD', async () => {
    const [entry] = entriesOf(await docref(`patient=${patientId}&on-demand=true`))
    const path = `DocumentReference/${entry?.resource.id}`

    const read = await stack.call(path, { token })
    const bytes = await stack.call(`${path}/$attachment`, { token })
    const again = await stack.call(path, {
      token,
      headers: { 'if-none-match': read.headers.get('etag') ?? '' },
    })

    expect(read.status).toBe(200)
    expect(read.body).toEqual(entry?.resource)
    expect(again.status).toBe(304)
    expect([bytes.status, bytes.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(bytes.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(bytes.text).toBe((await stack.call(`Patient/${patientId}/$ccda`, { token })).text)
    expect((await stack.call(`${path}/$attachment?ordinal=1`, { token })).status).toBe(404)
    const rows = await stack.services.prisma.$queryRaw<{ patientId: string }[]>`
      SELECT patient_id AS "patientId" FROM log.phi_audit WHERE outcome = 'served' ORDER BY id DESC LIMIT 1`
    expect(rows).toEqual([{ patientId }])
  })

  test('hides the document that can be read from a token that may not see the whole chart', async () => {
    const [entry] = entriesOf(await docref(`patient=${patientId}&on-demand=true`))
    const own = await stack.issueToken({
      audience: 'patient',
      patientId,
      scope: 'patient/DocumentReference.rs patient/Patient.rs',
    })
    const other = await stack.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })
    const ids = [entry?.resource.id, 'nobody', 'ccd-nobody', 'ccd-']

    for (const { token } of [own, other])
      for (const end of ['', '/$attachment']) {
        const answers = await Promise.all(
          ids.map((id) => stack.call(`DocumentReference/${id}${end}`, { token })),
        )
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
        expect(new Set(answers.map(({ text }) => masked(text))).size).toBe(1)
      }
  })

  test('finds it by any way to say its type and time, alone when it is asked for on demand', async () => {
    const total = async (query: string) =>
      (await docref(`patient=${patientId}&on-demand=true&${query}`)).body.total

    expect(await total('')).toBe(1)
    expect(await total('type=34133-9')).toBe(1)
    expect(await total('type=11506-3,http://loinc.org%7C34133-9')).toBe(1)
    expect(await total('type=http://snomed.info/sct%7C34133-9')).toBe(0)
    expect(await total('type=11506-3')).toBe(0)
    expect(await total('start=2026-01-01&end=2026-12-31')).toBe(1)
    expect(await total('end=1900-01-01')).toBe(0)
    expect(await total('start=2100')).toBe(0)
  })

  test('does not offer it, nor serve it, to a token that may not see the whole chart', async () => {
    const named = ['Organization', 'Practitioner', 'PractitionerRole', 'Location', 'Medication']
    const all = [...chartTypes, ...named]
    const scopes = [
      all.filter((type) => type !== 'Goal').map((type) => `patient/${type}.rs`),
      all.filter((type) => type !== 'Practitioner').map((type) => `patient/${type}.rs`),
      [
        ...all.filter((type) => type !== 'Observation').map((type) => `patient/${type}.rs`),
        'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory',
      ],
    ]
    for (const scope of scopes) {
      const narrow = await stack.issueToken({ audience: 'patient', patientId, scope: scope.join(' ') })
      const offered = await docref('type=34133-9', { token: narrow.token })
      const served = await stack.call(`Patient/${patientId}/$ccda`, { token: narrow.token })

      expect([offered.status, offered.body.total, served.status]).toEqual([200, 0, 403])
      expect(served.text).not.toContain('ClinicalDocument')
    }
    const whole = await stack.issueToken({
      audience: 'patient',
      patientId,
      scope: all.map((type) => `patient/${type}.rs`).join(' '),
    })
    expect((await docref('type=34133-9', { token: whole.token })).body.total).toBe(1)
    expect((await stack.call(`Patient/${patientId}/$ccda`, { token: whole.token })).status).toBe(200)
  })

  test('$ccda is recorded with its patient, takes no parameters, and has no document of nobody', async () => {
    const given = await stack.call(`Patient/${patientId}/$ccda`, { token })
    const asked = await stack.call(`Patient/${patientId}/$ccda?start=2020`, { token })
    const nobody = await stack.call('Patient/nobody/$ccda', { token })
    const own = await stack.issueToken({ audience: 'patient', patientId })
    const other = await stack.call('Patient/pt-wren-testwell/$ccda', { token: own.token })
    await stack.services.recorder.flush()

    const [access] = await accessOf(stack.services, given.headers.get('x-correlation-id'))
    expect(access).toMatchObject({ action: 'ccda', patient_id: patientId, count: 1 })
    expect([asked.status, asked.body.issue[0].code]).toEqual([400, 'not-supported'])
    expect([nobody.status, other.status]).toEqual([404, 404])
    expect(masked(other.text)).toBe(masked(nobody.text))
  })
})
