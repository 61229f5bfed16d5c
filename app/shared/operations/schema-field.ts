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
 * @param place an operation's path or a tool's name
 * @param name the parameter's name, or the path of a nested argument, `name.family`
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

/** The first line describes the field. The reference shows the rest, too. */
export function firstLine(description = ''): string {
  return description.split('\n')[0] ?? ''
}

/** Most kinds follow from the schema. The kind of a text follows from its name; a test finds names without a row. */
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

/** Makes a value that matches the schema from its examples and first choices. */
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
