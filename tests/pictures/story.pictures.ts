/**
 * One story of an operator, clicked from the console to the post-mortem: the mail server is down. The clicks are
 * counted and printed; each page on the way is pictured.
 */
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import { DeliveryError } from '../../server/mail/transport.ts'
import { operationsSupport } from '../support/operations.ts'
import { statusStates } from './status-states.ts'
import { openStudio, type Studio } from './studio.ts'

let studio: Studio
let page: Page
let opsId: string
const mailServer = { down: true }
const clicks: string[] = []

beforeAll(async () => {
  studio = await openStudio({
    template: 'schema',
    mailTransport: {
      deliver: async () => {
        if (mailServer.down) throw new DeliveryError('connect ECONNREFUSED', { permanent: false })
      },
      check: async () => {
        if (mailServer.down) throw new Error('connect ECONNREFUSED')
      },
      close: () => {},
    },
  })
  const { services } = studio
  const staff = { realm: 'staff', staffRole: 'ops', name: 'Oakley Sample', passwordHash: 'none' } as const
  const created = { createdAt: services.clock() }
  opsId = (await services.prisma.account.create({ data: { ...staff, email: 'o@staff.example', ...created } }))
    .id
  page = await studio.open()
  await studio.enter(page, opsId)
})
afterAll(() => console.log(`${clicks.length} clicks: ${clicks.join(' · ')}`))

async function click(role: 'link' | 'button', name: string | RegExp): Promise<void> {
  clicks.push(String(name))
  await page.getByRole(role, { name }).first().click()
  await page.waitForLoadState('networkidle')
}
const shoot = (name: string) => studio.shoot(page, `story-${name}`)
const say = (label: string, text: string) => page.getByLabel(label, { exact: true }).first().fill(text)

test('the mail server is down, and operations find it, tell of it, and end it', async () => {
  const { services } = studio
  const support = await operationsSupport(services)
  const job = await support.scenes.retry_job()
  await services.prisma.$transaction((tx) =>
    services.mail.enqueue(tx, {
      template: 'welcome',
      to: 'wren@samplewood.example',
      props: { name: 'Wren' } as never,
    }),
  )
  const states = statusStates(services, opsId)
  await states.check()
  const rows = [
    {
      name: 'sign_in' as const,
      state: 'degraded' as const,
      summary: 'Sign-in works. Emails are delayed, so links for passwords and keys arrive late.',
    },
  ]
  services.advance(600_000)
  await services.status.saveChecks(rows, services.clock())
  await studio.enter(page, opsId)

  await page.goto(paths.staff, { waitUntil: 'networkidle' })
  await expect(page.getByText('Emails are delayed').count()).resolves.toBe(1)
  await shoot('1-console')
  await click('link', 'View emails')
  await shoot('2-waiting')
  await click('link', 'Back to the console')
  await click('link', 'Jobs')
  await shoot('3-jobs')
  await click('link', 'Back to the console')
  await click('link', 'Incidents')
  await say('Title', 'Mails arrive late')
  await say('Public text', 'Links for passwords and keys arrive late. Nothing is lost.')
  await page.getByLabel('Sign-in (SMART)').selectOption('degraded')
  await say('Reason', 'The mail server refuses connections.')
  await click('button', 'Publish')
  await shoot('4-incident')
  await click('link', 'Component states')
  await page.getByLabel('Component', { exact: true }).selectOption('Public demo')
  await page.getByLabel('State', { exact: true }).selectOption('degraded')
  await say('Public text', 'Sign-up waits for its mail.')
  await say('Reason', 'The demonstration signs people up by mail.')
  await click('button', 'Set state')
  await shoot('5-components')
  mailServer.down = false
  await click('link', 'Back to the console')
  await click('link', 'Jobs')
  await click('link', `Retry job ${job.id}`)
  await say('Reason', 'The mail server answers again.')
  await click('button', 'Run job again')
  await shoot('6-retried')
  await click('link', 'Back to the console')
  await click('link', 'Components')
  await page
    .getByLabel('Reason for ending the manual state of Public demo')
    .fill('The mail server answers again.')
  await click('button', 'End the manual state of Public demo')
  await click('link', 'Incidents and maintenance')
  await click('link', 'Mails arrive late')
  await page.getByLabel('Stage').selectOption('Resolved')
  await say('Public text', 'Mails leave again; those that waited have left.')
  await say('Reason', 'The mail server answers again.')
  await click('button', 'Post update')
  await say('Post-mortem', '## Why\n\nIts disk was full.')
  await say('Reason', 'We know what happened.')
  await click('button', 'Publish post-mortem')
  await shoot('7-explained')
  services.advance(31_000)
  await page.goto(paths.status)
  await shoot('8-status')
})
