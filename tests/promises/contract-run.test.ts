/**
 * Another's tool reads the OpenAPI document from the running server, makes requests of what it says and checks
 * status, media type and schema of every answer: `redocly generate-arazzo`, then `redocly respect`.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import { mcpOperations } from '../../server/contract/mcp/operation.ts'
import { operationIds } from '../../server/contract/rest/operations.ts'
import { rootDir } from '../../server/root-dir.ts'
import { restStack } from '../support/rest.ts'

const redocly = join(rootDir, 'node_modules/@redocly/cli/bin/cli.js')

const folder = mkdtempSync(join(tmpdir(), 'contract-'))
let handle: ReturnType<typeof getRequestListener> | undefined
const server = createServer((request, response) => void handle?.(request, response))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const stack = await restStack({ environment: { PUBLIC_ORIGIN: origin } })
handle = getRequestListener(stack.app.fetch, { overrideGlobalObjects: false })

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

function run(...options: string[]) {
  return promisify(execFile)(process.execPath, [redocly, ...options], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
}

type Report = {
  files: { executedWorkflows: { executedSteps: Step[] }[] }[]
}
type Step = { stepId: string; checks: { name: string; status: string; message?: string }[] }

test('every operation of the document keeps it, asked over the wire as the document says', async () => {
  const { key } = await stack.issueWriter()
  const document = await (await fetch(`${origin}/sandbox/api/v1/openapi.json`)).text()
  writeFileSync(join(folder, 'openapi.json'), document)

  await run('generate-arazzo', 'openapi.json', '--output-file', 'run.arazzo.yaml')
  await run('respect', 'run.arazzo.yaml', '--input', `apiKey=${key}`, '--json-output', 'report.json').catch(
    () => {}, // The report says what failed.
  )

  const { files } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  const steps = Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
  )
  const failed = steps.flatMap(({ stepId, checks }) =>
    checks
      .filter(({ status }) => status !== 'success')
      .map(({ name, message }) => `${stepId}: ${name} ${message}`),
  )
  expect(failed).toEqual([])
  expect(steps).toHaveLength(operationIds.length + Object.keys(mcpOperations).length)
  for (const { checks } of steps) {
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['status code check', 'schema check', 'content-type check']),
    )
  }
}, 60_000)
