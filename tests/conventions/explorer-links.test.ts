/** “Open in the explorer” beside a command: what the explorer's form then holds sends the command's own request. */
import { describe, expect, test } from 'vitest'
import { explorerLink } from '../../app/docs/guides/explorer-link.ts'
import { translatedStages } from '../../app/docs/guides/guide-codes.server.ts'
import { referencePages } from '../../app/docs/reference/reference.server.ts'
import { askedValues } from '../../app/explorer/fhir/asked-values.ts'
import { readCapability } from '../../app/explorer/fhir/capability.ts'
import { builderFields } from '../../app/explorer/fhir/fhir-fields.ts'
import { buildFhirRequest } from '../../app/explorer/fhir/fhir-request.ts'
import { askedArguments, toolArguments, toolFields } from '../../app/explorer/mcp/tool-arguments.ts'
import { fill, readFormCall } from '../../app/explorer/rest/rest.server.ts'
import { describeOperation } from '../../app/shared/operations/describe-operation.server.ts'
import type { JsonSchema } from '../../app/shared/operations/schema-field.ts'
import { parseCurl } from '../../app/shared/snippets/parse-curl.ts'
import { askedArgs, askedPath } from '../../server/contract/lab/explorer-links.ts'
import { buildRequest } from '../../server/contract/lab/explorer-request.ts'
import { listTools } from '../../server/contract/mcp/list.ts'
import { capabilityStatement } from '../../server/fhir/capability-statement.ts'
import { snippets } from '../support/snippets.ts'

const base = 'https://fhir.example'
const rest = 'https://rest.example'
const capability = readCapability(capabilityStatement({ base, practiceName: 'Larkfield' }))
const commands = [
  ...snippets
    .filter(({ language, stage }) => language === 'sh' && translatedStages.includes(stage))
    .map(({ code }) => code),
  ...referencePages().flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'command' ? [block.command] : [])),
  ),
]
const linked = [...new Set(commands)].flatMap((command) => {
  const link = explorerLink(command)
  return link === null ? [] : [[link, command] as const]
})
const of = (part: string) => linked.filter(([link]) => link.startsWith(part))

/** What the command sends, below the base. */
function sentBy(command: string) {
  const placed = command.replaceAll('SANDBOX_BASE', base).replaceAll('REST_ORIGIN/sandbox/api/v1', rest)
  const { method, url, headers, body } = parseCurl(placed, { BASE: rest, SVC_KEY: 'key', TOKEN: 'token' })
  return { method, path: url.replace(base, '').replace(rest, ''), headers, body }
}

const pairsOf = (search: string) => [...new URLSearchParams(search)].map((pair) => pair.join('=')).toSorted()
const queryOf = (link: string) => new URL(link, base).searchParams

describe('of a REST operation', () => {
  test.each(of('/explorer/rest/'))('%s', (link, command) => {
    const id = new URL(link, base).pathname.split('/').at(-1) ?? ''
    const operation = describeOperation(id)
    if (!operation) throw new Error(`the explorer has no ${id}`)
    const form = new FormData()
    for (const [input, value] of Object.entries(fill(operation, queryOf(link), ''))) form.set(input, value)

    const read = readFormCall(id, form)
    if (read.kind !== 'call') throw new Error(read.refusal)
    const built = buildRequest(read.call)
    if (built.kind !== 'built') throw new Error(`${built.refusal} ${built.field}`)

    const { method, path, headers, body } = sentBy(command)
    const [place, search = ''] = built.request.path.split('?')
    const [sentPlace, sentSearch = ''] = path.split('?')
    expect([built.request.method, place, pairsOf(search)]).toEqual([method, sentPlace, pairsOf(sentSearch)])
    expect(built.request.body && JSON.parse(built.request.body)).toEqual(body ? JSON.parse(body) : null)
    expect(new Headers(built.request.headers.map(([...pair]) => pair)).get('x-purpose')).toBe(
      headers.get('x-purpose'),
    )
  })
})

describe('of a FHIR request', () => {
  test.each(of('/explorer/fhir'))('%s', (link, command) => {
    const query = queryOf(link)
    const type = capability.find((each) => each.type === query.get('type'))
    if (!type) throw new Error(`the builder has no ${query.get('type')}`)
    const values = askedValues(query.get(askedPath), builderFields(type))
    const form = new FormData()
    form.set('type', type.type)
    if (values.id && !values.operation) form.set('interaction', 'read')
    for (const [name, list] of Object.entries(values)) for (const value of list) form.append(name, value)

    const built = buildFhirRequest(form, capability, base)
    if (built.kind !== 'built') throw new Error(`${built.field}: ${built.message}`)

    const { method, path, body } = sentBy(command)
    const [sentPlace = '', sentSearch = ''] = path.slice(1).split('?')
    const [place, search = ''] = built.request.path.split('?')
    expect(place).toBe(sentPlace.replace('/_search', ''))
    expect(pairsOf(search)).toEqual(pairsOf(method === 'POST' ? (body ?? '') : sentSearch))
  })
})

test('of a tool fills in its arguments', () => {
  const args = { id: 'pt-wren-testwell', sections: ['allergies', 'problems'], name: { family: 'Testwell' } }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_patient', arguments: args },
  }
  const link = explorerLink(`curl "$BASE/mcp" -d '${JSON.stringify(call)}'`) ?? ''

  expect(queryOf(link).get('tool')).toBe('create_patient')
  expect(
    askedArguments(queryOf(link).get(askedArgs), toolFields('create_patient', schemaOf('create_patient'))),
  ).toEqual({
    'a-name-family': 'Testwell',
  })
})

/** Every argument that a form's examples hold, as JSON and back. */
test.each(listTools({ writes: true }).map(({ name }) => name))(
  'of %s, its arguments come through a link',
  (name) => {
    const fields = toolFields(name, schemaOf(name))
    const form = new FormData()
    for (const { input, choices, placeholder } of fields)
      form.set(input, choices[0] ?? (placeholder || 'text'))
    const made = toolArguments(name, schemaOf(name), form)
    if (made.kind === 'wrong') throw new Error(made.message)

    const again = new FormData()
    for (const [field, value] of Object.entries(askedArguments(JSON.stringify(made.value), fields)))
      again.set(field, value)
    expect(toolArguments(name, schemaOf(name), again)).toEqual(made)
  },
)

const schemaOf = (name: string) =>
  listTools({ writes: true }).find((each) => each.name === name)?.inputSchema as JsonSchema

test('what no form of the explorer can send has no link', () => {
  for (const command of [
    'curl "SANDBOX_BASE/Group/gr-all-patients" -H "Authorization: Bearer $TOKEN"',
    'curl -X DELETE "SANDBOX_BASE/Patient/pt-wren-testwell" -H "Authorization: Bearer $TOKEN"',
    'curl "$BASE/patients" -H "X-Sandbox-Fault: 500"',
    'curl "$STATUS_URL"',
  ])
    expect(explorerLink(command), command).toBeNull()
})

/** Discovery, lists of endpoints, groups, the Status API, batches, and what the sandbox is made to refuse. */
const withoutForm =
  /X-Sandbox-Fault|\.well-known|\/metadata|\/endpoints|\/Group|\/system\/|-X DELETE|-X POST "SANDBOX_BASE"|\/mcp"/

test('every other command has such a link', () => {
  const missing = commands.filter((command) => explorerLink(command) === null && !withoutForm.test(command))
  expect(missing).toEqual([])
})
