/** Every parameter of every operation and every argument of every tool has an input that somebody chose for it. */
import { describe, expect, test } from 'vitest'
import { explorerOperations, headersOf, namesOf } from '../../server/contract/explorer-request.ts'
import { listTools } from '../../server/contract/mcp-list.ts'
import { mcpTools } from '../../server/contract/mcp-tools.ts'
import { describeOperation } from './describe-operation.server.ts'
import { type ToolSchema, toolArguments, toolFields } from './tool-form.ts'

const tools = listTools({ writes: true }).map((tool) => [tool.name, tool.inputSchema as ToolSchema] as const)

/** By the contract's own names. A new one is missing here, and the test says so. */
const inputs = {
  q: 'search',
  mrn: 'record mrn',
  dob: 'date',
  limit: 'number 1 to 100',
  offset: 'number 0 to 1000000',
  'X-Purpose': 'choice',
  'Idempotency-Key': 'once',
  Accept: 'choice',
  '/practitioners/{id} id': 'record practitioner',
  '/locations/{id}/providers id': 'record location',
  '/patients/{id} id': 'record patient',
  '/patients/{id}/ccda id': 'record patient',
  patientId: 'record patient',
  practitionerId: 'record practitioner',
  authorId: 'record practitioner',
  locationId: 'record location',
  encounterId: 'record encounter',
  documentId: 'record document',
  category: 'choice',
  status: 'choice',
  class: 'choice',
  type: 'choice',
  sex: 'choice',
  contentType: 'choice',
  active: 'switch',
  code: 'code',
  from: 'date',
  to: 'date',
  birthDate: 'date',
  start: 'moment',
  authoredAt: 'moment',
  cursor: 'cursor',
  idempotencyKey: 'once',
  'create_patient mrn': 'text',
  'name.family': 'text',
  'name.given': 'lines',
  telecom: 'json',
  address: 'json',
  language: 'text',
  reason: 'text',
  title: 'text',
  sha256: 'text',
  size: 'number',
  maxTokens: 'number',
  maxCharacters: 'number',
} as const

function expected(place: string, name: string): string | undefined {
  const known: Readonly<Record<string, string>> = inputs
  return known[`${place} ${name}`] ?? known[name]
}

interface Field {
  kind: string
  of?: string | undefined
  min?: number | undefined
  max?: number | undefined
}

function shown({ kind, of, min, max }: Field, wanted: string | undefined): string {
  if (of) return `${kind} ${of}`
  return kind === 'number' && wanted !== 'number' ? `number ${min} to ${max}` : kind
}

test.each(Object.entries(explorerOperations))(
  'the form of %s has an input of its kind for each',
  (id, row) => {
    const fields = describeOperation(id)?.fields ?? []
    const names = [...namesOf(row.params), ...namesOf(row.query), ...Object.keys(headersOf(row))]

    expect(fields.map(({ name }) => name)).toEqual(names)
    for (const field of fields) {
      const wanted = expected(row.path, field.name)
      expect([field.name, shown(field, wanted)]).toEqual([field.name, wanted])
      if (field.kind === 'choice') expect(field.choices.length).toBeGreaterThan(0)
      if (field.kind === 'number') expect([field.min, field.max].every(Number.isInteger)).toBe(true)
    }
    if (row.body !== undefined) expect(row.body.safeParse(row.bodyExample).success).toBe(true)
  },
)

describe.each(tools)('the form of %s', (name, schema) => {
  const fields = toolFields(name, schema)

  test('has an input of its kind for each argument', () => {
    for (const field of fields) {
      const wanted = expected(name, field.label)
      expect([field.label, shown(field, wanted?.startsWith('number') ? 'number' : wanted)]).toEqual([
        field.label,
        wanted?.startsWith('number') ? 'number' : wanted,
      ])
      if (field.kind === 'choice') expect(field.choices.length).toBeGreaterThan(0)
      if (field.kind === 'number') expect([field.min, field.max].every(Number.isInteger)).toBe(true)
    }
  })

  test('shows examples that the tool takes', () => {
    const form = new FormData()
    for (const field of fields)
      if (['json', 'lines', 'number'].includes(field.kind)) form.set(field.name, field.placeholder)
    const made = toolArguments(name, schema, form)
    if (made.kind === 'wrong') throw new Error(made.message)

    const input = mcpTools[name as keyof typeof mcpTools].input
    for (const [key, value] of Object.entries(made.value))
      if (key !== 'name')
        expect([key, input.shape[key as never]]).toSatisfy(([, part]) => part.safeParse(value).success)
  })
})

test('every row of the list is an input of the contract', () => {
  const named = Object.entries(explorerOperations).flatMap(([id, { path }]) =>
    (describeOperation(id)?.fields ?? []).flatMap(({ name }) => [name, `${path} ${name}`]),
  )
  const argued = tools.flatMap(([name, schema]) =>
    toolFields(name, schema).flatMap(({ label }) => [label, `${name} ${label}`]),
  )

  for (const name of Object.keys(inputs)) expect([...named, ...argued]).toContain(name)
})
