/** From the table of operations and its OpenAPI document to what an operation's page shows. */
import { z } from 'zod'
import { type ProblemKind, problems } from '../../../server/contract/http/problems.ts'
import {
  explorerOperations,
  findOperation,
  headersOf,
} from '../../../server/contract/lab/explorer-request.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import type { OperationRow } from '../../../server/contract/rest/operations.ts'
import { answersByLevel, boundsOf } from '../../../server/contract/rest/predicted-responses.ts'
import { purposeDefault, purposes } from '../../../server/contract/rest/purposes.ts'
import { namedInput } from './input-kinds.ts'
import type {
  BodyField,
  OperationField,
  OperationPage,
  OperationRefusal,
  OperationSummary,
} from './operation.ts'

/** In the table's order. */
export const operationList: readonly OperationSummary[] = Object.entries(explorerOperations).map(
  ([operationId, row]) => summaryOf(operationId, row),
)

export function describeOperation(operationId: string): OperationPage | null {
  const row = findOperation(operationId)
  return row === null ? null : describeRow(operationId, row)
}

export function describeRow(operationId: string, row: OperationRow): OperationPage {
  return {
    ...summaryOf(operationId, row),
    description: row.description,
    phi: row.phi,
    fields: [
      ...fieldsOf(row, 'path', row.params),
      ...fieldsOf(row, 'query', row.query),
      ...headerFields(row),
    ],
    bodyExample: row.bodyExample === undefined ? null : JSON.stringify(row.bodyExample, null, 2),
    bodyFields: row.body === undefined ? [] : bodyFieldsOf(row.body),
    answers: row.answers,
    success: row.status ?? 200,
    example: typeof row.example === 'string' ? row.example : JSON.stringify(row.example, null, 2),
    refusals: refusalsOf(row),
    levels: answersByLevel(row),
    bounds: boundsOf(row),
  }
}

function summaryOf(operationId: string, row: OperationRow): OperationSummary {
  const { method, path, summary, tags, level } = row
  return { operationId, method, path, summary, tag: tags[0], writes: level === 'full' }
}

type JsonSchema = {
  type?: string | readonly string[]
  description?: string
  examples?: readonly unknown[]
  default?: unknown
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
}

function fieldsOf(
  { path }: OperationRow,
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
): OperationField[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
  return Object.entries(properties).map(([name, each]) => ({
    input: `${place === 'path' ? 'p' : 'q'}.${name}`,
    name,
    place,
    required: place === 'path' || required.includes(name),
    description: each.description ?? '',
    ...kindOf(path, name, each),
    choices: (each.enum ?? []).map(String),
    min: each.minimum,
    max: each.maximum,
    maxLength: each.maxLength,
    placeholder: textOf(each.examples?.[0] ?? each.default),
  }))
}

/** A schema tells numbers and choices, the name the rest. */
function kindOf(
  path: string,
  name: string,
  { enum: choices, type }: JsonSchema,
): Pick<OperationField, 'kind' | 'of'> {
  if (choices) return { kind: 'choice' }
  if (type === 'integer' || type === 'number') return { kind: 'number' }
  return namedInput(path, name)
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value)
}

function headerFields(row: OperationRow): OperationField[] {
  const known: Record<string, Partial<OperationField>> = {
    'X-Purpose': {
      description: 'Why the record is read. It is stored in the practice’s access record.',
      kind: 'choice',
      choices: Object.keys(purposes),
      placeholder: purposeDefault,
    },
    'Idempotency-Key': {
      description: 'Your own value, one per record to create. Sent again, it creates nothing new.',
      kind: 'once',
      maxLength: 255,
    },
    Accept: {
      description: 'The response format.',
      kind: 'choice',
      choices: row.mediaTypes ?? [],
      placeholder: row.mediaTypes?.[0],
    },
  }
  return Object.keys(headersOf(row)).map((name) => ({
    input: `h.${name}`,
    name,
    place: 'header',
    required: false,
    description: '',
    kind: 'text',
    choices: [],
    ...known[name],
  }))
}

function bodyFieldsOf(schema: z.ZodType): BodyField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return Object.entries(properties).map(([name, each]) => ({
    name,
    type: typeOf(each),
    required: required.includes(name),
    description: each.description ?? '',
  }))
}

function typeOf({ type, items, anyOf, enum: choices, maxLength }: JsonSchema): string {
  if (choices) return choices.map(String).join(' · ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'value')
  return maxLength ? `${name}, at most ${maxLength}` : name
}

const everywhere: readonly ProblemKind[] = ['validation', 'unauthorized', 'forbidden', 'rate_limited']

function refusalsOf(row: OperationRow): OperationRefusal[] {
  const kinds = row.level === 'none' ? row.errors : [...everywhere, ...row.errors]
  return [...new Set(kinds)]
    .map((kind) => ({
      status: problems[kind].status,
      code: problems[kind].restCode,
      message: problems[kind].message,
    }))
    .sort((a, b) => a.status - b.status)
}

/** Where the portal explains a code. */
export const refusalPage = (code: string): string => `${errorPage()}/${code}`
