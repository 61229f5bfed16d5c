/**
 * The FHIR builder and the MCP console: every input that they show leads to a request that the interface understands, and
 * nothing else leaves.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { fhirOperationCalls } from '../../server/contract/fhir/operation-calls.ts'
import { type FhirOperationName, fhirOperations } from '../../server/contract/fhir/operations.ts'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { createExplorerApp } from '../support/explorer-app.ts'
import { createExplorers, type Developer } from '../support/explorers.ts'
import { fhirStack } from '../support/fhir.ts'

const wren = 'pt-wren-testwell'
const clinician = `as=clinician:pr-ines-placeholder&about=${wren}`
const patient = `as=patient:${wren}`
const logLines: string[] = []
const headers = () => ({ headers: { cookie: mara.cookie } })

const stack = await fhirStack({ logLines })
const explorer = createExplorerApp(stack.services)
const mara = await createExplorers(() => stack.services).makeDeveloper()

// One address posts only so many forms a second.
beforeEach(() => stack.services.advance(1_000))

const at = (query: string) => `?practice=${mara.practiceSlug}&${query}`
const load = async (query: string) => (await explorer.ask(`/explorer/fhir${at(query)}`, headers())).body
const build = (fields: Record<string, string | readonly string[]>, query = clinician) =>
  explorer.fill(`/explorer/fhir${at(query)}`, fields, headers())

const field = (name: string) => name.replace(/^_/, 'meta-')

test('a reference finds what refers to it, and the answer is without its token', async () => {
  const fields = { type: 'Encounter', 'p-location': 'loc-main', revinclude: 'Provenance:target' }
  const { body, text } = await build(fields, patient)

  expect(body.status).toBe(200)
  expect(body.result.total).toBeGreaterThan(0)
  expect(body.url).toContain('location=loc-main')
  expect(body.result.rows.map(({ mode }: { mode: string }) => mode)).toContain('include')
  expect(text).not.toMatch(/spa_[A-Za-z0-9_-]{43}/)
})

test('a patient’s token is offered nothing of anybody else', async () => {
  const own = await load(`${patient}&type=Patient`)

  expect(own.choices._id.map(({ value }: { value: string }) => value)).toEqual([wren])
  expect(own.choices.identifier).toHaveLength(1)
})

describe('an operation', () => {
  const names = Object.keys(fhirOperations) as FhirOperationName[]

  test.each(names)('%s is called with all of its parameters', async (name) => {
    const { type, level } = fhirOperations[name]
    const found = await build({ type: 'DocumentReference' }, patient)
    const document = found.body.result.rows.at(-1).reference.split('/')[1]
    const inputs = fhirOperationCalls[name].inputs.map((input) => [`o-${field(input.name)}`, input.example])
    const id = level === 'instance' ? { id: type === 'Patient' ? wren : document } : {}

    const { body } = await build({ type, operation: name, ...id, ...Object.fromEntries(inputs) }, patient)

    // A document whose bytes are in its own resource has none beside it.
    expect(name === 'attachment' ? [200, 404] : [200]).toContain(body.status)
    expect(body.url).toContain(`/$${name}`)
    expect(body.request).toMatchObject({ type, interaction: 'operation' })
    expect(body.missing).toEqual([])
  })

  test('is followed page by page', async () => {
    const first = await build(
      { type: 'Patient', operation: 'everything', id: wren, 'o-meta-count': '5' },
      patient,
    )
    const second = await build({ next: first.body.result.next }, patient)

    const matches = first.body.result.rows.filter(({ mode }: { mode: string }) => mode === 'match')
    expect(matches).toHaveLength(5)
    expect(second.body.status).toBe(200)
    expect(second.body.url).toContain('/$everything?')
    expect(second.body.result.rows[0].reference).not.toBe(first.body.result.rows[0].reference)
  })
})

test('an address in a field is refused beside it, and logged without what was written', async () => {
  const evil = 'https://evil.example/Patient/1'
  logLines.length = 0

  const search = await build({ type: 'Encounter', 'p-location': evil }, patient)
  const operation = await build({ type: 'Patient', operation: 'everything', id: '../metadata' }, patient)

  expect([search.status, search.body.field]).toEqual([400, 'p-location'])
  expect([operation.status, operation.body.field]).toEqual([400, 'id'])
  expect(logLines.filter((line) => line.includes('the explorer refused an address'))).toHaveLength(2)
  expect(logLines.join('')).not.toContain('evil.example')
})

const mcpPage = (query: Record<string, string>) =>
  `/explorer/mcp?${new URLSearchParams({ practice: mara.practiceSlug, ...query })}`
const tool = (name: string, fields: Record<string, string>, level = 'read_only') =>
  explorer.fill(mcpPage({ level, tool: name }), { tool: name, ...fields }, headers())

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
        const { tools } = (await explorer.ask(mcpPage({ level }), headers())).body
        return tools.some(({ name }: { name: string }) => name === 'create_patient')
      }),
    )
    const levelOf = async (query: Record<string, string>) =>
      (await explorer.ask(mcpPage(query), headers())).body.level
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
  await build({ type: 'Observation', 'p-category': 'vital-signs', count: '7', sort: '-date' }, patient)
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
