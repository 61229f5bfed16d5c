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

test('a reference is chosen among records of the practice and of the chart, the newest first', async () => {
  const { choices: encounters } = await load(`${clinician}&type=MedicationRequest`)
  const { choices: places } = await load(`${patient}&type=Encounter`)
  const { choices: roles } = await load(`${patient}&type=PractitionerRole`)
  const { choices: endpoints } = await load(`${patient}&type=Endpoint`)

  const days = encounters.encounter.map(({ display }: { display: string }) => display.slice(0, 10))
  expect(days.length).toBeGreaterThan(1)
  expect(days).toEqual(days.toSorted().reverse())
  expect(days[0]).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(places.location.map(({ value }: { value: string }) => value)).toContain('loc-main')
  expect(JSON.stringify(roles.practitioner)).toContain('Ines Placeholder')
  expect(endpoints.organization.length).toBeGreaterThan(0)
})

test('every list of records from a chart leaves its row of access before it is shown', async () => {
  const { recorder, database } = stack.services
  await recorder.flush()
  const last = async () =>
    (
      await database.ownerPool.query(
        `SELECT resource_type, patient_id, principal_id, count > 0 AS some FROM log.phi_audit
          WHERE action = 'suggest' ORDER BY id`,
      )
    ).rows
  const before = (await last()).length

  const { choices } = await load(`${clinician}&type=DocumentReference`)
  await load(`${clinician}&type=MedicationRequest`)
  await recorder.flush()

  const rows = (await last()).slice(before)
  expect(choices._id.length).toBeGreaterThan(0)
  for (const resource_type of ['DocumentReference', 'MedicationRequest', 'Encounter'])
    expect(rows).toContainEqual({
      resource_type,
      patient_id: wren,
      principal_id: mara.accountId,
      some: true,
    })
})

test('a chosen reference finds what refers to it, and the answer is without its token', async () => {
  const fields = { type: 'Encounter', 'p-location': 'loc-main', revinclude: 'Provenance:target' }
  const { body, text } = await build(fields, patient)

  expect(body.status).toBe(200)
  expect(body.result.total).toBeGreaterThan(0)
  expect(body.url).toContain('location=loc-main')
  expect(body.result.rows.map(({ mode }: { mode: string }) => mode)).toContain('include')
  expect(text).not.toMatch(/spa_[A-Za-z0-9_-]{43}/)
})

test('a patient’s token is offered nothing of anybody else, and an unknown chart has no records', async () => {
  const own = await load(`${patient}&type=Patient`)
  const none = await load('as=clinician:pr-ines-placeholder&about=%00..%2Fx&type=MedicationRequest')

  expect(own.choices._id.map(({ value }: { value: string }) => value)).toEqual([wren])
  expect(own.choices.identifier).toHaveLength(1)
  expect(none.choices.encounter).toBeUndefined()
  expect(none.request.hidden.type).toBe('MedicationRequest')
})

test('what the practice lets no app see is not offered', async () => {
  const { prisma } = stack.services
  const where = { slug: mara.practiceSlug }
  await prisma.practice.update({ where, data: { fhirTypes: ['MedicationRequest', 'Patient'] } })

  const { choices } = await load(`${patient}&type=MedicationRequest`)
  await prisma.practice.update({ where, data: { fhirTypes: [] } })

  expect(choices._id.length).toBeGreaterThan(0)
  expect(choices.encounter).toBeUndefined()
})

describe('an operation', () => {
  const names = Object.keys(fhirOperations) as FhirOperationName[]

  test.each(names)('%s is called with all of its parameters', async (name) => {
    const { type, level } = fhirOperations[name]
    const document = (await load(`${patient}&type=DocumentReference`)).choices._id.at(-1).value
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
