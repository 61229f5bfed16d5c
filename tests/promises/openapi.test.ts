import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOpenApi } from '../../server/contract/openapi.ts'
import { type OperationRow, operations } from '../../server/contract/operations.ts'
import { problems } from '../../server/contract/problems.ts'
import { rootDir } from '../../server/root-dir.ts'
import { type Environment, type RestStack, restStack } from '../support/rest.ts'

const bases: Environment[] = ['sandbox', 'production']
const servers = {
  sandbox: 'https://portal.example/sandbox/api/v1',
  production: 'https://portal.example/api/v1',
}

const redocly = join(rootDir, 'node_modules/@redocly/cli/bin/cli.js')

let stack: RestStack
let folder: string

beforeAll(async () => {
  stack = await restStack()
  folder = mkdtempSync(join(tmpdir(), 'openapi-'))
})

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
      Object.entries<OperationRow>(operations)
        .map(([id, { method, path }]) => [id, method, path])
        .sort(),
    )
  })

  test('knows every code of the table of refusals', async () => {
    const { body } = await stack.call('/openapi.json')

    const codes = body.components.schemas.Error.properties.error.properties.code.enum
    expect(new Set(codes)).toEqual(new Set(Object.values(problems).map(({ restCode }) => restCode)))
  })

  test.each(Object.entries<OperationRow>(operations))(
    '%s has an example that keeps its promise',
    (_id, row) => {
      expect(row.response.parse(row.example)).toEqual(row.example)
    },
  )

  test('needs a key for every other method of its path', async () => {
    expect((await stack.call('/openapi.json', { method: 'POST' })).status).toBe(401)
    expect((await stack.call('/openapi.json', { method: 'HEAD' })).status).toBe(200)
  })

  test('needs no key and takes part in no limit', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => stack.call('/openapi.json')))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})
