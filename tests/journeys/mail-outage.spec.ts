import type { Pool } from 'pg'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { enterWithMfa, requestKey, settleIn } from '../support/journey-steps.ts'

test('with the mail server down a request succeeds, ops see the mail wait, and it leaves once @long', async ({
  page,
  openBrowser,
  mails,
  stack,
  developer,
  ops,
}) => {
  const person = await developer()
  const organization = await settleIn(page, person, 'Patient Placeholder')
  const console = await openBrowser()
  const states = console.getByRole('navigation', { name: 'Emails by state' })

  await enterWithMfa(console, await ops())
  await console.goto(paths.staffMail)

  // The outbox is everybody's: what other journeys left in it goes first.
  await expect.poll(() => waitingMails(stack.owner)).toBe(0)
  await mails.goDown()
  try {
    await requestKey(page, organization, 'Asked in the dark')
    await expect.poll(() => statesOfMail(stack.owner, person.email)).toEqual(['tried', 'tried'])
    await showsWhatWaits()
    expect(await waitingMails(stack.owner)).toBeGreaterThanOrEqual(2)
  } finally {
    await mails.comeBack()
  }

  const received = { to: person.email, subject: 'We received your key request: “Asked in the dark”' }
  const claim = { to: person.email, subject: 'Claim your key: “Asked in the dark”' }
  await Promise.all([mails.waitFor(received), mails.waitFor(claim)])
  await expect.poll(() => statesOfMail(stack.owner, person.email)).toEqual(['sent', 'sent'])
  expect(mails.find(received)).toHaveLength(1)
  expect(mails.find(claim)).toHaveLength(1)
  await expect.poll(() => openJobs(stack.owner)).toBe(0)
  await expect.poll(() => waitingMails(stack.owner)).toBe(0)
  await showsWhatWaits()

  /** The server writes mails of its own accord, too: the page and the outbox are read until nothing came between. */
  async function showsWhatWaits(): Promise<void> {
    await expect(async () => {
      const before = await waitingMails(stack.owner)
      await console.reload()
      const shown = await states.getByRole('link', { name: /^(Waiting|Sending)/ }).allTextContents()
      expect(shown.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0)).toBe(before)
    }).toPass({ timeout: 30_000 })
  }
})

/** Mails of anybody that have not left, as the console counts them. */
async function waitingMails(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM portal.outbox_mail WHERE state IN ('waiting', 'sending')`,
  )
  return rows[0]?.count ?? 0
}

/** One word for each mail to an address: `tried` waits after at least one attempt. */
async function statesOfMail(owner: Pool, email: string): Promise<string[]> {
  const { rows } = await owner.query<{ state: string }>(
    `SELECT CASE WHEN state = 'waiting' AND attempts > 0 THEN 'tried' ELSE state END AS state
     FROM portal.outbox_mail WHERE to_address = $1 ORDER BY 1`,
    [email],
  )
  return rows.map(({ state }) => state)
}

/** Jobs that would still send a mail. */
async function openJobs(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'send-mail'`,
  )
  return rows[0]?.count ?? 0
}
