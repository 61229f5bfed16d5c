import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, describe, expect, test } from 'vitest'
import { restCodes } from '../../server/contract/http/problems.ts'
import { mcpOperations } from '../../server/contract/mcp/operation.ts'
import { errorCodes } from '../../server/contract/rest/error-codes.ts'
import { createOpenApi } from '../../server/contract/rest/openapi.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { rootDir } from '../../server/root-dir.ts'
import { type Environment, restStack } from '../support/rest.ts'

const bases: Environment[] = ['sandbox', 'production']
const servers = {
  sandbox: 'https://portal.example/sandbox/api/v1',
  production: 'https://portal.example/api/v1',
}

const redocly = join(rootDir, 'node_modules/@redocly/cli/bin/cli.js')

const stack = await restStack()
const folder = mkdtempSync(join(tmpdir(), 'openapi-'))

afterAll(() => rmSync(folder, { recursive: true }))

describe.each(bases)('the OpenAPI document of the %s base', (base) => {
  test('is served without a key, to its own address', async () => {
    const { status, headers, body } = await stack.call('/openapi.json', { base })

    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(body.openapi).toBe('3.1.0')
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual([servers[base]])
    expect(body).toEqual(
      JSON.parse(JSON.stringify(createOpenApi({ restOrigin: 'https://portal.example', environment: base }))),
    )
  })

  test('is valid by the 3.1 schema', async () => {
    const { body } = await stack.call('/openapi.json', { base })

    const result = await new Validator().validate(body)

    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })
})

test('redocly lint has no complaint about either document', async () => {
  const files = await Promise.all(
    bases.map(async (base) => {
      const file = join(folder, `${base}.json`)
      writeFileSync(file, (await stack.call('/openapi.json', { base })).text)
      return file
    }),
  )

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', '--format=json', `--config=${join(rootDir, 'redocly.yaml')}`, ...files],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  )

  // One JSON text per document, one after the other.
  const reports = stdout
    .trim()
    .split(/(?<=^\})\s*(?=\{)/m)
    .map((text) => JSON.parse(text))
  expect(reports).toHaveLength(2)
  for (const { totals, problems: found } of reports) {
    expect(found).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  }
}, 30_000)

describe('the OpenAPI document', () => {
  test('lists every operation of the table and no other', async () => {
    const { body } = await stack.call('/openapi.json')

    const listed = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    )
    expect(listed.sort()).toEqual(
      Object.entries<OperationRow>({ ...operations, ...mcpOperations })
        .map(([id, { method, path }]) => [id, method, path])
        .sort(),
    )
  })

  test('knows every code of the table of refusals', async () => {
    const { body } = await stack.call('/openapi.json')

    const codes: string[] = body.components.schemas.Error.properties.error.properties.code.enum
    expect(new Set(codes)).toEqual(new Set(restCodes))
    expect(new Set(Object.keys(errorCodes))).toEqual(new Set(codes))
  })

  test.each(Object.entries<OperationRow>({ ...operations, ...mcpOperations }))(
    '%s has examples that keep its promise',
    (_id, row) => {
      expect(row.response.parse(row.example)).toEqual(row.example)
      expect(row.body === undefined || row.body.safeParse(row.bodyExample).success).toBe(true)
    },
  )

  test('documents every field and parameter with a sentence, and bounds every text of a body', async () => {
    const { body } = await stack.call('/openapi.json')
    const undocumented: string[] = []
    const unbounded: string[] = []

    walk(body.components.schemas, '', (schema, place) => {
      for (const [name, property] of Object.entries<Schema>(schema.properties ?? {})) {
        const named = property.$ref?.split('/').at(-1)
        const described =
          property.description ??
          property.anyOf?.[0]?.description ??
          body.components.schemas[named ?? '']?.description
        if (!described) undocumented.push(`${place}.${name}`)
      }
      const free = schema.type === 'string' && !schema.enum && !schema.maxLength && !schema.pattern
      if (place.startsWith('.New') && free) unbounded.push(place)
    })
    const parameters = Object.values<
      Record<string, { parameters?: { name?: string; description?: string }[] }>
    >(body.paths).flatMap((item) => Object.values(item).flatMap(({ parameters = [] }) => parameters))

    expect(undocumented).toEqual([])
    expect(unbounded).toEqual([])
    expect(parameters.filter(({ name, description }) => name !== undefined && !description)).toEqual([])
  })

  test('needs a key for every other method of its path', async () => {
    expect((await stack.call('/openapi.json', { method: 'POST' })).status).toBe(401)
    expect((await stack.call('/openapi.json', { method: 'HEAD' })).status).toBe(200)
  })

  test('needs no key and takes part in no limit', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => stack.call('/openapi.json')))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})

type Schema = {
  $ref?: string
  type?: string
  description?: string
  enum?: string[]
  maxLength?: number
  pattern?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

/** Every object of the tree, with where it stands. */
function walk(node: unknown, place: string, visit: (schema: Schema, place: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  visit(node as Schema, place)
  for (const [name, child] of Object.entries(node)) walk(child, `${place}.${name}`, visit)
}
