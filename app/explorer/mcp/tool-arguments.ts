/** A form from the JSON schema of a tool's arguments, and the arguments from what came back of it. */
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import { type NamedInput, namedInput, type RecordKind } from '../../shared/operations/input-kinds.ts'

export interface ToolSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ToolSchema>>
  readonly items?: ToolSchema
}

export interface ToolField {
  /** Of the form's field. */
  readonly name: string
  /** `name.family`. */
  readonly label: string
  readonly hint: string
  readonly kind: NamedInput['kind'] | 'number' | 'choice' | 'switch' | 'lines' | 'json'
  /** Of a record: what its id or number is of. */
  readonly of?: RecordKind | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly maxLength?: number | undefined
  readonly choices: readonly string[]
  readonly isRequired: boolean
  readonly placeholder: string
}

type ToolArguments =
  | { readonly kind: 'arguments'; readonly value: Record<string, unknown> }
  | { readonly kind: 'wrong'; readonly field: string; readonly message: string }

const separator = '-'
const rootName = 'a'
const textMax = 20_000
/** No argument of a tool has half as many. */
const levelsMax = 20

/** Objects are taken apart, whatever their depth; lists of anything but texts stay JSON. */
export function toolFields(tool: string, schema: ToolSchema): readonly ToolField[] {
  return fieldsOf(tool, schema, [], true)
}

function fieldsOf(
  tool: string,
  schema: ToolSchema,
  path: readonly string[],
  isRequired: boolean,
): readonly ToolField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = [...path, name]
    const needed = isRequired && (schema.required ?? []).includes(name)
    if (property.type === 'object' && property.properties) return fieldsOf(tool, property, own, needed)
    return [
      {
        name: nameOf(own),
        label: own.join('.'),
        hint: (property.description ?? '').split('\n')[0]?.replaceAll('`', '') ?? '',
        ...kindOf(tool, own.join('.'), property),
        min: property.minimum,
        max: property.maximum,
        maxLength: property.maxLength,
        choices: property.enum ?? [],
        isRequired: needed,
        placeholder: placeholderOf(property),
      },
    ]
  })
}

/** Only what was filled in; whether it is right is for the tool to say. */
export function toolArguments(
  tool: string,
  schema: ToolSchema,
  fields: Pick<FormData, 'get'>,
): ToolArguments {
  const value: Record<string, unknown> = {}
  for (const { name, label, kind } of toolFields(tool, schema)) {
    const typed = fields.get(name)
    const text = typeof typed === 'string' ? typed.trim() : ''
    if (text === '') continue
    if (text.length > textMax) return { kind: 'wrong', field: name, message: `${label} is too long.` }
    const read = readValue(kind, text)
    if (read === undefined)
      return {
        kind: 'wrong',
        field: name,
        message: `${label} is not ${kind === 'json' ? 'JSON, or is nested too deeply' : 'a number'}.`,
      }
    place(value, label.split('.'), read)
  }
  return { kind: 'arguments', value }
}

const askedMax = 2_000

/** The other way round: from arguments as JSON, as a link names them, to what the fields of the form hold. */
export function askedArguments(json: string | null, fields: readonly ToolField[]): Record<string, string> {
  const parsed = readValue('json', (json ?? '').slice(0, askedMax))
  return Object.fromEntries(
    fields.flatMap(({ name, label, kind }) => {
      const value = label.split('.').reduce(partOf, parsed)
      return value === undefined ? [] : [[name, fieldText(kind, value)]]
    }),
  )
}

function partOf(whole: unknown, name: string): unknown {
  if (typeof whole !== 'object' || whole === null || !Object.hasOwn(whole, name)) return undefined
  return (whole as Record<string, unknown>)[name]
}

function fieldText(kind: ToolField['kind'], value: unknown): string {
  if (kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readValue(kind: ToolField['kind'], text: string): unknown {
  switch (kind) {
    case 'number':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : undefined
    case 'switch':
      return text === 'true'
    case 'lines':
      return text.split(/\r?\n/).map((line) => line.trim())
    case 'json':
      try {
        const value: unknown = parseBoundedJson(text)
        return isShallow(value, levelsMax) ? value : undefined
      } catch {
        return undefined
      }
    default:
      return text
  }
}

/** What is nested without end can be read, and then not be written again. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1))
}

/** Names come from the schema, never from the form. */
function place(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value
  else {
    into[name] ??= {}
    place(into[name] as Record<string, unknown>, rest, value)
  }
}

function nameOf(path: readonly string[]): string {
  return [rootName, ...path].join(separator)
}

/** A schema tells most kinds, a table what a text is; a test says which name it lacks. */
function kindOf(
  tool: string,
  label: string,
  { type, enum: choices, items }: ToolSchema,
): Pick<ToolField, 'kind' | 'of'> {
  if (choices) return { kind: 'choice' }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'array') return { kind: items?.type === 'string' && !items.enum ? 'lines' : 'json' }
  return type === 'string' ? namedInput(tool, label) : { kind: 'json' }
}

function placeholderOf(schema: ToolSchema): string {
  const { default: usual, examples, type } = schema
  const [example = usual] = examples ?? []
  if (type === 'array' && schema.items?.type === 'object') return JSON.stringify(exampleOf(schema))
  if (Array.isArray(example)) return example.join('\n')
  if (example === undefined) return ''
  return type === 'string' || type === 'integer' ? String(example) : JSON.stringify(example)
}

/** A value that the schema takes, made of its examples and its first choices. */
function exampleOf({ type, enum: choices, examples, properties, items }: ToolSchema): unknown {
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
