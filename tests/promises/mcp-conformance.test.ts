/**
 * The protocol's own conformance package against the running server, behind a proxy that adds the key: the package
 * knows of no keys. Which of its scenarios apply is said in decision 57.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { docsMcpPath } from '../../server/contract/mcp/docs-tools.ts'
import { rootDir } from '../../server/root-dir.ts'
import { docsPortal } from '../support/docs-portal.ts'
import { restStack } from '../support/rest.ts'
import { slice } from '../support/slice.ts'

const conformance = join(rootDir, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const servers: Server[] = []
let advance: (milliseconds: number) => void

function listen(server: Server): Promise<number> {
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
let key = ''
let port = 0
const proxy = createServer((request, response) => {
  const { method, url: path, headers } = request
  const options = { port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } }
  const passed = forward(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  request.pipe(passed)
})
const origin = `http://127.0.0.1:${await listen(proxy)}`
const stack = await restStack({ environment: { PUBLIC_ORIGIN: origin } })
advance = stack.services.advance
const app = createApp(stack.services, docsPortal)
const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false })
port = await listen(createServer((request, response) => void handle(request, response)))
key = (await stack.issueKey()).key
const url = `${origin}/sandbox/api/v1/mcp`
const docsUrl = `${origin}${docsMcpPath}`

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true })
})

// The server's clock stands still, and its windows with it.
beforeEach(() => advance(60_000))

const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']

test.each(slice([...scenarios, 'prompts-list'], 3))(
  'the scenario %s of the conformance package has no complaint about the records',
  (scenario) => runScenario(url, scenario),
  30_000,
)

test.each(slice(scenarios, 1))(
  'the scenario %s of the conformance package has no complaint about the documentation',
  (scenario) => runScenario(docsUrl, scenario),
  30_000,
)

async function runScenario(at: string, scenario: string): Promise<void> {
  const run = promisify(execFile)(
    process.execPath,
    [conformance, 'server', '--url', at, '--scenario', scenario],
    { cwd: folder },
  )

  const { stdout } = await run

  expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/)
}
