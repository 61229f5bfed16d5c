/** Every parameter of every operation and every argument of every tool has an input that somebody chose for it. */
import { describe, expect, test } from 'vitest'
import { explorerOperations, headersOf, namesOf } from '../../server/contract/lab/explorer-request.ts'
import { listTools } from '../../server/contract/mcp/list.ts'
import { describeOperation } from '../shared/operations/describe-operation.server.ts'
import { type ToolSchema, toolFields } from './mcp/tool-arguments.ts'

const tools = listTools({ writes: true }).map((tool) => [tool.name, tool.inputSchema as ToolSchema] as const)

/** Texts that are more than a text, by the contract's own names. The schema tells every other input. */
const inputs: Readonly<Record<string, string>> = {
  q: 'search',
  mrn: 'record mrn',
  dob: 'date',
  'Idempotency-Key': 'once',
  patientId: 'record patient',
  practitionerId: 'record practitioner',
  authorId: 'record practitioner',
  locationId: 'record location',
  encounterId: 'record encounter',
  documentId: 'record document',
  code: 'code',
  from: 'date',
  to: 'date',
  birthDate: 'date',
  start: 'moment',
  authoredAt: 'moment',
  cursor: 'cursor',
  idempotencyKey: 'once',
  'create_patient mrn': 'text',
}

/** A tool's or an operation's field whose kind the schema decides. */
const bySchema = new Set(['choice', 'number', 'switch', 'lines', 'json'])

function expected(place: string, name: string): string {
  return inputs[`${place} ${name}`] ?? inputs[name] ?? 'text'
}

const shown = ({ kind, of }: { kind: string; of?: string | undefined }) => (of ? `${kind} ${of}` : kind)

test.each(Object.entries(explorerOperations))(
  'the form of %s has an input of its kind for each',
  (id, row) => {
    const fields = describeOperation(id)?.fields ?? []
    const names = [...namesOf(row.params), ...namesOf(row.query), ...Object.keys(headersOf(row))]

    expect(fields.map(({ name }) => name)).toEqual(names)
    for (const field of fields) {
      if (field.name === 'id' && field.of) expect(field.description).toBe(`Id of the ${field.of}.`)
      else if (!bySchema.has(field.kind))
        expect([field.name, shown(field)]).toEqual([field.name, expected(row.path, field.name)])
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
      if (!bySchema.has(field.kind))
        expect([field.label, shown(field)]).toEqual([field.label, expected(name, field.label)])
      if (field.kind === 'choice') expect(field.choices.length).toBeGreaterThan(0)
      if (field.kind === 'number') expect([field.min, field.max].every(Number.isInteger)).toBe(true)
    }
  })
})
