/** What a browser shows where there is no page: never a response of the router's own. */
import { setTimeout as delay } from 'node:timers/promises'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPracticePerson } from '../support/journey-people.ts'
import { sendForm, settleIn } from '../support/journey-steps.ts'
import { filePatterns } from '../support/portal-pages.ts'

test('a file that is not there, not yours, or asked for wrongly is a page with the reason', async ({
  page,
  developer,
  stack,
}) => {
  const organization = await settleIn(page, await developer(), 'Samplewood Health Apps')
  const admin = await addPracticePerson(stack.owner, 'admin')
  await sendForm(page, paths.practiceSignIn, { email: admin.email, password: admin.password })

  const missing = await page.request.get(`${organization}/agreements/none/files/none`, {
    headers: { accept: 'text/html' },
  })
  expect(missing.status()).toBe(404)
  expect(await missing.text()).toContain('Page not found')
  const asJson: string[] = []
  // The stream of the log does not end.
  for (const pattern of filePatterns.filter((each) => !each.endsWith('/live'))) {
    const path = pattern
      .replace('/organizations/:organization', organization)
      .replace(/:\w+\??|\*/g, '00000000-0000-7000-8000-000000000000')
    // One address gets 20 pages a second: the others would be a 429, and the next test’s, too.
    await delay(80)
    const answer = await page.request.get(path, { headers: { accept: 'text/html' } })
    expect(answer.status(), path).not.toBe(429)
    if (answer.status() >= 400 && !answer.headers()['content-type']?.startsWith('text/html'))
      asJson.push(path)
  }

  expect(asJson).toEqual([])
})
