import { describe, expect, test } from 'vitest'
import { createPortal } from '../../tests/support/portal-routes.ts'

describe('a public page', () => {
  /** Pages that repeat what differs from response to response. */
  function countedPages(headers: Record<string, string> = {}) {
    const rendered: string[] = []
    const portal = createPortal(async (request, { nonce, correlationId }) => {
      rendered.push(`${new URL(request.url).pathname} ${request.headers.get('cookie') ?? ''}`.trim())
      await new Promise(setImmediate)
      const page = `<script nonce="${nonce}">1</script><i>${correlationId}</i><script nonce="${nonce}">2</script>`
      return new Response(page, { headers: { 'content-type': 'text/html', ...headers } })
    })
    return { portal, rendered }
  }

  const nonceIn = (response: Response) =>
    /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]

  test('is rendered once for all visitors, with a nonce and a correlation id for each', async () => {
    const { portal, rendered } = countedPages()

    const responses = [
      ...(await Promise.all([1, 2, 3].map((n) => portal.fetch('/docs/rest', { from: `192.0.2.${n}` })))),
      await portal.fetch('/docs/rest'),
    ]

    expect(rendered).toEqual(['/docs/rest'])
    expect(new Set(responses.map(nonceIn)).size).toBe(4)
    for (const response of responses) {
      const [nonce, id] = [nonceIn(response), response.headers.get('x-correlation-id')]
      expect(await response.text()).toBe(
        `<script nonce="${nonce}">1</script><i>${id}</i><script nonce="${nonce}">2</script>`,
      )
    }
  })

  test('that only a release changes is not sent again to a browser that has it', async () => {
    const { portal, rendered } = countedPages()
    const first = await portal.fetch('/docs/rest')
    const etag = first.headers.get('etag') ?? ''
    const again = (path: string, cookie = '') =>
      portal.fetch(path, { headers: { 'if-none-match': etag, ...(cookie && { cookie }) } })

    const known = await again('/docs/rest')

    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
    // The browser shows the page that it has under the policy that came with it.
    expect(known.headers.has('content-security-policy')).toBe(false)
    const others = [
      await again('/docs/fhir'),
      await again('/docs/rest', 'sandpiper-theme=dark'),
      await again('/docs/rest', '__Host-sandpiper-developer=x'),
      await again('/status'),
    ]
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(others.slice(2).map((response) => response.headers.has('etag'))).toEqual([false, false])
    expect(rendered).toHaveLength(5)
  })

  test('is rendered anew after its time', async () => {
    const { portal, rendered } = countedPages()

    for (const path of ['/docs/rest', '/status']) await portal.fetch(path)
    portal.advance(1_000)
    for (const path of ['/docs/rest', '/status']) await portal.fetch(path)
    portal.advance(59_000)
    for (const path of ['/docs/rest', '/status']) await portal.fetch(path)

    expect(rendered).toEqual(['/docs/rest', '/status', '/status', '/docs/rest', '/status'])
  })

  test.each([
    [
      'with a session',
      '/docs/rest',
      { headers: { cookie: '__Host-sandpiper-developer=x; sandpiper-theme=dark' } },
    ],
    ['with any cookie that it does not know', '/docs/rest', { headers: { cookie: 'a=b' } }],
    ['with a query', '/docs/search?q=rest', {}],
    ['of one visitor', '/authorize/0197', {}],
    ['for signing in', '/sign-in', {}],
    ['asked for by HEAD', '/docs/rest', { method: 'HEAD' }],
  ] as const)('%s is rendered every time', async (_what, path, init) => {
    const { portal, rendered } = countedPages()

    for (let count = 0; count < 3; count++) await portal.fetch(path, init)

    expect(rendered).toHaveLength(3)
  })

  test('of one theme is not shown in another, and never to whoever has a session', async () => {
    const { portal, rendered } = countedPages()
    const cookies = ['', 'sandpiper-theme=dark', 'sandpiper-theme=dark; sandpiper-zone=Europe%2FParis']
    const fetchAll = () =>
      Promise.all(
        [...cookies, '__Host-session=1'].map((cookie) => portal.fetch('/', { headers: { cookie } })),
      )

    await fetchAll()
    await fetchAll()

    expect(rendered).toHaveLength(5)
  })

  test('that sets a cookie, or failed, is given to one visitor only', async () => {
    const { portal, rendered } = countedPages({ 'set-cookie': 'done=; Path=/' })
    const broken = createPortal(() => {
      rendered.push('broken')
      return new Response('broken', { status: 500 })
    })

    await Promise.all([portal.fetch('/legal'), portal.fetch('/legal')])
    await portal.fetch('/legal')
    await broken.fetch('/legal')
    await broken.fetch('/legal')

    expect(rendered).toHaveLength(5)
  })

  test('is served 50 times a second to an address, and 20 pages are rendered for it', async () => {
    const { portal, rendered } = countedPages()
    const statusesOf = async (paths: readonly string[]) => {
      const responses = []
      for (const path of paths) responses.push((await portal.fetch(path)).status)
      return responses.filter((status) => status === 200).length
    }

    expect(await statusesOf(Array(60).fill('/legal'))).toBe(50)
    portal.advance(1_000)
    expect(await statusesOf(Array.from({ length: 25 }, (_, i) => `/sign-in?${i}`))).toBe(20)
    const refused = await portal.fetch('/sign-in')

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await statusesOf(['/legal'])).toBe(1)
    expect((await portal.fetch('/sign-in', { from: '192.0.2.9' })).status).toBe(200)
    expect(rendered).toHaveLength(22)
  })
})
