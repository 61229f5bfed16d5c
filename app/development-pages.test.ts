import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'

const pages = import.meta.glob<{ loader?: (args: LoaderFunctionArgs) => Promise<unknown> }>(
  './routes/dev.*.tsx',
)

test('every page for development asks whether it may answer before anything else', async () => {
  expect(Object.keys(pages).length).toBeGreaterThanOrEqual(4)
  for (const [file, load] of Object.entries(pages)) {
    const { loader } = await load()
    const params = { mail: 'any', template: 'verify-email' }
    const mail = { mailbox: { list: async () => [], get: async () => ({}) } }
    const context = { mayDevelop: false, services: { mail, env: {} } } as unknown as AppLoadContext
    const request = new Request('http://localhost/dev')
    await expect(loader?.({ request, params, context }), file).rejects.toMatchObject({
      init: { status: 404 },
    })
  }
})
