/**
 * The answers of the FHIR builder and the MCP console tell what the call left behind, how it compares with what is
 * published, and what other credentials would get: foretold by the rules that the interfaces go by, so that the interfaces agree.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readCapability } from '../../app/explorer/fhir/capability.ts'
import { outcomesOf } from '../../app/explorer/fhir/fhir-answer.server.ts'
import { buildFhirRequest } from '../../app/explorer/fhir/fhir-request.ts'
import { type ScopeChoice, scopeText, type TokenKind } from '../../app/explorer/fhir/fhir-token.ts'
import { compareWithTool } from '../../app/explorer/mcp/mcp-console.server.ts'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { listTools } from '../../server/contract/mcp/list.ts'
import { createExplorerApp } from '../support/explorer-app.ts'
import { createExplorers, type Developer } from '../support/explorers.ts'
import { baseOf, defaultPractice, entriesOf, type FhirStack, fhirStack } from '../support/fhir.ts'

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
})

test('a FHIR read says of each token whose chart it reaches', async () => {
  const { body } = await explorer.fill(
    fhirPage('Patient'),
    { type: 'Patient', interaction: 'read', id: wren, scopes: 'all' },
    own(),
  )

  expect(body.status).toBe(200)
  expect(body.outcomes[0].rows[0].why).toContain(`in the chart of ${wren}`)
  expect(body.outcomes[1].rows[0].why).toBe('Found for any patient of this practice.')
})

describe('an operation of FHIR is foretold for other tokens as the door then answers them', () => {
  const otis = 'pt-otis-samplewood'
  const base = baseOf(defaultPractice)
  const kinds = ['patient', 'clinician', 'backend'] as const
  const person = {
    patient: { patientId: otis },
    clinician: { practitionerId: 'pr-ines-placeholder' },
    backend: {},
  }
  const tokens = new Map<string, string>()
  let capability: ReturnType<typeof readCapability>
  let types: readonly string[]
  let document: string

  beforeAll(async () => {
    capability = readCapability((await stack.call('metadata')).body)
    types = capability.map(({ type }) => type).filter((type) => type !== 'Group')
    const found = await stack.call(`DocumentReference?patient=${otis}`, {
      token: await tokenOf('backend', 'system/*.rs'),
    })
    const withBytes = entriesOf(found).find(({ resource }) =>
      resource.content.some(({ attachment }: { attachment: { url?: string } }) =>
        attachment.url?.endsWith('$attachment'),
      ),
    )
    document = withBytes?.resource.id ?? 'has none'
  })

  /** Given out before a practice lets out less, for that is when it matters most. */
  async function tokenOf(audience: TokenKind, scope: string): Promise<string> {
    const key = `${audience} ${scope}`
    const token = tokens.get(key) ?? (await stack.issueToken({ audience, scope, ...person[audience] })).token
    tokens.set(key, token)
    return token
  }

  /** Level by level what was foretold, and what the interface said to such a token. */
  async function foretoldAndSaid(fields: Record<string, string>) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const built = buildFhirRequest(form, capability, base)
    if (built.kind === 'refused') throw new Error(built.message)
    const { request } = built
    const practice = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: defaultPractice },
    })
    const asked = { request, person: { kind: 'patient', id: otis }, types, base } as const
    const groups = outcomesOf(asked, (question, token) =>
      stack.services.decideFhir(practice, question, token),
    )
    const rows: { of: string; foretold: number; said: number }[] = []
    for (const [place, kind] of kinds.entries())
      for (const { level, allowed, why } of groups[place]?.rows ?? []) {
        const scope = scopeText(level as ScopeChoice, { kind, request, types, own: '' })
        const { status } = await stack.call(request.path, { token: await tokenOf(kind, scope) })
        // `403: …`, or the same of the token itself.
        const refused = Number(/^(?:No token is issued: )?(\d{3}): /.exec(why)?.[1])
        rows.push({ of: `${kind} ${level}`, foretold: allowed ? 200 : refused, said: status })
      }
    expect(rows).toHaveLength(9)
    return rows
  }

  // Short pages: who may ask is in question, and not what is there.
  const everything = { type: 'Patient', operation: 'everything', id: otis, 'o-meta-count': '1' }
  const ccda = { type: 'Patient', operation: 'ccda', id: otis }
  const docref = { type: 'DocumentReference', operation: 'docref' }

  test.each([
    ['a whole chart', everything, 200],
    ['a chart of some types', { ...everything, 'o-meta-type': 'Condition,Goal' }, 200],
    ['a chart since no instant', { ...everything, 'o-meta-since': 'yesterday' }, 400],
    ['a CCD', ccda, 200],
    ['a chart of somebody else', { ...everything, id: wren }, 404],
    ['documents', { ...docref, 'o-patient': otis, 'o-type': '11506-3' }, 200],
    ['documents of somebody else', { ...docref, 'o-patient': wren }, 403],
    ['documents of nobody', { ...docref, 'o-type': '11506-3' }, 200],
    ['documents of no day', { ...docref, 'o-patient': otis, 'o-start': 'soon' }, 400],
    ['bytes of a document', { type: 'DocumentReference', operation: 'attachment' }, 200],
  ] as const)('%s', async (_name, fields, status) => {
    const isAttachment = fields.operation === 'attachment'
    const rows = await foretoldAndSaid(isAttachment ? { ...fields, id: document } : fields)

    for (const { of, foretold, said } of rows) expect([of, foretold]).toEqual([of, said])
    expect(rows[0]).toMatchObject({ of: 'patient all', said: status })
    expect(rows[2]).toMatchObject({ of: 'patient without', said: status === 404 ? 404 : 403 })
  })

  test('where the practice lets out less', async () => {
    const { prisma } = stack.services
    const where = { slug: defaultPractice }
    const before = await prisma.practice.findUniqueOrThrow({ where })
    const fhirTypes = types.filter((each) => each !== 'Medication')
    await prisma.practice.update({ where, data: { fhirTypes, fhirAudiences: ['patient', 'clinician'] } })
    try {
      for (const [fields, status] of [
        [everything, 200],
        [ccda, 403],
      ] as const) {
        const rows = await foretoldAndSaid(fields)
        for (const { of, foretold, said } of rows) expect([of, foretold]).toEqual([of, said])
        expect(rows[0]).toMatchObject({ of: 'patient all', said: status })
        expect(rows[6]).toMatchObject({ of: 'backend all', said: 403 })
      }
    } finally {
      const { fhirTypes, fhirAudiences } = before
      await prisma.practice.update({ where, data: { fhirTypes, fhirAudiences } })
    }
  })
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
