/** What the FHIR builder and the MCP console answer, and what the history brings back of it. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
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

// One address posts only so many forms a second.
beforeEach(() => stack.services.advance(1_000))

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

test('a FHIR search answers with its resources, and without its token', async () => {
  const { body, text } = await search('MedicationRequest', { revinclude: 'Provenance:target', count: '5' })

  expect(body).toMatchObject({ kind: 'answer', status: 200, shortened: false })
  expect(body.result.rows.map(({ mode }: { mode: string }) => mode)).toContain('include')
  expect(text).not.toMatch(accessToken)
})

describe('a tool of MCP', () => {
  test('answers, with a link to the log of its key and without the key', async () => {
    const { body, text } = await tool('get_patient', { 'a-patientId': wren })

    expect(body).toMatchObject({ kind: 'answer', status: 200, isError: false })
    expect(body.logs).toMatch(/\/logs\?caller=key/)
    expect(text).not.toMatch(keyPattern)
  })

  test('that writes is for a full key with the switch on', async () => {
    const levels = ['read_only', 'full', 'full_writes']
    const offered = await Promise.all(
      levels.map(async (level) => {
        const page = `/explorer/mcp?${new URLSearchParams({ practice: mara.practiceSlug, level })}`
        const { tools } = (await explorer.ask(page, own())).body
        return tools.some(({ name }: { name: string }) => name === 'create_patient')
      }),
    )
    const levelOf = async (query: Record<string, string>) => {
      const page = `/explorer/mcp?${new URLSearchParams({ practice: mara.practiceSlug, ...query })}`
      return (await explorer.ask(page, own())).body.level
    }
    expect(await levelOf({ tool: 'create_patient' })).toBe('full_writes')
    expect(await levelOf({ tool: 'create_patient', level: 'read_only' })).toBe('read_only')
    expect(await levelOf({ tool: 'get_patient' })).toBe('read_only')
    const made = await tool(
      'create_patient',
      {
        'a-idempotencyKey': 'forecast-1',
        'a-name-family': 'Testwell',
        'a-name-given': 'Ida',
        'a-birthDate': '1990-01-02',
        'a-sex': 'female',
      },
      'full_writes',
    )
    expect(made.body).toMatchObject({ kind: 'answer', isError: false })
    expect(offered).toEqual([false, false, true])
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
  expect(mine.request.hidden.type).toBe('Observation')
  expect(mine.kept).toMatchObject({ values: { count: ['7'], sort: ['-date'] }, empty: ['category'] })
  expect(theirs.kept).toBeNull()
})
