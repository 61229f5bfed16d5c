/** The console of operations in every look, and one act on it. A file of its own for its length. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addPerson } from '../support/journey-people.ts'
import { done, enterWithMfa } from '../support/journey-steps.ts'
import type { Stack } from '../support/stack.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

async function enterOperations(page: Page, owner: Stack['owner']): Promise<void> {
  const who = { realm: 'staff', staffRole: 'ops', name: 'Odell Placeholder' } as const
  const person = await addPerson(owner, who)
  await enterWithMfa(page, person)
}

test('the pages of operations are in order', async ({ page, stack }) => {
  await enterOperations(page, stack.owner)

  await sweepPaths(page, [
    paths.staffPeople,
    paths.staffPractices,
    paths.staffPractice('sandpiper-demonstration'),
    paths.staffCredentials,
  ])
})

test('an act of operations asks for a reason, and its page is in order @long', async ({ page, stack }) => {
  await leaveTrouble(stack.owner)
  await enterOperations(page, stack.owner)

  await page.goto(paths.staffMail)
  await page.getByRole('link', { name: 'Resend the email welcome' }).first().click()
  await page.getByLabel('Reason').fill('short')
  await page.getByRole('button', { name: 'Resend email' }).click()
  await expect(page.getByRole('alert')).toContainText('Use at least 10 characters.')
  await sweep(page, 'an act with a fault')
  await page.goto(paths.staffJobs)
  await sweep(page, paths.staffJobs)
  await page
    .getByRole('link', { name: /^Cancel job/ })
    .first()
    .click()
  await page.getByLabel('Reason').fill('The export it belongs to is gone, ticket 4217.')
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await expect(done(page, 'Done. The audit log has your reason.')).toBeVisible()
  await page.goto(paths.staffAudit)
  await expect(page.getByRole('row', { name: /job\.given_up/ })).toContainText('ticket 4217')
  await sweep(page, paths.staffAudit)
  const file = await page.request.get(`${paths.staffAuditFile}?action=job`)
  expect(await file.text()).toMatch(/^\uFEFFat,actorKind,[\s\S]*job\.given_up/)
})

/** A job that was given up and a mail that came back: what operations look for. */
async function leaveTrouble(owner: Stack['owner']): Promise<void> {
  await owner.query(
    `INSERT INTO portal.outbox_mail (id, template, to_address, props, message_id, state, attempts, last_error,
       next_attempt_at, created_at)
     VALUES (gen_random_uuid(), 'welcome', 'wren@samplewood.example', '{"name":"Wren"}', gen_random_uuid()::text,
       'failed', 3, '550 no such user <wren@samplewood.example>', now(), now())`,
  )
  await owner.query(
    `SELECT graphile_worker.add_job('run-bulk-export', '{}', job_key => 'trouble', run_at => now() + interval '1 day')`,
  )
  await owner.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'TypeError: not here'
     WHERE key = 'trouble'`,
  )
}
