/** Feedback on the documentation and emails about the changelog, from the first click to the page of operations. */
import { expect, test } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import { tokenMailedTo } from '../support/mailed.ts'
import { openStudio } from './studio.ts'

test('feedback and changelog emails', async () => {
  const studio = await openStudio()
  const { services } = studio
  const staff = { realm: 'staff', staffRole: 'ops', name: 'Oakley Sample', passwordHash: 'none' } as const
  const { id } = await services.prisma.account.create({
    data: { ...staff, email: 'ops@staff.example', createdAt: services.clock() },
  })
  const page = await studio.open()

  await page.goto('/docs/identity')
  await page.getByText('Was this page helpful?').scrollIntoViewIfNeeded()
  await studio.shoot(page, 'docs-page-end')
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.waitForURL(/docs\/feedback/)
  await studio.shoot(page, 'docs-feedback')
  await page.getByLabel('Comment').fill('Our client secret is Kx7pQ9vTz2Lm4 and it fails.')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await page.getByRole('alert').waitFor()
  await studio.shoot(page, 'docs-feedback-refused')
  await page.getByLabel('Comment').fill('I miss a sample of a search by date.')
  await page.getByRole('button', { name: 'Send comment' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await studio.shoot(page, 'docs-feedback-sent')
  await page.goto('/docs/versioning')
  await studio.shoot(page, 'docs-versioning')

  await page.goto(paths.changelogEmails)
  await studio.shoot(page, 'changelog-emails')
  await page.getByLabel('Email address').fill('reader@samplewood.example')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(paths.confirmSubscription(await tokenMailedTo(services, 'reader@samplewood.example')))
  await studio.shoot(page, 'changelog-confirm')
  await page.getByRole('button', { name: 'Confirm subscription' }).click()
  await page.waitForURL(/subscription\?token/)
  await studio.shoot(page, 'changelog-subscription')

  await studio.enter(page, id)
  await page.goto(paths.staffDocsFeedback)
  expect(await page.getByText('I miss a sample').count()).toBe(1)
  await studio.shoot(page, 'ops-docs-feedback')
})
