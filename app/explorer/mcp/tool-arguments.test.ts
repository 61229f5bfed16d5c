import { describe, expect, test } from 'vitest'
import { listTools } from '../../../server/contract/mcp/list.ts'
import { operations } from '../../../server/contract/rest/operations.ts'
import type { JsonSchema } from '../../shared/operations/schema-field.ts'
import { toolArguments, toolFields } from './tool-arguments.ts'

const schemaOf = (name: string) =>
  listTools({ writes: true }).find((tool) => tool.name === name)?.inputSchema as JsonSchema

function form(fields: Record<string, string>) {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}

describe('the form of a tool', () => {
  test.each(listTools({ writes: true }).map((tool) => [tool.name, tool.inputSchema as JsonSchema] as const))(
    'of %s has a field for every argument, of a name that forms may have',
    (name, schema) => {
      const fields = toolFields(name, schema)

      for (const property of Object.keys(schema.properties ?? {}))
        expect(fields.some(({ name }) => name === property || name.startsWith(`${property}.`))).toBe(true)
      for (const { input } of fields) expect(input).toMatch(/^[a-z][a-z0-9-]{0,39}$/i)
      expect(new Set(fields.map(({ input }) => input)).size).toBe(fields.length)
    },
  )
})

describe('arguments', () => {
  test('are put together as the schema has them', () => {
    const example = operations.createPatient.bodyExample
    const made = toolArguments(
      'create_patient',
      schemaOf('create_patient'),
      form({
        'a-idempotencyKey': 'one',
        'a-name-family': 'Samplewood',
        'a-name-given': 'Juniper\nMae',
        'a-birthDate': '1988-02-17',
        'a-sex': 'female',
        'a-telecom': '[{"system":"phone","value":"555-0100"}]',
        'a-evil': 'x',
      }),
    )

    expect(example).toHaveProperty('name.family')
    expect(made).toEqual({
      kind: 'arguments',
      value: {
        idempotencyKey: 'one',
        name: { family: 'Samplewood', given: ['Juniper', 'Mae'] },
        birthDate: '1988-02-17',
        sex: 'female',
        telecom: [{ system: 'phone', value: '555-0100' }],
      },
    })
  })

  test('that hold themselves thousands of times are refused before anybody has to write them', () => {
    for (const levels of [21, 9_000]) {
      const telecom = `${'['.repeat(levels)}${']'.repeat(levels)}`
      expect(
        toolArguments('create_patient', schemaOf('create_patient'), form({ 'a-telecom': telecom })),
      ).toMatchObject({ kind: 'wrong', field: 'a-telecom' })
    }
  })

  test('that cannot be read are named', () => {
    expect(
      toolArguments('search_patients', schemaOf('search_patients'), form({ 'a-limit': 'ten' })),
    ).toMatchObject({
      kind: 'wrong',
      field: 'a-limit',
    })
    expect(
      toolArguments('create_patient', schemaOf('create_patient'), form({ 'a-telecom': '[{' })),
    ).toMatchObject({
      kind: 'wrong',
      field: 'a-telecom',
    })
  })

  test('never reach what every object has', () => {
    const schema = { type: 'object', properties: { q: { type: 'string' } } } as const
    const made = toolArguments('any', schema, form({ 'a-__proto__-x': 'y', 'a-q': 'a' }))

    expect(made).toEqual({ kind: 'arguments', value: { q: 'a' } })
  })
})
