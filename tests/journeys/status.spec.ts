/** The status page as anybody meets it, mails of it, and the incidents that operations tell of. */
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import { done, enterWithMfa, headingOf, linkIn, openLink } from '../support/journey-steps.ts'
import type { Stack } from '../support/stack.ts'
import { sweep } from '../support/sweep.ts'

/** The page is read every thirty seconds, and somebody may have come just before. */
const read = { timeout: 45_000 }

test('the status is told to anybody, by mail to who asks, and operations tell of incidents', async ({
  page,
  openBrowser,
  stack,
  mails,
  ops,
  watch,
}) => {
  watch.allow(/404 \(Not Found\)/)
  const person = await ops('Odell Placeholder')
  await everyState(stack.owner, person.accountId)
  const visitor = await openBrowser({ javaScriptEnabled: false })
  const reader = newAddress('Reader')

  await test.step('a visitor asks for mails and confirms them', async () => {
    await visitor.goto(paths.subscribeToStatus)
    await visitor.getByLabel('Email address').fill(reader)
    await visitor.getByLabel('FHIR API').check()
    await visitor.getByRole('button', { name: 'Send link' }).click()
    await expect(headingOf(visitor, 'Check your email')).toBeVisible()
    const mail = await mails.waitFor({ to: reader, subject: 'Confirm your status emails' })
    await openLink(visitor, linkIn(mail.links, '/status/subscription/confirm'))
    await visitor.getByRole('button', { name: 'Confirm subscription' }).click()
    await expect(headingOf(visitor, 'Your emails')).toBeVisible()
    await expect(visitor.getByLabel('FHIR API')).toBeChecked()
  })

  await test.step('operations tell of an incident, and of its end', async () => {
    await enterWithMfa(page, person)
    await page.goto(paths.staffIncidents)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText(/Fix \d+ fields to continue\./)
    await page.getByLabel('Title').fill('Charts open slowly')
    await page.getByLabel('Public text').fill('Reads take two to four seconds. They succeed.')
    await page.getByLabel('FHIR API').check()
    await page.getByLabel('How they are affected').selectOption('degraded')
    await page.getByLabel('Next update by').selectOption('1 hour from now')
    await sweep(page, paths.staffIncidents)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(headingOf(page, 'Charts open slowly')).toBeVisible()
    await sweep(page, 'staff incident')
    const mail = await mails.waitFor({ to: reader, subject: /Charts open slowly/ })
    expect(mail.headers).toMatch(/^List-Unsubscribe:\s+<http\S+\?token=/im)
  })

  const incident = new URL(page.url()).pathname.replace('/staff', '/status')
  await test.step('the page tells every state, without a script and without a cookie', async () => {
    const outages = ['Degraded', 'Down', 'Partial outage', 'Major outage']
    const states = ['Operational', ...outages, 'Disabled', 'Not checked', 'Under maintenance']
    await expect(async () => {
      await visitor.goto(paths.status)
      await expect(visitor.getByRole('link', { name: 'Charts open slowly' })).toBeVisible({ timeout: 1_000 })
      await visitor.getByText(/^Not checked: /).click({ timeout: 1_000 })
      for (const state of states)
        await expect(visitor.getByText(state, { exact: true }).first()).toBeVisible({ timeout: 1_000 })
    }).toPass(read)
    await expect(
      visitor.getByRole('img', { name: /REST API, last 90 days: .*no data for \d+ days?/ }),
    ).toBeVisible()
    await expect(visitor.locator('script')).toHaveCount(1)
    await expect(visitor.locator('script')).toHaveAttribute('src', /\/assets\/still-/)
    expect(await visitor.context().cookies(visitor.url())).toEqual([])
    await look(page, visitor.url())
    await visitor.goto(incident)
    await look(page, visitor.url())
  })

  await test.step('a practice is looked up by a form', async () => {
    await visitor.goto(paths.status)
    await visitor.getByLabel('Practice ID').fill('nobody-at-all')
    await visitor.getByRole('button', { name: 'Look up' }).click()
    await expect(visitor.getByText('No practice has this ID.')).toBeVisible()
  })

  await test.step('the mails end by their link', async () => {
    const mail = mails.find({ to: reader, subject: /Charts open slowly/ })[0]
    await openLink(visitor, linkIn(mail?.links ?? [], '/status/subscription'))
    await visitor.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(headingOf(visitor, 'You are unsubscribed')).toBeVisible()
    await openLink(visitor, linkIn(mail?.links ?? [], '/status/subscription'))
    await expect(headingOf(visitor, 'This link does not work')).toBeVisible()
  })

  await test.step('it is over, and what happened is written down', async () => {
    await page.getByLabel('Stage').selectOption('Resolved')
    await page.getByLabel('Public text').fill('It is over.')
    await page.getByLabel('Reason', { exact: true }).first().fill('The index is whole again.')
    await page.getByRole('button', { name: 'Post update' }).click()
    await expect(done(page, 'Update published. Subscribers get an email.')).toBeVisible()
    await page.getByLabel('Post-mortem').fill('## Why\n\nAn index was <b>rebuilt</b> at noon.')
    await page.getByLabel('Reason', { exact: true }).first().fill('We know what happened.')
    await page.getByRole('button', { name: 'Publish post-mortem' }).click()
    await expect(done(page, 'Post-mortem published.')).toBeVisible()
  })

  /** Pictures and axe need a script of their own, so another browser looks; without the sign-in of operations. */
  async function look(of: Page, url: string): Promise<void> {
    const seen = await of.context().browser()?.newPage({ baseURL: stack.origin })
    if (!seen) throw new Error('no browser')
    await seen.goto(url)
    await sweep(seen, new URL(url).pathname.startsWith('/status/incidents') ? 'status incident' : url)
    await seen.close()
  }
})

/** Each component in a state of its own, by an incident, and ninety days in which something happened. */
async function everyState(owner: Stack['owner'], accountId: string): Promise<void> {
  const states = {
    academy: 'operational',
    demo: 'disabled',
    chartvoyant_app: 'down',
    api: 'degraded',
    mcp: 'under_maintenance',
    fhir: 'partial_outage',
    smart: 'major_outage',
  }
  await owner.query(
    `WITH incident AS (
       INSERT INTO portal.incident (id, kind, title, stage, starts_at, created_at, created_by_id)
       VALUES (gen_random_uuid(), 'incident', 'Opened for this test', 'investigating', now(), now(), $1)
       RETURNING id)
     INSERT INTO portal.incident_component (incident_id, component, state)
     SELECT id, each.key, each.value FROM incident, jsonb_each_text($2::jsonb) each`,
    [accountId, JSON.stringify(states)],
  )
  // Of the REST API eighty-nine days are known, one with an hour down, one with a gap, and one is missing.
  await owner.query(
    `INSERT INTO portal.status_day (component, day, state, minutes)
     SELECT component, (now() AT TIME ZONE 'UTC')::date - back,
            CASE WHEN back = 20 AND component = 'fhir' THEN 'degraded' ELSE 'operational' END,
            CASE WHEN back = 40 THEN 700 WHEN back = 10 THEN 1380 ELSE 1440 END
       FROM unnest(ARRAY['api', 'fhir', 'smart', 'mcp']) AS component, generate_series(1, 89) AS back
      WHERE back <> 60
      ON CONFLICT DO NOTHING`,
  )
  await owner.query(
    `INSERT INTO portal.status_day (component, day, state, minutes)
     SELECT 'api', (now() AT TIME ZONE 'UTC')::date - 10, 'down', 60 ON CONFLICT DO NOTHING`,
  )
}
