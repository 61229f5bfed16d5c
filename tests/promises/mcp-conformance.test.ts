/**
 * The protocol's own conformance package against the running server, behind a proxy that adds the key: the package
 * knows of no keys. Which of its scenarios apply is said in decision 0057.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { restStack } from '../support/rest.ts'

const conformance = join(rootDir, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const servers: Server[] = []
let folder: string
let url: string

function listen(server: Server): Promise<number> {
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
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
  const handle = getRequestListener(stack.app.fetch, { overrideGlobalObjects: false })
  port = await listen(createServer((request, response) => void handle(request, response)))
  key = (await stack.issueKey()).key
  url = `${origin}/sandbox/api/v1/mcp`
})

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true })
})

test.each([
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
])(
  'the scenario %s of the conformance package has no complaint',
  async (scenario) => {
    const run = promisify(execFile)(
      process.execPath,
      [conformance, 'server', '--url', url, '--scenario', scenario],
      { cwd: folder },
    )

    const { stdout } = await run

    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/)
  },
  30_000,
)
