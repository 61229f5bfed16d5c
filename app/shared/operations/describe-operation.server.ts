/** Makes an operation's page from the table of operations and the OpenAPI document. */
import { limits, windowTable } from '../../../server/contract/http/limits.ts'
import { type ProblemKind, problems } from '../../../server/contract/http/problems.ts'
import { explorerOperations, findOperation } from '../../../server/contract/lab/explorer-request.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { createOpenApi, type OpenApiDocument } from '../../../server/contract/rest/openapi.ts'
import type { OperationRow } from '../../../server/contract/rest/operations.ts'
import type { RequestField } from './operation.ts'
import { firstLine, type JsonSchema, schemaField } from './schema-field.ts'

/** The operations, in the table's order. */
export const operationList = Object.entries(explorerOperations).map(([operationId, row]) =>
  summaryOf(operationId, row),
)

/** @param document has the parameters, body and texts that the page shows */
export function describeOperation(operationId: string, document = openApi('sandbox')) {
  const row = findOperation(operationId)
  return row === null ? null : describeRow(operationId, row, document)
}

const documents = new Map<Environment, OpenApiDocument>()

/** The document has no origin, because an operation's parameters are the same at each. */
export function openApi(environment: Environment): OpenApiDocument {
  const document = documents.get(environment) ?? createOpenApi({ restOrigin: '', environment })
  documents.set(environment, document)
  return document
}

/** An operation as its page shows it: plain data, so that no schema travels to the browser. */
export type OperationPage = ReturnType<typeof describeRow>

export function describeRow(operationId: string, row: OperationRow, document = openApi('production')) {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as OperationObject
  const { summary, description, parameters = [], requestBody, responses } = operation
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  const fields = parameters.map((value) => parameterField(row, resolve<Parameter>(document, value)))
  const success = row.status ?? 200
  return {
    ...summaryOf(operationId, row),
    summary,
    description,
    phi: row.phi,
    fields: [...fields, ...acceptField(Object.keys(responses[success]?.content ?? {}))],
    /** A JSON body to begin with; null for an operation without one. */
    bodyExample: example === undefined ? null : JSON.stringify(example, null, 2),
    bodyFields: schema === undefined ? [] : bodyFieldsOf(document, resolve<JsonSchema>(document, schema)),
    answers: row.answers,
    success,
    example: typeof row.example === 'string' ? row.example : JSON.stringify(row.example, null, 2),
    refusals: refusalsOf(row),
    bounds: boundsOf(row),
  }
}

function summaryOf(operationId: string, row: OperationRow) {
  const { method, path, summary, tags, level } = row
  return { operationId, method, path, summary, tag: tags[0], writes: level === 'full' }
}

type Environment = 'sandbox' | 'production'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** The part of https://spec.openapis.org/oas/v3.1.1#operation-object that a form needs. */
interface OperationObject {
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { schema: JsonSchema | Reference; example?: unknown } }
  }
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

interface Reference {
  readonly $ref: string
}

/** Follows a reference within the document: `#/components/parameters/purpose`. */
function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || value.$ref === undefined) return value as T
  const [, ...names] = value.$ref.split('/')
  return names.reduce((part, name) => (part as Record<string, object>)[name] ?? {}, document as object) as T
}

function parameterField(row: OperationRow, parameter: Parameter): RequestField {
  const { name, in: place, required = false, description, schema } = parameter
  return {
    input: `${place[0]}.${name}`,
    name,
    place,
    required,
    description: firstLine(description),
    ...schemaField(row.path, name, schema),
  }
}

/** The document lists the formats of the response, and the header that chooses one is plain HTTP. */
function acceptField(mediaTypes: readonly string[]): RequestField[] {
  if (mediaTypes.length < 2) return []
  const shared = { place: 'header', required: false, kind: 'choice' } as const
  const description = 'The response format.'
  return [
    {
      input: 'h.Accept',
      name: 'Accept',
      ...shared,
      description,
      choices: mediaTypes,
      placeholder: mediaTypes[0],
    },
  ]
}

function bodyFieldsOf(document: OpenApiDocument, { properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(resolve<JsonSchema>(document, property)),
    required: required.includes(name),
    description: property.description ?? '',
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

function refusalsOf(row: OperationRow) {
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

/** The limits of an operation, the same for every key. */
function boundsOf(row: OperationRow): readonly string[] {
  const [burst, sustained] = windowTable.restKey.windows
  const n = (value: number) => value.toLocaleString('en-US')
  return [
    ...(row.level === 'none'
      ? []
      : [`${n(burst.requests)} requests a second and ${n(sustained.requests)} a minute per key`]),
    ...(row.query && 'limit' in row.query.shape ? [`at most ${limits.pageSizeMax} records per page`] : []),
    ...(row.body ? [`a body of at most ${n(limits.bodyBytesMax)} bytes`] : []),
  ]
}
