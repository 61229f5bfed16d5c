/** Makes a form field from a JSON schema: its kind, limits and example. */
import { namedInput } from './input-kinds.ts'
import type { RequestField } from './operation.ts'

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}

type SchemaField = Pick<
  RequestField,
  'kind' | 'of' | 'choices' | 'labels' | 'min' | 'max' | 'maxLength' | 'placeholder'
>

/**
 * @param place path of an operation, or name of a tool
 * @param name of the parameter; of an argument within others its whole path, `name.family`
 */
export function schemaField(place: string, name: string, schema: JsonSchema): SchemaField {
  return {
    ...kindOf(place, name, schema),
    choices: (schema.enum ?? (schema.type === 'boolean' ? [true, false] : [])).map(String),
    min: schema.minimum,
    max: schema.maximum,
    maxLength: schema.maxLength,
    placeholder: placeholderOf(schema),
  }
}

/** The first line says what it is; the rest is for the reference. */
export function firstLine(description = ''): string {
  return description.split('\n')[0] ?? ''
}

/** The schema gives most kinds. A table gives the kind of a text, and a test finds names that it lacks. */
function kindOf(
  place: string,
  name: string,
  { type, enum: choices, items, anyOf }: JsonSchema,
): Pick<RequestField, 'kind' | 'of'> {
  if (choices || type === 'boolean') return { kind: 'choice' }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  if (type === 'array') return { kind: items?.type === 'string' && !items.enum ? 'lines' : 'json' }
  return type === 'object' || anyOf ? { kind: 'json' } : namedInput(place, name)
}

function placeholderOf(schema: JsonSchema): string | undefined {
  const { default: usual, examples, type, items } = schema
  const [example = usual] = examples ?? []
  if (type === 'array' && items?.type === 'object') return JSON.stringify(exampleOf(schema))
  if (Array.isArray(example)) return example.join('\n')
  return typeof example === 'object'
    ? JSON.stringify(example)
    : example === undefined
      ? undefined
      : `${example}`
}

/** A value that the schema takes, made of its examples and its first choices. */
function exampleOf({ type, enum: choices, examples, properties, items }: JsonSchema): unknown {
  if (examples?.[0] !== undefined) return examples[0]
  if (choices) return choices[0]
  if (type === 'array') return items ? [exampleOf(items)] : []
  if (type !== 'object') return undefined
  return Object.fromEntries(
    Object.entries(properties ?? {}).flatMap(([name, property]) => {
      const value = exampleOf(property)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
