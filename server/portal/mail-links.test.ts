import { expect, test } from 'vitest'
import { createPortal } from '../../tests/support/portal-routes.ts'
import { linkPaths, paths } from '../contract/portal/paths.ts'

const origin = 'http://localhost:3000'
const [first, second] = ['a'.repeat(43), 'b'.repeat(43)] as const

/** A browser with one jar of cookies, before a page that says the token it was opened with. */
function createBrowser() {
  const cookies = new Map<string, string>()
  const seen: string[] = []
  const portal = createPortal((request, { linkToken }) => {
    seen.push(`${request.method} ${new URL(request.url).pathname}`)
    return new Response(linkToken ?? 'no token')
  })
  async function ask(path: string, init: { method?: string; body?: URLSearchParams } = {}) {
    const { pathname } = new URL(path, origin)
    const sent = [...cookies].flatMap(([at, value]) => (pathname === at ? [value] : []))
    const answer = await portal.fetch(path, { ...init, headers: { origin, cookie: sent.join('; ') } })
    for (const cookie of answer.headers.getSetCookie()) {
      const [value = ''] = cookie.split(';')
      cookies.set(/Path=([^;]+)/.exec(cookie)?.[1] ?? '/', value)
    }
    return answer
  }
  const post = (path: string, link: string) =>
    ask(`${path}?open`, { method: 'POST', body: new URLSearchParams({ link_token: link }) })
  return { ask, post, seen, cookies, logged: portal.logged }
}

const followed = (answer: Response) => answer.headers.get('location') ?? ''

test.each([...linkPaths])('%s, opened by a program that runs no script, uses nothing up', async (path) => {
  const { ask, seen, cookies } = createBrowser()

  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(path, { method })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(/form-action 'self'/)
    if (method === 'GET') expect(await answer.text()).toContain(`<form method="post" action="${path}?open">`)
  }
  expect([seen, cookies.size]).toEqual([[], 0])
})

test('a link becomes a short cookie of its own path, and its token is in no address and no log', async () => {
  const { ask, post, logged } = createBrowser()

  const answer = await post('/verify-email', `${origin}${paths.verifyEmail(first)}`)

  expect(answer.status).toBe(303)
  expect(followed(answer)).toMatch(/^\/verify-email\?link=[0-9a-f]{12}$/)
  expect(answer.headers.getSetCookie()).toEqual(
    ['/verify-email', '/verify-email.data'].map(
      (path) => `sandpiper-link=${first}; Path=${path}; Max-Age=1800; HttpOnly; SameSite=Lax`,
    ),
  )
  for (const path of [followed(answer), followed(answer).replace('?', '.data?')])
    expect(await (await ask(path)).text()).toBe(first)
  expect(logged.join()).not.toContain(first)
})

test('the whole link, the token alone, and a link from before are taken', async () => {
  const { ask, post } = createBrowser()
  const answers = [
    await post('/reset-password', ` ${origin}/reset-password#token=${first}\n`),
    await post('/reset-password', first),
    await ask(`/reset-password?token=${first}`),
    await ask(`/reset-password?token=${first}`, { method: 'HEAD' }),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(303)
    expect(await (await ask(followed(answer))).text()).toBe(first)
  }
})

test('what is no link is refused with a word about it', async () => {
  const { post, seen } = createBrowser()
  for (const text of [
    '',
    'the link',
    'https://portal.example/verify-email',
    `${origin}/verify-email#token=`,
  ]) {
    const answer = await post('/verify-email', text)
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await answer.text()).toContain('role="alert"')
  }
  expect(seen).toEqual([])
})

test('of two links open in two tabs each keeps its own', async () => {
  const { ask, post } = createBrowser()
  const one = followed(await post('/invitations/accept', first))
  const other = followed(await post('/invitations/accept', second))

  expect(await (await ask(one)).text()).toBe(first)
  expect(await (await ask(other)).text()).toBe(second)
  expect(await (await ask('/invitations/accept?link=000000000000')).text()).toContain('<form')
})

test('a link that another site posts is refused', async () => {
  const portal = createPortal(() => new Response('a page'))
  const answer = await portal.fetch('/verify-email?open', {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
    body: new URLSearchParams({ link_token: first }),
  })

  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
})

test('a redirect of the portal to a link hands its token over in the cookie', async () => {
  const portal = createPortal(
    () => new Response(null, { status: 302, headers: { location: paths.statusSubscription(first) } }),
  )
  const answer = await portal.fetch('/status/subscription/confirm?token=x', {
    method: 'POST',
    headers: { origin },
  })

  expect(followed(answer)).toMatch(/^\/status\/subscription\?link=/)
  expect(answer.headers.getSetCookie()).toHaveLength(2)
})

test('another spelling of the path of a link asks for the link, too', async () => {
  const { ask } = createBrowser()
  for (const path of ['/verify-email/', '/Verify-Email', '/verify%2demail'])
    expect(await (await ask(path)).text()).toContain('action="/verify-email?open"')
})
