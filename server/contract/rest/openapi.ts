/** The OpenAPI 3.1 document of one REST base, made from the table of operations. https://spec.openapis.org/oas/v3.1.1 */
import { z } from 'zod'
import { type Deprecation, deprecationSentence } from '../http/deprecation.ts'
import { deprecations as announced, type Deprecations } from '../http/deprecations.ts'
import { limits, windowTable } from '../http/limits.ts'
import { type ProblemKind, problems } from '../http/problems.ts'
import { operationNeeds } from '../keys/class-coverage.ts'
import { describeClasses, describeNeed } from '../keys/class-fields.ts'
import { mcpOperations } from '../mcp/operation.ts'
import { statusOperations } from '../status/operations.ts'
import { statusComponents } from '../status/records.ts'
import { bodyComponents } from './bodies.ts'
import { type OperationId, type OperationRow, operations } from './operations.ts'
import { purposeDefault, purposes } from './purposes.ts'
import { components } from './records.ts'

export type OpenApiDocument = {
  openapi: string
  paths: Record<string, Record<string, unknown>>
  [part: string]: unknown
}

type Rows = readonly (readonly [operationId: string, row: OperationRow])[]

type OpenApiOptions = {
  /** Origin of the REST bases. */
  restOrigin: string
  environment: 'sandbox' | 'production'
  deprecations?: Deprecations
}

export const basePaths = { production: '/api/v1', sandbox: '/sandbox/api/v1' } as const

const tags = [
  { name: 'Context', description: 'The key, its practice and its limits.' },
  { name: 'Practitioners', description: 'The practice’s providers and where they work.' },
  { name: 'Patients', description: 'The practice’s patients.' },
  { name: 'Encounters', description: 'Patients’ encounters with the practice.' },
  { name: 'Documents', description: 'The practice’s documents.' },
  { name: 'MCP', description: 'The same records as tools for AI assistants.' },
  { name: 'Description', description: 'The description of the API itself.' },
]

const statusTag = {
  name: 'Status',
  description: 'Whether the platform and a practice are up. No key needed.',
}

/** Refusals that every operation with a key may answer. */
const everywhere: readonly ProblemKind[] = [
  'validation',
  'unauthorized',
  'forbidden',
  'purpose_not_allowed',
  'rate_limited',
  'unavailable',
]

/** Refusals that every path may answer. */
const always: readonly ProblemKind[] = ['method_not_allowed', 'internal']

export function createOpenApi({
  restOrigin,
  environment,
  deprecations = announced,
}: OpenApiOptions): OpenApiDocument {
  const production = environment === 'production'
  const rows: Rows = Object.entries<OperationRow>({
    ...operations,
    ...mcpOperations,
    ...(production && statusOperations),
  }).map(([id, row]) => [id, withDeprecation(row, deprecations.rest[id])])
  return {
    openapi: '3.1.0',
    info: {
      title: environment === 'sandbox' ? 'Sandpiper REST API, sandbox' : 'Sandpiper REST API',
      version: '1.0.0',
      summary: 'Records of one practice as JSON, read and written with an API key.',
      description: description(),
      contact: { name: 'Sandpiper', url: restOrigin },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: `${restOrigin}${basePaths[environment]}`,
        description:
          environment === 'sandbox' ? 'Sandbox: synthetic patients only.' : 'Production practices.',
      },
    ],
    tags: production ? [...tags, statusTag] : tags,
    security: [{ apiKey: [] }],
    paths: pathItems(rows),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `svc_…`. Keep it on a server you control, never in anything users can open.',
        },
      },
      parameters: { purpose: purposeParameter(), idempotencyKey: idempotencyParameter() },
      headers: headers(rows),
      responses: problemResponses(rows),
      schemas: componentSchemas(production),
    },
  }
}

function description(): string {
  const [keyBurst, keySustained] = windowTable.restKey.windows
  const [practiceBurst, practiceSustained] = windowTable.restPractice.windows
  const n = (value: number) => value.toLocaleString('en-US')
  return [
    'Every key is bound to exactly one practice. Requests are JSON over HTTPS; bodies are at most',
    `${n(limits.bodyBytesMax)} bytes. Limits: ${n(keyBurst.requests)} requests a second and`,
    `${n(keySustained.requests)} a minute per key, ${n(practiceBurst.requests)} and`,
    `${n(practiceSustained.requests)} per practice; both windows apply at once, and over the limit the response is 429`,
    'with `Retry-After`. Every error has the same envelope, and every response an `X-Correlation-Id`.',
  ].join(' ')
}

const withDeprecation = (row: OperationRow, deprecation: Deprecation | undefined): OperationRow =>
  deprecation ? { ...row, deprecation, errors: [...row.errors, 'gone'] } : row

function descriptionOf({ description, deprecation }: OperationRow): string {
  if (deprecation === undefined) return description
  const { successor = null } = deprecation
  return `${deprecationSentence(deprecation, successor && `\`${successor}\``)}\n\n${description}`
}

/** Of every response that the operation itself gives. */
const ownHeaders = (row: OperationRow): string[] => [
  'X-Correlation-Id',
  ...(isLimited(row) ? ['RateLimit-Policy', 'RateLimit'] : []),
  ...(row.deprecation ? ['Deprecation', 'Sunset', 'Link'] : []),
]

function pathItems(rows: Rows): OpenApiDocument['paths'] {
  const items: OpenApiDocument['paths'] = {}
  for (const [operationId, row] of rows) {
    items[row.path] = { ...items[row.path], [row.method.toLowerCase()]: operationObject(operationId, row) }
  }
  return items
}

function operationObject(operationId: string, row: OperationRow): Record<string, unknown> {
  const open = row.level === 'none'
  const need = operationNeeds[operationId as OperationId]
  const parameters = [
    ...parametersOf('path', row.params),
    ...parametersOf('query', row.query),
    ...(open ? [] : [{ $ref: '#/components/parameters/purpose' }]),
    ...(row.level === 'full' ? [{ $ref: '#/components/parameters/idempotencyKey' }] : []),
  ]
  return {
    operationId,
    summary: row.summary,
    description: [descriptionOf(row), ...(need ? [describeNeed(need)] : [])].join(' '),
    tags: row.tags,
    ...(open && { security: [] }),
    ...(row.deprecation && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toBodySchema(row.body), example: row.bodyExample } },
      },
    }),
    responses: {
      [row.status ?? 200]: {
        description: row.answers,
        headers: headerRefs([...ownHeaders(row), ...(row.locationPath === undefined ? [] : ['Location'])]),
        content: contentOf(row),
      },
      ...problemRefs(row),
      ...otherResponses(row),
    },
  }
}

function otherResponses(row: OperationRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row.otherResponses ?? {}).map(([status, { description, response }]) => {
      const kinds = kindsByStatus(row).get(Number(status))
      const refusal = kinds && problemResponse(kinds)
      const schema = response && toSchema(response)
      return [
        status,
        {
          description: refusal ? `${refusal.description} Or: ${description}` : description,
          headers: headerRefs(ownHeaders(row)),
          ...(schema && {
            content: {
              'application/json': {
                schema: refusal ? { anyOf: [{ $ref: '#/components/schemas/Error' }, schema] } : schema,
              },
            },
          }),
        },
      ]
    }),
  )
}

/** The example is one of the first media type. */
function contentOf({ mediaTypes = ['application/json'], response, example }: OperationRow) {
  return Object.fromEntries(
    mediaTypes.map((type, index) => [type, { schema: toSchema(response), ...(index === 0 && { example }) }]),
  )
}

/** Every key has a budget; without one, those operations have that say so. */
const isLimited = ({ level, errors }: OperationRow): boolean =>
  level !== 'none' || errors.includes('rate_limited')

/** One response per status, whatever the number of refusals that have it. */
function problemRefs(row: OperationRow): Record<string, unknown> {
  return Object.fromEntries(
    [...kindsByStatus(row)]
      .sort(([a], [b]) => a - b)
      .map(([status, kinds]) => [status, { $ref: `#/components/responses/${responseName(kinds)}` }]),
  )
}

function kindsByStatus(row: OperationRow): Map<number, ProblemKind[]> {
  const kinds: readonly ProblemKind[] =
    row.level === 'none' ? [...row.errors, ...always] : [...everywhere, ...row.errors, ...always]
  const byStatus = new Map<number, ProblemKind[]>()
  for (const kind of kinds) {
    const { status } = problems[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  return byStatus
}

const responseName = (kinds: readonly ProblemKind[]) => kinds.join('_or_')

function problemResponses(rows: Rows): Record<string, unknown> {
  const groups = rows.flatMap(([, row]) => [...kindsByStatus(row).values()])
  return Object.fromEntries(groups.map((kinds) => [responseName(kinds), problemResponse(kinds)]))
}

function problemResponse(kinds: readonly ProblemKind[]): Record<string, unknown> {
  const waits = kinds.some((kind) => kind === 'rate_limited' || kind === 'unavailable')
  const allows = kinds.includes('method_not_allowed')
  return {
    description: kinds.map((kind) => problems[kind].message).join(' Or: '),
    headers: headerRefs([
      'X-Correlation-Id',
      ...(waits ? ['Retry-After'] : []),
      ...(allows ? ['Allow'] : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: errorExample(kind) }])),
      },
    },
  }
}

function errorExample(kind: ProblemKind): Record<string, unknown> {
  const { restCode, message } = problems[kind]
  return { error: { code: restCode, message, correlationId: '019a9f5e-7c1b-7d3e-8f40-5a6b7c8d9e0f' } }
}

function purposeParameter(): Record<string, unknown> {
  const lines = Object.entries(purposes).map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
  return {
    name: 'X-Purpose',
    in: 'header',
    description: `Why the record is read; stored in the practice’s access log.\n\n${lines.join('\n')}`,
    schema: { type: 'string', enum: Object.keys(purposes), default: purposeDefault },
  }
}

function idempotencyParameter(): Record<string, unknown> {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    description: `A value you create, one per record to be created. Sent again with the same body within ${limits.idempotencyHours} hours, it creates nothing new and gets the same response; with another body it is refused. Of two concurrent requests, the second waits for the first. A refused request doesn’t use up its key.`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyMax, pattern: '^[!-~]+$' },
    example: '8f14e45f-ceea-4b5d-9a1f-7d2b1c0e6a55',
  }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodObject | undefined): Record<string, unknown>[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Record<string, unknown>
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description,
      schema: rest,
    }
  })
}

function headers(rows: Rows): Record<string, unknown> {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  return {
    'X-Correlation-Id': text('Identifies this request; always set by the server.'),
    'RateLimit-Policy': text('The caller’s windows: `q` requests in `w` seconds.'),
    RateLimit: text('What is left in them: `r` requests for `t` seconds.'),
    'Retry-After': { description: 'Seconds to wait, at least 1.', schema: { type: 'integer', minimum: 1 } },
    Allow: text('The methods this path supports.'),
    ...(rows.some(([, { deprecation }]) => deprecation) && {
      Deprecation: text('Since when the operation is deprecated: `@` and seconds since 1970 (RFC 9745).'),
      Sunset: text('When the operation ends (RFC 8594).'),
      Link: text('Pages on the end of the operation and on the policy, and its successor.'),
    }),
    Location: {
      description: 'URL of the created record.',
      schema: { type: 'string', format: 'uri' },
    },
  }
}

const headerRefs = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function componentSchemas(production: boolean): Record<string, unknown> {
  const uri = (id: string) => `#/components/schemas/${id}`
  const answers = z.toJSONSchema(components, { uri, io: 'output', override: describeClasses })
  const bodies = z.toJSONSchema(bodyComponents, { uri, ...bodySide })
  const status = production ? z.toJSONSchema(statusComponents, { uri, io: 'output' }).schemas : {}
  return Object.fromEntries(
    Object.entries({ ...answers.schemas, ...bodies.schemas, ...status }).map(
      ([id, { $schema: _, $id: __, ...schema }]) => [id, schema],
    ),
  )
}

/**
 * What a caller sends. Without `default`, since code generators make every field required that has one; the description
 * says what a field is when it is left out.
 */
const bodySide: z.core.ToJSONSchemaParams = {
  io: 'input',
  override: ({ jsonSchema }) => {
    if (jsonSchema.default === undefined) return
    const left = JSON.stringify(jsonSchema.default)
    delete jsonSchema.default
    jsonSchema.description = `${jsonSchema.description ?? ''} \`${left}\` if omitted.`.trim()
  },
}

function toBodySchema(schema: z.ZodType): Record<string, unknown> {
  const named = bodyComponents.get(schema)
  if (named) return { $ref: `#/components/schemas/${named.id}` }
  const { $schema: _, ...plain } = z.toJSONSchema(schema, bodySide)
  return plain
}

/** A reference for a named schema, the schema itself otherwise. */
function toSchema(schema: z.ZodType): Record<string, unknown> {
  const named = components.get(schema) ?? statusComponents.get(schema)
  if (named) return { $ref: `#/components/schemas/${named.id}` }
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'output' })
  return plain
}
