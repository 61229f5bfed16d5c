import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'

const pages = import.meta.glob<{ loader?: (args: LoaderFunctionArgs) => Promise<unknown> }>('./*.route.tsx')

test('every page for development asks whether it may answer before anything else', async () => {
  expect(Object.keys(pages).length).toBeGreaterThanOrEqual(3)
  for (const [file, load] of Object.entries(pages)) {
    const { loader } = await load()
    const params = { mail: 'any' }
    const mail = { mailbox: { list: async () => [], get: async () => ({}) } }
    const context = { mayDevelop: false, services: { mail, env: {} } } as unknown as AppLoadContext
    const request = new Request('http://localhost/dev')
    await expect(loader?.({ request, params, context }), file).rejects.toMatchObject({
      init: { status: 404 },
    })
  }
})

test('nobody signs in by the tour whose browser did not open it with the key', async () => {
  const { action } = await import('./tour.route.tsx')
  const context = { mayDevelop: false, services: { accounts: {} } } as unknown as AppLoadContext
  const body = new URLSearchParams({ person: 'reviewer' })
  const request = new Request('http://localhost/tour', { method: 'POST', body })

  await expect(action({ request, params: {}, context })).rejects.toMatchObject({ init: { status: 404 } })
})

test('after sign-up, only a browser that opened the mailbox gets a link to it', async () => {
  const { loader } = await import('../account/sign-up/check-your-mail.route.tsx')
  const services = { mail: { mailbox: {} }, env: { developmentPages: true } }
  const load = (mayDevelop: boolean) =>
    loader({
      request: new Request('http://localhost/check-your-mail'),
      params: {},
      context: { mayDevelop, services } as unknown as AppLoadContext,
    })

  expect(await load(false)).toEqual({ localMailbox: true, mayOpenMailbox: false })
  expect(await load(true)).toEqual({ localMailbox: true, mayOpenMailbox: true })
})
