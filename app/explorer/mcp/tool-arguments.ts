/** Makes a form of the JSON schema of a tool's arguments, and the arguments of the sent form. */
import { parseBoundedJson } from '../../../server/contract/http/json-bounds.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import { firstLine, type JsonSchema, schemaField } from '../../shared/operations/schema-field.ts'

type ToolArguments =
  | { readonly kind: 'arguments'; readonly value: Record<string, unknown> }
  | { readonly kind: 'wrong'; readonly field: string; readonly message: string }

type Kind = RequestField['kind'] | 'switch'

const separator = '-'
const rootName = 'a'
const textMax = 20_000
/** The most nested levels of an argument, more than twice as many as any tool has. */
const levelsMax = 20

/** The fields of a tool. Nested objects have a field for each value; lists of other things than texts are JSON. */
export const toolFields = (tool: string, schema: JsonSchema): readonly RequestField[] =>
  fieldsOf(tool, schema, [], true)

function fieldsOf(
  tool: string,
  schema: JsonSchema,
  path: readonly string[],
  isRequired: boolean,
): readonly RequestField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([property, nested]) => {
    const at = [...path, property]
    const name = at.join('.')
    const required = isRequired && (schema.required ?? []).includes(property)
    if (nested.type === 'object' && nested.properties) return fieldsOf(tool, nested, at, required)
    return [
      {
        input: [rootName, ...at].join(separator),
        name,
        place: 'body',
        required,
        description: firstLine(nested.description),
        none: 'default',
        ...schemaField(tool, name, nested),
      },
    ]
  })
}

/** The arguments that were filled in. The tool itself checks them. */
export function toolArguments(
  tool: string,
  schema: JsonSchema,
  fields: Pick<FormData, 'get'>,
): ToolArguments {
  const value: Record<string, unknown> = {}
  for (const { input, name, ...field } of toolFields(tool, schema)) {
    const kind = isSwitch(field) ? 'switch' : field.kind
    const typed = fields.get(input)
    const text = typeof typed === 'string' ? typed.trim() : ''
    if (text === '') continue
    if (text.length > textMax) return { kind: 'wrong', field: input, message: `${name} is too long.` }
    const read = readValue(kind, text)
    if (read === undefined)
      return {
        kind: 'wrong',
        field: input,
        message: `${name} is not ${kind === 'json' ? 'JSON, or is nested too deeply' : 'a number'}.`,
      }
    put(value, name.split('.'), read)
  }
  return { kind: 'arguments', value }
}

/** Whether the choices are only true and false. */
const isSwitch = ({ kind, choices }: Pick<RequestField, 'kind' | 'choices'>) =>
  kind === 'choice' && choices.join() === 'true,false'

const askedMax = 2_000

/** Converts arguments as JSON, from a link, to the values of the form's fields. */
export function askedArguments(json: string | null, fields: readonly RequestField[]): Record<string, string> {
  const parsed = readValue('json', (json ?? '').slice(0, askedMax))
  return Object.fromEntries(
    fields.flatMap(({ input, name, kind }) => {
      const value = name.split('.').reduce(partOf, parsed)
      return value === undefined ? [] : [[input, fieldText(kind, value)]]
    }),
  )
}

function partOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function fieldText(kind: Kind, value: unknown): string {
  if (kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readValue(kind: Kind, text: string): unknown {
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

/** Deeply nested JSON can be parsed, but a recursive function can't write it again. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

/** Sets a nested value. The names come from the schema, never from the form. */
function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value
  else {
    target[name] ??= {}
    put(target[name] as Record<string, unknown>, rest, value)
  }
}
