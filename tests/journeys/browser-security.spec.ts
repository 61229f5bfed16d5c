/** Attacks that browsers stop because of our response headers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { headingOf, signIn } from '../support/journey-steps.ts'

test('a script that was injected into a page does not run', async ({ page, watch }) => {
  await page.goto('/')

  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "taken over"'
    document.head.append(script)
  })

  await expect.poll(() => watch.problems().join('\n')).toContain('script-src-elem refused inline')
  await expect(page).not.toHaveTitle('taken over')
  watch.allow(/inline/)
})

test('a form on another site cannot sign a visitor out', async ({ page, stack, developer, watch }) => {
  await signIn(page, await developer())
  watch.allow(/another origin|favicon|status of 403/)
  const form = `<form method="post" action="${stack.origin}/sign-out"><button>Win a prize</button></form>`
  await withOtherSite(form, async (address) => {
    await page.goto(address)
    await page.getByRole('button', { name: 'Win a prize' }).click()
    await expect(page.getByText('This form was not sent from')).toBeVisible()
  })
  await page.goto(paths.account)
  await expect(headingOf(page, 'Account')).toBeVisible()
})

test('no other site may show a page in a frame', async ({ page, stack, watch }) => {
  await withOtherSite(`<iframe src="${stack.origin}/sign-in"></iframe>`, async (address) => {
    await page.goto(address)
    await expect.poll(() => watch.problems().join('\n')).toContain('frame-ancestors')
    await expect(page.frameLocator('iframe').getByLabel('Password')).toHaveCount(0)
    watch.allow(/another origin|favicon|frame-ancestors|X-Frame-Options/)
  })
})

/** Serves a page on another origin while `use` runs. */
async function withOtherSite(body: string, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${body}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://localhost:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
