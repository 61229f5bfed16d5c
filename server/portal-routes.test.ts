import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createEdge, type EdgeEnv } from './http/edge.ts'
import type { PortalHandler } from './portal.ts'
import { createPortalRoutes } from './portal-routes.ts'
import type { Services } from './services.ts'

/** What the portal is asked, and whether it may show pages for development. */
async function ask(
  url: string,
  options: { headers?: Record<string, string>; from?: string; embedded?: boolean } = {},
) {
  const { headers = {}, from = '127.0.0.1', embedded = true } = options
  const env = { PUBLIC_ORIGIN: 'http://localhost:3000', NODE_ENV: 'production', developmentPages: embedded }
  const log = pino({ level: 'silent' })
  const asked: { url: string; mayDevelop: boolean }[] = []
  const portal: PortalHandler = async (request, { mayDevelop }) => {
    asked.push({ url: request.url, mayDevelop })
    return new Response('a page')
  }
  const app = new Hono<EdgeEnv>()
  app.use(createEdge({ clock: () => new Date(), log, trustedProxyHops: 0 }))
  app.route('/', createPortalRoutes({ env, log } as unknown as Services, portal, async () => Response.json({})))
  await app.fetch(new Request(url, { headers }), { incoming: { socket: { remoteAddress: from } } })
  return asked[0]
}

describe('pages for development', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'answer this machine at %s',
    async (origin) => {
      expect(await ask(`${origin}/dev/mail`)).toMatchObject({ mayDevelop: true })
    },
  )

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])(
    'are not there for a request that carries %s, however its path is written',
    async (header) => {
      for (const path of ['/dev/mail', '//host/dev/mail', '/DEV/mail', '/%64ev/mail', '/dev/mail.data']) {
        const asked = await ask(`http://localhost:3000${path}`, { headers: { [header]: '192.0.2.7' } })
        expect(asked?.mayDevelop, path).toBe(false)
      }
    },
  )

  test('are not there under a name that only resolves to this machine', async () => {
    expect(await ask('http://rebound.example:3000/dev/mail')).toMatchObject({ mayDevelop: false })
    expect(await ask('http://127.0.0.1.rebound.example:3000/dev/mail')).toMatchObject({ mayDevelop: false })
  })

  test('are not there for another machine, nor without the embedded database', async () => {
    const page = 'http://localhost:3000/dev/mail'
    expect(await ask(page, { from: '192.0.2.7' })).toMatchObject({ mayDevelop: false })
    expect(await ask(page, { embedded: false })).toMatchObject({ mayDevelop: false })
  })
})

test.each([
  ['/docs/limits', 'text/markdown', '/docs/limits.md'],
  ['/docs/', 'text/markdown, text/html;q=0.8', '/docs.md'],
  ['/docs/errors/not_found?x=1', 'text/markdown', '/docs/errors/not_found.md?x=1'],
  ['/docs/limits', 'text/html,*/*;q=0.8', '/docs/limits'],
  ['/docs/limits.md', 'text/markdown', '/docs/limits.md'],
  ['/docs/changelog.xml', 'text/markdown', '/docs/changelog.xml'],
  ['/trust', 'text/markdown', '/trust'],
])('%s for %s is the page %s', async (path, accept, expected) => {
  const asked = await ask(`http://localhost:3000${path}`, { headers: { accept } })

  expect(asked?.url).toBe(`http://localhost:3000${expected}`)
})

test('an old data request of Remix is a request for the page', async () => {
  const asked = await ask('http://localhost:3000/sign-in?_data=root&next=%2Fa%26b&_data=routes%2Fx')

  expect(asked?.url).toBe('http://localhost:3000/sign-in?next=%2Fa%26b')
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
