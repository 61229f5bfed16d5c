import { describe, expect, test } from 'vitest'
import { createPortal, developmentKey } from '../../tests/support/portal-routes.ts'

const openedBrowser = { cookie: `sandpiper-dev=${developmentKey}` }

/** What the portal is asked, and whether it may show pages for development. */
async function ask(
  url: string,
  options: { headers?: Record<string, string>; from?: string; embedded?: boolean } = {},
) {
  const { headers = {}, from = '127.0.0.1', embedded = true } = options
  const asked: { url: string; headers: Headers; mayDevelop: boolean }[] = []
  const portal = createPortal(
    (request, { mayDevelop }) => {
      asked.push({ url: request.url, headers: request.headers, mayDevelop })
      return new Response('a page')
    },
    { embedded },
  )
  await portal.fetch(url, { headers, from })
  return asked[0]
}

test('a path that the router cannot read is a page that is not there', async () => {
  for (const path of ['/%5c', '/%5C%5C', '//%5c', '//a:99999/', '/%5C%5C[', '//%00'])
    expect(await ask(`http://localhost:3000${path}`), path).toBeUndefined()
  for (const path of ['/', '/%00', '/%', '/%zz', '/docs/%5c', '/%2f%2fhost', '//host/path', '/a:99999'])
    expect(await ask(`http://localhost:3000${path}`), path).toBeDefined()
})

test('a form that its sender stops halfway is logged as no fault', async () => {
  const portal = createPortal(() => new Response('a page'))
  const stopped = new AbortController()
  const body = new ReadableStream({
    pull: (stream) => {
      stopped.abort()
      stream.error(new Error('aborted'))
    },
  })
  const headers = { origin: 'http://localhost:3000', 'content-type': 'multipart/form-data; boundary=x' }

  await portal.fetch('/form', { method: 'POST', headers, body, signal: stopped.signal, duplex: 'half' })

  const lines = portal.logged.map((line) => JSON.parse(line) as { level: number; msg: string })
  expect(lines).toMatchObject([{ level: 30, msg: 'request broken off by the caller' }])
})

describe('a fault', () => {
  const fault = { status: 503, data: { message: 'Try again.' } }
  const browser = { headers: { accept: 'text/html,*/*' } }
  const asked: string[] = []
  const portal = createPortal((request, context) => {
    asked.push(new URL(request.url).pathname)
    if (request.url.endsWith('/-')) return new Response('a page', { status: context.fault?.status ?? 404 })
    context.fault = fault
    return Response.json({ message: 'Unexpected Server Error' }, { status: fault.status })
  })

  test('of a download is a page where a browser opens it', async () => {
    const answer = await portal.fetch('/practice/audit.csv', browser)

    expect([answer.status, await answer.text()]).toEqual([503, 'a page'])
    expect(asked.splice(0)).toEqual(['/practice/audit.csv', '/practice/audit.csv/-'])
  })

  test('before the portal runs is a page, too', async () => {
    const answer = await portal.fetch('/form', {
      method: 'POST',
      headers: { ...browser.headers, origin: 'null' },
    })

    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('<h1>The request failed</h1>')
  })
})

describe('pages for development', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'answer a browser of this machine at %s that opened the printed address',
    async (origin) => {
      expect(await ask(`${origin}/dev/mail`, { headers: openedBrowser })).toMatchObject({ mayDevelop: true })
    },
  )

  test('are not there for a proxy on this machine that adds no header', async () => {
    for (const cookie of ['', 'sandpiper-dev=', 'sandpiper-dev=guessed', `other=${developmentKey}`])
      for (const query of ['', '?key=', '?key=guessed', `?Key=${developmentKey}`]) {
        const asked = await ask(`http://localhost:3000/dev/mail${query}`, { headers: { cookie } })
        expect(asked?.mayDevelop, `${cookie} ${query}`).toBe(false)
      }
  })

  test('are opened by the printed address, which leaves the key in a cookie and not in the address bar', async () => {
    const portal = createPortal(() => new Response('a page'), { embedded: true })

    const response = await portal.fetch(`/dev/mail?key=${developmentKey}`)

    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/dev/mail')
    expect(response.headers.get('set-cookie')).toBe(
      `sandpiper-dev=${developmentKey}; Path=/; HttpOnly; SameSite=Strict`,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(portal.logged.length).toBeGreaterThan(0)
    expect(portal.logged.join('')).not.toContain(developmentKey)
  })

  test.each([
    ['a forwarded request', { headers: { via: '1.1 proxy' } }, true],
    ['another machine', { from: '192.0.2.7' }, true],
    ['a server with a database of its own', {}, false],
  ])('are not opened by the key for %s', async (_who, init, embedded) => {
    const portal = createPortal(() => new Response('a page', { status: 404 }), { embedded })

    const response = await portal.fetch(`/dev/mail?key=${developmentKey}`, init)

    expect([response.status, response.headers.get('set-cookie')]).toEqual([404, null])
  })

  test('the key opens no other page', async () => {
    const portal = createPortal(() => new Response('a page'), { embedded: true })

    for (const path of ['/', '/developers', '//evil.example/dev/mail', '/devices', '/tours', '/tour/x'])
      expect((await portal.fetch(`${path}?key=${developmentKey}`)).headers.get('set-cookie'), path).toBeNull()
  })

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])(
    'are not there for a request that carries %s, however its path is written',
    async (header) => {
      for (const path of ['/dev/mail', '//host/dev/mail', '/DEV/mail', '/%64ev/mail', '/dev/mail.data']) {
        const headers = { ...openedBrowser, [header]: '192.0.2.7' }
        const asked = await ask(`http://localhost:3000${path}`, { headers })
        expect(asked?.mayDevelop, path).toBe(false)
      }
    },
  )

  test('are not there under a name that only resolves to this machine', async () => {
    for (const host of ['rebound.example:3000', '127.0.0.1.rebound.example:3000'])
      expect(await ask(`http://${host}/dev/mail`, { headers: openedBrowser })).toMatchObject({
        mayDevelop: false,
      })
  })

  test('are not there for another machine, nor without the embedded database', async () => {
    const page = 'http://localhost:3000/dev/mail'
    const headers = openedBrowser
    expect(await ask(page, { headers, from: '192.0.2.7' })).toMatchObject({ mayDevelop: false })
    expect(await ask(page, { headers, embedded: false })).toMatchObject({ mayDevelop: false })
  })
})

test.each([
  ['/docs/limits', 'text/markdown', '/docs/limits.md'],
  ['/docs/', 'text/markdown, text/html;q=0.8', '/docs.md'],
  ['/docs/errors/not_found?x=1', 'text/markdown', '/docs/errors/not_found.md?x=1'],
  ['/docs/limits', 'text/html,*/*;q=0.8', '/docs/limits'],
  ['/docs/limits.md', 'text/markdown', '/docs/limits.md'],
  ['/docs/changelog.xml', 'text/markdown', '/docs/changelog.xml'],
  ['/legal', 'text/markdown', '/legal'],
])('%s for %s is the page %s', async (path, accept, expected) => {
  const asked = await ask(`http://localhost:3000${path}`, { headers: { accept } })

  expect(asked?.url).toBe(`http://localhost:3000${expected}`)
})

test.each([
  ['the proxy’s own Host', 'http://127.0.0.1:3000', {}],
  ['the Host of the visitor', 'http://portal.example', { 'x-forwarded-host': 'portal.example' }],
  [
    'a Host that somebody made up',
    'http://evil.example',
    { 'x-forwarded-host': 'localhost:3000, evil.example' },
  ],
])('the portal sees the public host whether it is sent %s', async (_kind, origin, headers) => {
  const asked = await ask(`${origin}/sign-in`, { headers: { host: new URL(origin).host, ...headers } })

  expect(asked?.headers.get('host')).toBe('localhost:3000')
  expect(asked?.headers.has('x-forwarded-host')).toBe(false)
})

test('the portal is asked under its own origin, whatever Host and path say', async () => {
  const asked = async (url: string) => (await ask(url))?.url

  expect(await asked('http://elsewhere.example/sign-in?next=%2F')).toBe(
    'http://localhost:3000/sign-in?next=%2F',
  )
  expect(await asked('http://localhost:3000//elsewhere.example/dev/mail')).toBe(
    'http://localhost:3000//elsewhere.example/dev/mail',
  )
})

describe('a posted body', () => {
  const form = 'application/x-www-form-urlencoded'

  /** The status, and how much of the body the portal was given. */
  async function post(type: string, body: BodyInit) {
    const given: string[] = []
    const portal = createPortal(async (request) => {
      given.push(await request.text())
      return new Response('a page')
    })
    const headers = { origin: 'http://localhost:3000', 'content-type': type }
    const response = await portal.fetch('/sign-in', { method: 'POST', headers, body })
    return { status: response.status, text: await response.text(), given }
  }

  const parts = (count: number, value = 'x') =>
    `${Array.from({ length: count }, (_, i) => `--line\r\ncontent-disposition: form-data; name="f${i}"\r\n\r\n${value}\r\n`).join('')}--line--\r\n`

  test.each([
    ['a form', form, `a=${'x'.repeat(60_000)}&b=2`],
    ['JSON', 'application/json', JSON.stringify({ a: '&'.repeat(60_000) })],
    ['a form with a file', 'multipart/form-data; boundary=line', parts(2, 'y'.repeat(500_000))],
    ['nothing', form, ''],
  ])('that is %s arrives as it was sent', async (_what, type, body) => {
    expect(await post(type, body)).toMatchObject({ status: 200, given: [body] })
  })

  test.each([
    ['a form of more than 64 kB', form, 'x'.repeat(65_537), 413],
    ['JSON of more than 64 kB', 'application/json', '['.repeat(65_537), 413],
    [
      'a file of more than the limit of all bodies',
      'multipart/form-data; boundary=line',
      parts(1, 'y'.repeat(1_048_577)),
      413,
    ],
    ['a form of 30,000 fields', form, 'a&'.repeat(30_000), 400],
    ['a multipart form of 10,000 parts', 'multipart/form-data; boundary="line"', parts(10_000), 400],
    ['a multipart form without a boundary', 'multipart/form-data', parts(1_000), 400],
  ])('that is %s never reaches a page', async (_what, type, body, status) => {
    expect(await post(type, body)).toMatchObject({ status, given: [] })
  })

  test('is refused from an address that posts faster than people fill in forms', async () => {
    const portal = createPortal(() => new Response('a page'))
    const post = (from: string) =>
      portal.fetch('/explorer/call', { method: 'POST', headers: { origin: 'http://localhost:3000' }, from })

    const statuses = []
    for (let count = 0; count < 25; count++) statuses.push((await post('192.0.2.1')).status)
    const refused = await post('192.0.2.1')

    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post('192.0.2.2')).status).toBe(200)
    portal.advance(1_000)
    expect((await post('192.0.2.1')).status).toBe(200)
  })
})
