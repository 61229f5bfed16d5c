/** What a browser shows where there is no page: never a response of the router's own. */
import { setTimeout as delay } from 'node:timers/promises'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPracticePerson } from '../support/journey-people.ts'
import { headingOf, sendForm, settleIn } from '../support/journey-steps.ts'
import { filePatterns } from '../support/portal-pages.ts'

test('a page or file that is not there, not yours, or asked for wrongly is a page with the reason', async ({
  page,
  developer,
  stack,
  watch,
}) => {
  watch.allow(/404 \(Not Found\)/)
  const { email, password } = await addPracticePerson(stack.owner, 'clinician')
  await sendForm(page, paths.practiceSignIn, { email, password })
  const organization = await settleIn(page, await developer(), 'Samplewood Health Apps')

  // The navigation of the person who is signed in, the address without its query, and one link.
  for (const [path, navigation] of [
    ['/no-such-page', 'Developer'],
    [`${organization}/no-such-page`, 'Developer'],
    ['/organizations/never-was/keys', 'Developer'],
    ['/practice/no-such-page', 'Practice'],
    ['/docs/no-such-page', 'Documentation'],
  ] as const) {
    expect((await page.goto(`${path}?secret=1`))?.status(), path).toBe(404)
    await expect(headingOf(page, 'Page not found')).toBeVisible()
    await expect(page.getByRole('main').getByText(path, { exact: true })).toBeVisible()
    await expect(page.getByRole('navigation', { name: navigation }).first()).toBeVisible()
    await expect(page.locator('.page-failed').getByRole('link')).toHaveCount(1)
  }

  const asPage = { headers: { accept: 'text/html' } }
  const missing = await page.request.get(`${organization}/agreements/none/files/none`, asPage)
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
    const answer = await page.request.get(path, asPage)
    expect(answer.status(), path).not.toBe(429)
    if (answer.status() >= 400 && !answer.headers()['content-type']?.startsWith('text/html'))
      asJson.push(path)
  }
  expect(asJson).toEqual([])
})
