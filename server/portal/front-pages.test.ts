/** Real connections to the process in front, with a portal of our own behind it. */
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { createPortal } from '../../tests/support/portal-routes.ts'
import { noProxies } from '../http/client-ip.ts'
import { createEdge, type EdgeEnv } from '../http/edge.ts'
import { keptPageHeader, keptUntilHeader } from '../http/inner-socket.ts'
import { createFrontPages } from './front-pages.ts'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function startFront() {
  const passedOn: string[] = []
  const portal = createPortal(
    async (_request, { nonce, correlationId }) =>
      new Response(`<script nonce="${nonce}">1</script><i>${correlationId}</i>`, {
        headers: { 'content-type': 'text/html', 'x-page': 'yes' },
      }),
  )
  const { clock, log } = portal.services
  const front = createFrontPages(portal.services, (request) => portal.fetchInside(request))
  const app = new Hono<EdgeEnv>()
  app.use(createEdge({ clock, log, proxies: noProxies }))
  app.route('/', front.app)
  const answer = getRequestListener(app.fetch)
  const pass = getRequestListener((request) => {
    passedOn.push(new URL(request.url).pathname)
    return portal.fetchInside(request, '192.0.2.1')
  })
  const server = createServer((request, response) => {
    void (front.has(request, response) ? answer : pass)(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo

  async function ask(path: string, headers: Record<string, string> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      send({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject).end()
    })
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
  }

  /** A visit that is passed on, and one that finds the page kept: it is fetched after the first has its response. */
  async function visit(path: string) {
    const first = await ask(path)
    for (;;) {
      passedOn.length = 0
      const kept = await ask(path)
      if (passedOn.length === 0) return { first, kept }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return { ask, visit, portal, passedOn }
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof startFront>>['ask']>>

const nonceIn = ({ headers }: Answer) =>
  /'nonce-([^']+)'/.exec(`${headers['content-security-policy']}`)?.[1] ?? ''

test('a page that the portal keeps is passed on once, with a nonce and a correlation id for each visitor', async () => {
  const { ask, visit, passedOn } = await startFront()
  const { first, kept } = await visit('/docs/rest')

  const answers = [first, kept, await ask('/docs/rest')]

  expect(passedOn).toEqual([])
  expect(new Set(answers.map(nonceIn)).size).toBe(3)
  for (const answer of answers) {
    const id = answer.headers['x-correlation-id']
    expect(`${answer.body}`).toBe(`<script nonce="${nonceIn(answer)}">1</script><i>${id}</i>`)
  }
})

test('it is compressed for who accepts it, and not sent again to a browser that has it', async () => {
  const { ask, visit, passedOn } = await startFront()
  const { headers } = (await visit('/docs/rest')).kept

  const compressed = await ask('/docs/rest', { 'accept-encoding': 'gzip' })
  const known = await ask('/docs/rest', { 'if-none-match': `${headers.etag}` })

  expect(`${gunzipSync(compressed.body)}`).toContain(nonceIn(compressed))
  expect(compressed.headers.vary).toContain('Accept-Encoding')
  expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, headers.etag])
  expect(known.headers).not.toHaveProperty('content-security-policy')
  expect(passedOn).toEqual([])
})

test('it ends when the portal says so', async () => {
  const { ask, visit, portal, passedOn } = await startFront()
  await visit('/status')
  expect(passedOn).toEqual([])

  portal.advance(1_000)
  await ask('/status')

  expect(passedOn).toEqual(['/status'])
})

test.each([
  ['with a session', '/docs/rest', { cookie: '__Host-sandpiper-developer=x' }],
  ['with a theme that it was not rendered in', '/docs/rest', { cookie: 'sandpiper-theme=dark' }],
  ['as Markdown', '/docs/rest', { accept: 'text/markdown' }],
  ['with credentials', '/docs/rest', { authorization: 'Bearer x' }],
  ['with a query', '/docs/rest?a=b', {}],
  ['that is nobody else’s', '/sign-in', {}],
])('a page %s is passed on', async (_what, path, headers) => {
  const { ask, visit, passedOn } = await startFront()
  await visit('/docs/rest')

  await ask(path, headers)

  expect(passedOn).toHaveLength(1)
})

test('a path with `..` in it is passed on to the portal', async () => {
  const { ask, passedOn } = await startFront()
  const written = '/docs/guides/../rest'
  for (let count = 0; count < 3; count++) {
    await ask(written)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  passedOn.length = 0

  await ask(written, { accept: 'text/markdown' })

  expect(passedOn).toEqual(['/docs/rest'])
})

test('it is served 50 times a second to an address', async () => {
  const { ask, visit } = await startFront()
  const statuses: unknown[] = [(await visit('/legal')).kept.status]

  for (let count = 1; count < 50; count++) statuses.push((await ask('/legal')).status)
  const refused = await ask('/legal')

  expect(statuses).toEqual(Array.from({ length: 50 }, () => 200))
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
  expect(`${refused.body}`).toContain(`Correlation id: ${refused.headers['x-correlation-id']}`)
})

test('a visitor cannot ask for what is kept, and the process in front causes no rendering', async () => {
  const { portal } = await startFront()
  const asked = new Request('http://localhost:3000/legal', { headers: { [keptPageHeader]: '1' } })

  const inside = await portal.fetchInside(asked.clone())
  const outside = await portal.fetch('/legal', { headers: asked.headers })

  expect(inside.status).toBe(404)
  expect([outside.status, outside.headers.get(keptUntilHeader)]).toEqual([200, null])
})
