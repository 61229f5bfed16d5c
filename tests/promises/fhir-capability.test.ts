/** The CapabilityStatement is true: everything that it claims is called, and nothing else works. */
import { describe, expect, test } from 'vitest'
import { fhirRegistry, searchParameterNumbers } from '../../server/contract/fhir/registry.ts'
import facts from '../conformance/facts/us-core-searches.json' with { type: 'json' }
import { baseOf, defaultPractice, entriesOf, type FhirStack, fhirStack } from '../support/fhir.ts'

type Resource = {
  type: string
  supportedProfile?: string[]
  interaction: { code: string }[]
  searchParam: { name: string; type: string }[]
  searchInclude?: string[]
  searchRevInclude?: string[]
  operation?: { name: string; definition: string }[]
}

const stack = await fhirStack()
const token = (await stack.issueToken({ audience: 'backend' })).token
const statement = (await stack.call('metadata')).body
const resources: Resource[] = statement.rest[0].resource

const patient = 'pt-wren-testwell'

/** One after another, as a caller who keeps to its limits: the clock of these tests stands still. */
const paced: FhirStack['call'] = (path, options) => {
  stack.services.advance(20)
  return stack.call(path, options)
}

/** A value that the parameter takes, whether something has it or not. */
const exampleOf: Record<string, string> = {
  token: 'http://example.org/codes|none',
  date: 'ge1900-01-01',
  string: 'z',
  reference: 'Patient/nobody',
}

const inChart = (type: string) => fhirRegistry[type as keyof typeof fhirRegistry].compartment !== null

function searchPath(type: string, query: string): string {
  if (!inChart(type)) return `${type}?${query}`
  return `${type}?${type === 'Patient' ? '_id' : 'patient'}=${patient}&${query}`
}

describe('the statement', () => {
  test('is public, valid for who reads it, and says what US Core asks for', async () => {
    const answer = await stack.call('metadata')

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8')
    // SMART's own bulk client hangs on a response that may be cached.
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(statement).toMatchObject({
      resourceType: 'CapabilityStatement',
      status: 'active',
      kind: 'instance',
      fhirVersion: '4.0.1',
      url: `${baseOf(defaultPractice)}/metadata`,
      implementation: { url: baseOf(defaultPractice) },
    })
    expect(statement.instantiates).toEqual([
      'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
      'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
    ])
    expect(statement.format).toContain('application/fhir+json')
    expect(resources.map(({ type }) => type)).toEqual(Object.keys(fhirRegistry).sort())
    expect(resources).toHaveLength(28)
    for (const { type, interaction } of resources) {
      expect(
        interaction.map(({ code }) => code),
        type,
      ).toEqual(['read', 'search-type'])
    }
    const etag = answer.headers.get('etag') ?? ''
    expect((await stack.call('metadata', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('names every profile, parameter, include and operation that the conformance kit looks for', () => {
    for (const [type, asked] of Object.entries(facts.types)) {
      const claimed = resources.find((each) => each.type === type)
      const names = claimed?.searchParam.map(({ name }) => name) ?? []
      expect(names, type).toEqual(expect.arrayContaining(Object.keys(asked.parameters)))
      expect([...(claimed?.supportedProfile ?? [])].sort(), type).toEqual([...asked.profiles].sort())
    }
    for (const { type, searchRevInclude = [] } of resources) {
      expect(searchRevInclude, type).toEqual(type === 'Provenance' ? [] : ['Provenance:target'])
    }
    const operations = resources.flatMap(({ type, operation = [] }) =>
      operation.map(({ name }) => `${type}/$${name}`),
    )
    expect(operations.sort()).toEqual([
      'DocumentReference/$attachment',
      'DocumentReference/$docref',
      'Group/$export',
      'Patient/$ccda',
      'Patient/$everything',
    ])
  })

  test('says where apps sign in, in the extension of SMART', () => {
    const { security } = statement.rest[0]
    const [uris] = security.extension

    expect(security.cors).toBe(true)
    expect(uris.url).toBe('http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris')
    expect(
      Object.fromEntries(
        uris.extension.map((each: { url: string; valueUri: string }) => [each.url, each.valueUri]),
      ),
    ).toEqual({
      authorize: `${baseOf(defaultPractice)}/authorize`,
      manage: 'https://portal.example/patient/apps',
      token: `${baseOf(defaultPractice)}/token`,
      introspect: `${baseOf(defaultPractice)}/introspect`,
      revoke: `${baseOf(defaultPractice)}/revoke`,
    })
  })

  test('answers also where FHIR is not enabled or the practice is suspended, and nowhere else', async () => {
    const answers = await Promise.all(
      ['old-quay', 'cedar-hollow', 'nowhere-at-all', 'endpoints'].map((practice) =>
        stack.call('metadata', { practice }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404])
  })
})

describe('what it claims', () => {
  test('of read and search answers, for every type', async () => {
    for (const { type } of resources) {
      const found = await paced(searchPath(type, '_count=1'), { token })
      expect(found.status, type).toBe(200)
      const id = entriesOf(found)[0]?.resource.id
      if (id === undefined) continue
      const read = await paced(`${type}/${id}`, { token })
      expect([read.status, read.body.id], type).toEqual([200, id])
    }
  })

  test('of search parameters answers, one by one', async () => {
    for (const { type, searchParam } of resources) {
      for (const { name, type: kind } of searchParam) {
        const value =
          name === '_id' ? 'nobody' : name === 'patient' ? patient : encodeURIComponent(exampleOf[kind] ?? '')
        const [owner] = searchPath(type, '').split('&')
        const path =
          name === 'patient' || (name === '_id' && type === 'Patient')
            ? `${type}?${name}=${value}`
            : `${owner?.includes('=') ? `${owner}&` : `${type}?`}${name}=${value}`
        const { status, text } = await paced(path, { token })
        expect(status, `${path} ${text.slice(0, 200)}`).toBe(200)
      }
    }
  })

  test('of includes, sorting and page sizes answers', async () => {
    for (const { type, searchInclude = [], searchRevInclude = [] } of resources) {
      const queries = [
        ...searchInclude.map((each) => `_include=${each}`),
        ...searchRevInclude.map((each) => `_revinclude=${each}`),
        '_sort=-_lastUpdated',
        '_count=1',
      ]
      for (const query of queries) {
        const { status, text } = await paced(searchPath(type, query), { token })
        expect(status, `${type} ${query} ${text.slice(0, 200)}`).toBe(200)
      }
    }
  })

  test('of operations answers', async () => {
    const document = entriesOf(await paced('DocumentReference?patient=pt-otis-samplewood', { token })).find(
      ({ resource }) => resource.content[0].attachment.url !== undefined,
    )?.resource

    expect((await paced(`Patient/${patient}/$everything?_count=1`, { token })).status).toBe(200)
    expect((await paced(`DocumentReference/$docref?patient=${patient}`, { token })).status).toBe(200)
    expect((await paced(document.content[0].attachment.url, { token })).status).toBe(200)
  })
})

describe('what it does not claim', () => {
  test('is refused: every parameter of the registry at every type that does not list it', async () => {
    for (const { type, searchParam } of resources) {
      const claimed = new Set(searchParam.map(({ name }) => name))
      const names = Object.keys(searchParameterNumbers).filter((each) => !claimed.has(each))
      const query = names.map((name) => `${name}=x`).join('&')

      const strict = await paced(searchPath(type, `${names[0]}=x`), { token })
      const lenient = await paced(searchPath(type, `${query}&_count=1`), {
        token,
        headers: { prefer: 'handling=lenient' },
      })

      expect([strict.status, strict.body.issue?.[0].code], type).toEqual([400, 'not-supported'])
      const outcome = entriesOf(lenient).find(({ search }) => search.mode === 'outcome')?.resource
      const ignored = outcome.issue.map(
        ({ diagnostics }: { diagnostics: string }) => diagnostics.split(' ')[0],
      )
      expect(ignored.sort(), type).toEqual(names.sort())
    }
  })

  test('is refused: includes of other types, _has, _filter, _summary, _elements, _contained', async () => {
    const queries = [
      '_include=*',
      '_include=Observation:subject',
      '_revinclude=Observation:subject',
      '_include:iterate=MedicationRequest:medication',
      '_filter=x',
      '_summary=true',
      '_elements=id',
      '_contained=true',
      '_text=x',
      '_content=x',
      '_list=x',
      '_query=x',
      '_total=none',
    ]
    for (const query of queries) {
      const { status, body } = await paced(searchPath('Condition', query), { token })
      expect([status, body.issue?.[0].code], query).toEqual([400, 'not-supported'])
    }
  })
})
