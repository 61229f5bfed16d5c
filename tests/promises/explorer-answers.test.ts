/**
 * The answers of the FHIR builder and the MCP console tell what the call left behind, how it compares with what is
 * published, and what other credentials would get: foretold by the rules that the doors go by, so that the doors agree.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { compareWithTool } from '../../app/explorer/mcp-answer.server.ts'
import { keyPattern } from '../../server/contract/key-format.ts'
import { listTools } from '../../server/contract/mcp-list.ts'
import { createExplorerApp } from '../support/explorer-app.ts'
import { createExplorers, type Developer } from '../support/explorers.ts'
import { type FhirStack, fhirStack } from '../support/fhir.ts'

const accessToken = /spa_[A-Za-z0-9_-]{43}/
const wren = 'pt-wren-testwell'
let stack: FhirStack
let explorer: ReturnType<typeof createExplorerApp>
let mara: Developer
const own = () => ({ headers: { cookie: mara.cookie } })

beforeAll(async () => {
  stack = await fhirStack()
  explorer = createExplorerApp(stack.services)
  mara = await createExplorers(() => stack.services).makeDeveloper()
})

const fhirPage = (type: string, as = `patient:${wren}`) =>
  `/explorer/fhir?${new URLSearchParams({ practice: mara.practiceSlug, as, type })}`
const search = (type: string, fields: Record<string, string>, as?: string) =>
  explorer.fill(fhirPage(type, as), { type, interaction: 'search', scopes: 'all', ...fields }, own())
const tool = (name: string, fields: Record<string, string>, level = 'read_only') =>
  explorer.fill(
    `/explorer/mcp?${new URLSearchParams({ practice: mara.practiceSlug, level, tool: name })}`,
    { tool: name, ...fields },
    own(),
  )

describe('a FHIR search', () => {
  test('shows its rows in both logs, its budgets, and how its resources compare', async () => {
    const { body, text } = await search('MedicationRequest', { revinclude: 'Provenance:target', count: '5' })

    expect(body).toMatchObject({ kind: 'answer', status: 200, shortened: false })
    expect(body.traces.activity).toMatchObject({ method: 'GET', status: 200 })
    expect(body.traces.access[0]).toMatchObject({ resourceType: 'MedicationRequest', patientId: wren })
    expect(body.budgets.map(({ seconds }: { seconds: number }) => seconds)).toEqual([1, 60])
    expect(body.comparison.resources).toBeGreaterThan(2)
    expect(body.comparison).toMatchObject({ asSaid: body.comparison.resources, differences: [] })
    expect(body.comparison.profiles.map(({ profile }: { profile: string }) => profile)).toEqual([
      'us-core-medicationrequest',
      'us-core-provenance',
    ])
    expect(text).not.toMatch(accessToken)
  })

  test('is foretold for other tokens as the door then answers them', async () => {
    for (const [place, as, type, fields] of [
      [0, `patient:${wren}`, 'MedicationRequest', { revinclude: 'Provenance:target' }],
      [0, `patient:${wren}`, 'Condition', { 'p-patient': 'pt-juno-testwell' }],
      [1, 'clinician:pr-ines-placeholder', 'Condition', { 'p-patient': wren }],
    ] as const) {
      const { rows } = (await search(type, fields, as)).body.outcomes[place]
      for (const { level, allowed, why } of rows) {
        const { body } = await search(type, { ...fields, scopes: level }, as)
        const status = allowed ? 200 : Number(why.slice(0, 3))
        expect([as, type, level, body.status]).toEqual([as, type, level, status])
      }
    }
  })

  test('tells of backends too, which need nobody to agree, and of includes that are left out', async () => {
    const { body } = await search('MedicationRequest', { revinclude: 'Provenance:target' })
    const [patient, , backend] = body.outcomes

    expect(patient.title).toBe(`Token of the patient ${wren}`)
    expect(patient.rows[0]).toMatchObject({ level: 'all', allowed: true, why: `In the chart of ${wren}.` })
    expect(patient.rows[2]).toMatchObject({ level: 'without', allowed: false })
    expect(backend.rows[0]).toMatchObject({ allowed: false, why: expect.stringMatching(/^400: .*patient/) })
  })
})

test('a FHIR read says of each token whose chart it reaches', async () => {
  const { body } = await explorer.fill(
    fhirPage('Patient'),
    { type: 'Patient', interaction: 'read', id: wren, scopes: 'all' },
    own(),
  )

  expect(body.status).toBe(200)
  expect(body.outcomes[0].rows[0].why).toContain(`in the chart of ${wren}`)
  expect(body.outcomes[1].rows[0].why).toBe('Whoever’s it is at this practice.')
})

describe('a tool of MCP', () => {
  test('is compared with its own outputSchema, and shows the windows of its key', async () => {
    for (const [name, fields] of [
      ['get_context', {}],
      ['search_patients', { 'a-limit': '2' }],
      ['get_patient', { 'a-patientId': wren }],
    ] as const) {
      const { body, text } = await tool(name, fields)
      expect([name, body.kind, body.isError]).toEqual([name, 'answer', false])
      expect([name, body.comparison.differences]).toEqual([name, []])
      expect(body.comparison.matched).toBeGreaterThan(2)
      expect(body.budgets.map(({ seconds }: { seconds: number }) => seconds)).toEqual([1, 60])
      expect(body.traces.activity).toMatchObject({ method: 'POST', status: 200 })
      expect(text).not.toMatch(keyPattern)
    }
  })

  test('that writes is for a full key with the switch on, and foretold so', async () => {
    const { body } = await tool('get_patient', { 'a-patientId': wren })
    expect(body.outcomes.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([true, true, true])

    const levels = ['read_only', 'full', 'full_writes']
    const offered = await Promise.all(
      levels.map(async (level) => {
        const page = `/explorer/mcp?${new URLSearchParams({ practice: mara.practiceSlug, level })}`
        const { tools } = (await explorer.ask(page, own())).body
        return tools.some(({ name }: { name: string }) => name === 'create_patient')
      }),
    )
    const made = await tool(
      'create_patient',
      { 'a-family': 'Testwell', 'a-given': 'Ida', 'a-birthDate': '1990-01-02', 'a-sex': 'female' },
      'full_writes',
    )
    expect(offered).toEqual([false, false, true])
    expect(made.body.outcomes?.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual(offered)
  })

  test('that answers something else than its schema is told where', () => {
    const { outputSchema } =
      listTools({ writes: false }).find(({ name }) => name === 'list_practitioners') ?? {}

    const found = compareWithTool(outputSchema ?? {}, { data: 'none', page: {}, correlationId: 'x', more: 1 })

    expect(found.differences.map(({ kind, path }) => `${kind} ${path}`)).toEqual(
      expect.arrayContaining(['different data', 'extra more']),
    )
  })

  test('every outputSchema can be compared with', () => {
    for (const { outputSchema } of listTools({ writes: true }))
      expect(compareWithTool(outputSchema, {}).differences.length).toBeGreaterThan(0)
  })
})

test('a line of the history fills the builder again, for its owner alone', async () => {
  await search('Observation', { 'p-category': 'vital-signs', count: '7', sort: '-date' })
  const [line] = await stack.services.explorerHistory.list(mara.accountId)
  const other = await createExplorers(() => stack.services).makeDeveloper()
  const page = (of: Developer) =>
    explorer.ask(`/explorer/fhir?${new URLSearchParams({ type: 'Observation', call: line?.id ?? '' })}`, {
      headers: { cookie: of.cookie },
    })

  const mine = (await page(mara)).body
  const theirs = (await page(other)).body

  expect(line).toMatchObject({ interface: 'fhir', level: 'patient' })
  expect(mine.type.type).toBe('Observation')
  expect(mine.kept).toMatchObject({ values: { count: ['7'], sort: ['-date'] }, empty: ['category'] })
  expect(theirs.kept).toBeNull()
})
