/** The MCP server of the documentation as the protocol's own client meets it: without a key. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { limits, windowTable } from '../../server/contract/http/limits.ts'
import { docsMcpPath, docsSourcePath, docsTools } from '../../server/contract/mcp/docs-tools.ts'
import { docsPortal } from '../support/docs-portal.ts'
import { testServices } from '../support/services.ts'

const portal = 'https://portal.example'
const logLines: string[] = []

const ask = async (path: string, init: RequestInit & { ip?: string } = {}) => {
  const { ip = '192.0.2.1', ...rest } = init
  return app.fetch(new Request(new URL(path, portal), rest), { incoming: { socket: { remoteAddress: ip } } })
}

const post = (message: unknown, headers: Record<string, string> = {}, ip?: string) =>
  ask(docsMcpPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    ...(ip !== undefined && { ip }),
  })

async function call(
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ text: string; isError: boolean }> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [content] = result.content
  return { text: content?.type === 'text' ? content.text : '', isError: result.isError === true }
}

const services = await testServices({ logLines, environment: { PUBLIC_ORIGIN: portal } })
const app = createApp(services, docsPortal)
const client = new Client({ name: 'placeholder-client', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(docsMcpPath, portal), {
    fetch: async (url, init) => ask(new URL(url).pathname, init as RequestInit),
  }),
)

// Windows begin anew.
beforeEach(() => services.advance(60_000))

describe('a client without a key', () => {
  test('lists two tools that read', async () => {
    const { tools } = await client.listTools()

    expect(client.getServerVersion()).toMatchObject({ name: 'sandpiper-docs' })
    expect(client.getInstructions()).toContain('search_docs')
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(docsTools))
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(inputSchema.additionalProperties).toBe(false)
    }
  })

  test('finds what the search of the pages finds, and reads it', async () => {
    const { text } = await call('search_docs', { query: 'Retry-After', limit: 5 })
    const [, address = ''] = /\]\((https:\/\/portal\.example\/docs\/limits[^)]*)\)/.exec(text) ?? []

    const read = await call('read_doc', { page: address })

    expect(text.match(/^\d+\. /gm)).toHaveLength(5)
    expect(read.isError).toBe(false)
    expect(read.text).toMatch(/^# Limits/)
    expect(read.text).not.toMatch(/<Facts|PUBLIC_ORIGIN/)
  })

  test.each([
    '/docs/errors/rate_limited',
    '/docs/errors/rate_limited.md',
    `${portal}/docs/errors/rate_limited#when`,
    '/docs/errors/rate_limited/',
  ])('reads a page by %s', async (page) => {
    expect((await call('read_doc', { page })).text).toContain('# `rate_limited`')
  })

  test('reads a long page in parts that make it up', async () => {
    const { contents } = await client.readResource({ uri: `${portal}/docs/fhir.md` })
    const whole = contents[0] && 'text' in contents[0] ? contents[0].text : ''
    let joined = ''
    let offset: number | null = 0
    while (offset !== null) {
      const { text } = await call('read_doc', { page: '/docs/fhir', offset, maxCharacters: 5_000 })
      const next = / Read it again with offset (\d+)\.\]$/.exec(text)
      joined += next ? text.replace(/\n\n\[The page goes on: [^\n]*$/, '') : text
      offset = next ? Number(next[1]) : null
    }

    expect(whole.length).toBeGreaterThan(5_000)
    expect(joined).toBe(whole)
  })

  test('lists every page as a resource, and each can be read', async () => {
    const { resources } = await client.listResources()
    const bodies = []
    for (const { uri } of [...resources.slice(0, 3), ...resources.slice(-1)])
      bodies.push((await client.readResource({ uri })).contents[0])

    expect(resources.length).toBeGreaterThan(30)
    for (const { uri } of resources) expect(uri).toMatch(/^https:\/\/portal\.example\/docs\/[\w/-]+\.md$/)
    for (const body of bodies) expect(body).toMatchObject({ mimeType: 'text/markdown' })
    await expect(client.readResource({ uri: `${portal}/docs/none.md` })).rejects.toThrow(/no such resource/)
  })

  test.each([
    ['search_docs', {}, 'query'],
    ['search_docs', { query: 'x'.repeat(limits.searchTextMax + 1) }, 'query'],
    ['search_docs', { query: 'x', more: 1 }, 'more'],
    ['read_doc', { page: '/docs/none' }, 'no such page'],
    ['read_doc', { page: '/account' }, 'no such page'],
    ['read_doc', { page: '/docs/../etc/passwd' }, 'no such page'],
    ['read_doc', { page: '/docs/limits', offset: -1 }, 'offset'],
  ])('%s refuses %j in its result', async (name, args, words) => {
    const { text, isError } = await call(name, args)

    expect(isError).toBe(true)
    expect(text).toContain(words)
  })

  test('finds nothing for what nobody wrote, and says so', async () => {
    expect(await call('search_docs', { query: 'xylophone' })).toMatchObject({ isError: false })
    expect((await call('search_docs', { query: 'xylophone' })).text).toContain('Nothing found')
  })
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('a request', () => {
  test('from a page of another site is refused, and one from a page of ours is not', async () => {
    const refused = await post(ping, { origin: 'https://evil.example' })

    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { code: 'forbidden' } })
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect((await post(ping, { origin: portal })).status).toBe(200)
  })

  test('by any other method has an address that only takes POST, and a browser has a page there', async () => {
    const stream = await ask(docsMcpPath, { headers: { accept: 'text/event-stream' } })
    const ended = await ask(docsMcpPath, { method: 'DELETE' })
    const page = await ask(docsMcpPath, { headers: { accept: 'text/html,*/*' } })

    for (const answer of [stream, ended])
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html'])
  })

  test('counts for its address alone, and is logged without what was asked', async () => {
    const [burst] = windowTable.docsMcp.windows
    const statuses = []
    for (let count = 0; count <= burst.requests; count++)
      statuses.push((await post(ping, {}, '192.0.2.9')).status)
    const refused = await post(ping, {}, '192.0.2.9')
    await call('search_docs', { query: 'a-word-of-the-caller' })

    expect(statuses.filter((status) => status === 200)).toHaveLength(burst.requests)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post(ping, {}, '192.0.2.10')).status).toBe(200)
    expect(logLines.join('')).toContain('/docs/mcp tools/call')
    expect(logLines.join('')).not.toContain('a-word-of-the-caller')
  })
})

test('the page that hands the documentation over is there inside the process only', async () => {
  expect((await ask(docsSourcePath)).status).toBe(404)
})

test('the whole documentation is one text, which is sent once a release', async () => {
  const first = await ask('/llms-full.txt')
  const text = await first.text()
  const again = await ask('/llms-full.txt', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })

  const { resources } = await client.listResources()
  for (const { uri } of resources) expect(text).toContain(`<!-- ${uri.replace(/\.md$/, '')} -->`)
  expect(text).not.toMatch(/<Facts|<Steps|PUBLIC_ORIGIN/)
  expect([again.status, await again.text()]).toEqual([304, ''])
})
