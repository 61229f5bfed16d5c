import type { Page } from '@playwright/test'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { findFaults } from '../support/axe.ts'
import { expect, test } from '../support/journey.ts'
import {
  claimLink,
  closeKey,
  done,
  enterWithMfa,
  headingOf,
  readKey,
  requestKey,
  revealKey,
  settleIn,
} from '../support/journey-steps.ts'
import { callSandbox } from '../support/sandbox-api.ts'

/** Nothing for axe to find. */
const checkOf = (page: Page) => async (name: string) => {
  await expect.poll(() => findFaults(page), { message: name, timeout: 15_000 }).toEqual([])
}

test('a developer rotates a key, sees the old one still used, finds out why it is refused, and a finder reports the new one', async ({
  page,
  stack,
  mails,
  developer,
  openBrowser,
}) => {
  const check = checkOf(page)
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await requestKey(page, organization, 'Nightly import')
  await page.goto(await claimLink(mails, person.email, 'Nightly import'))
  const old = await revealKey(page)
  await closeKey(page)

  const successor = await test.step('the new key is shown once, the old one goes on', async () => {
    await page.getByRole('link', { name: 'Nightly import', exact: true }).click()
    await page.getByRole('link', { name: 'Rotate', exact: true }).click()
    await expect(headingOf(page, /^Rotate/)).toBeVisible()
    await check('rotate')
    await page.getByLabel('One hour').check()
    await page.getByRole('button', { name: 'Rotate and show key' }).click()
    const shown = await readKey(page)
    expect(shown).toMatch(new RegExp(`^${keyPattern.source}$`))
    await closeKey(page)
    await mails.waitFor({ to: person.email, subject: 'Your key was rotated: “Nightly import”' })
    return shown
  })

  await test.step('the log follows the calls of the old key, and its page says from where they come', async () => {
    const row = page.getByRole('row', { name: old.slice(0, 12) })
    await row.getByRole('link', { name: 'Nightly import', exact: true }).click()
    await expect(page.getByText('No calls have used it since')).toBeVisible()
    await page.getByRole('link', { name: 'View its calls in the logs' }).click()
    await expect(page.getByText('Live: new calls appear automatically.')).toBeVisible()
    await callSandbox(stack.origin, '/context', old)
    await expect(page.getByRole('table', { name: 'Calls' })).toContainText('/context')
    await page.goBack()
    await page.reload()
    await expect(page.getByRole('table', { name: 'Where the old key is used' })).toContainText('1 call')
    await check('key-in-grace')

    await page.getByLabel(/^Total grace period/).selectOption('0')
    await page.getByRole('button', { name: 'Change grace period' }).click()
    await expect(done(page, 'Grace period changed.')).toBeVisible()
    const refused = await callSandbox(stack.origin, '/context', old)
    expect(refused.status).toBe(401)

    await page.goto(`/find?id=${refused.body.error.correlationId}`)
    await expect(page.getByRole('heading', { name: 'The key was revoked.' })).toBeVisible()
    await expect(page.getByText('A revoked key never works again.')).toBeVisible()
    await check('key-refused')
  })

  await test.step('a finder reports the new key: it stops, and its owner hears of it', async () => {
    const finder = await openBrowser()
    await finder.goto('/sandbox-keys')
    await expect(finder.getByRole('heading', { name: 'Steps' })).toBeVisible()
    await checkOf(finder)('sandbox-keys')
    await finder.getByRole('link', { name: 'Report it' }).click()
    await finder.getByLabel('Leaked key', { exact: true }).fill(`${successor.slice(0, -1)}!`)
    await finder.getByRole('button', { name: 'Report key' }).click()
    await expect(finder.getByRole('alert')).toContainText('Nothing was sent.')
    await checkOf(finder)('report-a-key')
    const sent = finder.waitForRequest((request) => request.method() === 'POST')
    await finder.getByLabel('Leaked key', { exact: true }).fill(successor)
    await finder.getByRole('button', { name: 'Report key' }).click()
    await expect(headingOf(finder, 'Thank you')).toBeVisible()
    expect((await sent).postData()).not.toContain(successor)
    expect((await callSandbox(stack.origin, '/context', successor)).status).toBe(401)
    await mails.waitFor({ to: person.email, subject: /^A leaked key was revoked/ })
  })
})

test('a request that speaks of real patients goes to a reviewer, who asks, is answered and approves', async ({
  page,
  stack,
  mails,
  developer,
  ops,
  openBrowser,
}) => {
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  await page.goto(`${organization}/keys/new`)
  await page.getByLabel('Key name').fill('Chart import')
  await page
    .getByLabel('What are you building?')
    .fill('An import that loads real patients of our customers and looks at their charts.')
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await mails.waitFor({ to: person.email, subject: /^Your key request is in review/ })

  const colleague = await ops('Rae Placeholder')
  await stack.owner.query(`UPDATE portal.account SET staff_role = 'reviewer' WHERE id = $1`, [
    colleague.accountId,
  ])
  const staffPage = await openBrowser()
  const openRequest = async () => {
    await staffPage.goto(`${paths.reviewQueue}?q=Chart+import`)
    await staffPage.getByRole('link', { name: 'Chart import' }).click()
    await expect(headingOf(staffPage, 'Chart import')).toBeVisible()
  }
  await enterWithMfa(staffPage, colleague)
  await staffPage.goto(paths.reviewQueue)
  await expect(headingOf(staffPage, 'Queue')).toBeVisible()
  await checkOf(staffPage)('review-queue')
  await openRequest()
  await checkOf(staffPage)('review-request')
  await staffPage.getByRole('heading', { name: 'Ask a question' }).click()
  await staffPage.getByLabel('Confirm that no real person’s data enters the sandbox.').check()
  await staffPage.getByRole('button', { name: 'Send questions' }).click()
  await expect(headingOf(staffPage, 'Queue')).toBeVisible()

  await mails.waitFor({ to: person.email, subject: /^More information needed/ })
  await page.goto(`${organization}/keys`)
  await page.getByRole('link', { name: 'Answer about Chart import' }).click()
  await expect(headingOf(page, /^Answer about/)).toBeVisible()
  await checkOf(page)('answer-review')
  await page
    .getByLabel('What are you building?')
    .fill('An import of synthetic charts. Nothing of any person who exists comes into it.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(done(page, 'Answer sent. A reviewer will check it.')).toBeVisible()

  await openRequest()
  await staffPage.getByRole('button', { name: 'Approve request' }).click()
  await expect(headingOf(staffPage, 'Queue')).toBeVisible()
  await page.goto(await claimLink(mails, person.email, 'Chart import'))
  await expect(headingOf(page, 'Claim your key')).toBeVisible()
})
