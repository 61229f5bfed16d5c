import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../server/contract/rest/operations.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { masked } from '../support/masked.ts'
import { type RestStack, restStack } from '../support/rest.ts'

let stack: RestStack
let writer: Awaited<ReturnType<RestStack['issueWriter']>>

beforeAll(async () => {
  stack = await restStack()
  writer = await stack.issueWriter()
})

const get = (path: string) => stack.call(path, { key: writer.key })
const idsOf = async (path: string): Promise<string[]> =>
  (await get(path)).body.data.map(({ id }: { id: string }) => id)

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
    expect(await idsOf(`/practitioners?q=${encodeURIComponent(q)}`)).toContain('pr-ines-placeholder')
  })

  test('finds by NPI, and nobody by the parameters of patients', async () => {
    const { npi } = (await get('/practitioners/pr-ines-placeholder')).body

    expect(await idsOf(`/practitioners?q=${npi}`)).toEqual(['pr-ines-placeholder'])
    expect((await get('/practitioners?mrn=1')).status).toBe(400)
    expect(await idsOf('/practitioners?q=zzz')).toEqual([])
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
    const everybody = await idsOf('/practitioners?limit=100')
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

    const before = await idsOf('/locations/loc-annex/providers')
    await stack.services.store.write(
      writer.datasetId,
      [role('prr-gone', 'loc-annex', false), role('prr-second', 'loc-main', true)],
      { liveness: noLiveness },
    )
    const whileEnded = await idsOf('/locations/loc-annex/providers')
    await stack.services.store.write(writer.datasetId, [role('prr-gone', 'loc-annex', true)], {
      liveness: noLiveness,
    })
    const { body } = await get('/locations/loc-annex/providers')

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
    expect(await idsOf('/locations/loc-main/providers?limit=100')).toEqual(everybody)
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
