import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { keyPattern, makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import {
  closeKey,
  confirmAddress,
  done,
  headingOf,
  keyBox,
  projectDescription,
  readKey,
  signUp,
} from '../support/journey-steps.ts'
import { masked } from '../support/masked.ts'
import { callSandbox } from '../support/sandbox-api.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a developer signs up, claims a key, reads a synthetic patient with it and revokes it', async ({
  page,
  stack,
  mails,
}) => {
  const person = { name: 'Robin Testwell', email: newAddress('Robin'), password: 'seven quiet herons wading' }
  const keyName = 'A nightly import' // the description's first words

  await test.step('from the home page over the email to the form of the first key', async () => {
    await page.goto('/')
    await expect(page.getByText('pt-wren-testwell')).toBeVisible()
    await page.getByRole('link', { name: 'Get a sandbox key' }).first().click()
    await signUp(page, person)
    await confirmAddress(page, mails, person)
    await expect(headingOf(page, 'Create your first key')).toBeVisible()
  })

  await test.step('a form with faults is shown again, with what was typed', async () => {
    await page.getByLabel('Organization name').fill('Samplewood Health Apps')
    await page.getByLabel('What are you building?').fill('An import.')
    await page.getByRole('button', { name: 'Create key' }).click()

    const summary = page.getByRole('alert')
    await expect(summary).toContainText('Fix 2 fields to continue. Nothing was saved.')
    await expect(summary.getByRole('link', { name: /^What are you building\?/ })).toBeVisible()
    await expect(summary.getByRole('link', { name: /^Sandbox terms/ })).toBeVisible()
    await expect(page.getByLabel('Organization name')).toHaveValue('Samplewood Health Apps')
  })

  const key = await test.step('the key is shown once, and can be copied and saved', async () => {
    await page.getByLabel('What are you building?').fill(projectDescription)
    await page.getByLabel(/^I accept the sandbox terms/).check()
    await expect(page.getByLabel('Read-only')).toBeChecked()
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = await readKey(page)
    expect(shown).toMatch(new RegExp(`^${keyPattern.source}$`))
    await page.getByRole('button', { name: 'Hide' }).click()
    await expect(keyBox(page)).not.toContainText(shown)

    await page.getByRole('button', { name: 'Copy key' }).click()
    await expect(page.getByText('Key copied.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .env' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toContain(`SVC_KEY=${shown}\n`)
    return shown
  })

  await test.step('the key reads the patient whom the home page shows', async () => {
    const list = await callSandbox(stack.origin, '/patients?mrn=SYN-004217', key)
    expect(list.status).toBe(200)
    expect(list.body.data).toMatchObject([
      { id: 'pt-wren-testwell', mrn: 'SYN-004217', name: { family: 'Testwell', given: ['Wren'] } },
    ])

    const one = await callSandbox(stack.origin, '/patients/pt-wren-testwell', key)
    expect(one.status).toBe(200)
    expect(one.body).toEqual(list.body.data[0])
  })

  await test.step('once closed, the key is nowhere in the browser', async () => {
    await closeKey(page)
    await expect(done(page, 'Key hidden. It can’t be shown again.')).toBeVisible()
    expect(await everythingKept(page)).not.toContain(key)

    await page.goBack()
    await expect(headingOf(page, 'Create an organization')).toBeVisible()
    expect(await everythingKept(page)).not.toContain(key)
    await page.goForward()
  })

  await test.step('the list names it by its prefix and says when it was used', async () => {
    const row = page.getByRole('row', { name: keyName })
    await expect(row).toContainText(prefixOf(key))
    await expect(row).toContainText('just now')
    await expect(row).not.toContainText(key)
    await row.getByRole('link', { name: keyName, exact: true }).click()
    await page.getByRole('link', { name: 'View its calls in the logs' }).click()
    await expect(page.getByRole('table', { name: 'Calls' })).toContainText('/patients/{id}')
    await page.goBack()
  })

  await test.step('revoked, it is refused like a key that never was', async () => {
    await page.getByRole('link', { name: 'Revoke', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Revoke “${keyName}”?` })
    await expect(dialog).toBeVisible()
    await dialog.getByLabel('Reason (optional)').fill('No longer needed')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await expect(done(page, 'Key revoked. Calls with it now get 401.')).toBeVisible()

    const refused = await callSandbox(stack.origin, '/patients', key)
    const unknown = await callSandbox(stack.origin, '/patients', makeKey('sandbox', randomBytes))
    expect(refused.status).toBe(401)
    expect(unknown.status).toBe(401)
    expect(masked(JSON.stringify(refused.body))).toBe(masked(JSON.stringify(unknown.body)))
    expect(JSON.stringify(refused.body)).not.toMatch(/revoked key|was revoked|SYN-/)
    await page.getByRole('link', { name: /^Expired and revoked/ }).click()
    await expect(page.getByRole('row', { name: keyName })).toContainText('No longer needed')
  })

  await test.step('no mail holds a key, and the log holds neither key nor link nor address', async () => {
    await mails.waitFor({ to: person.email, subject: `Your key was claimed: “${keyName}”` })
    await mails.waitFor({ to: person.email, subject: `A key was revoked: “${keyName}”` })
    for (const { headers, subject, text, html } of mails.all())
      expect([headers, subject, text, html].join('\n')).not.toMatch(/svc_[tl]/)

    const log = stack.log()
    expect(log).not.toMatch(keyPattern)
    expect(log).not.toContain('token=')
    expect(log).not.toContain(person.email)
  })

  await test.step('every step left its row', async () => {
    const { rows } = await stack.owner.query<{ action: string }>(
      `SELECT action FROM portal.audit_event WHERE organization_id =
         (SELECT id FROM portal.organization WHERE created_by_id =
           (SELECT id FROM portal.account WHERE email = $1)) ORDER BY id`,
      [person.email],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'organization.created',
      'sandbox_key.requested',
      'sandbox_key.provisioned',
      'sandbox_key.revealed',
      'api_key.revoked',
    ])

    await expect
      .poll(() => activityOf(stack, key))
      .toEqual([
        { route: '/patients', status: 200, refusal: null },
        { route: '/patients/{id}', status: 200, refusal: null },
        { route: '/patients', status: 401, refusal: 'key_revoked' },
      ])
    const { rows: access } = await stack.owner.query(
      `SELECT resource_type AS type, count, outcome FROM log.phi_audit WHERE principal_id =
         (SELECT id::text FROM portal.api_key WHERE prefix = $1) ORDER BY id`,
      [prefixOf(key)],
    )
    expect(access).toEqual([
      { type: 'Patient', count: 1, outcome: 'served' },
      { type: 'Patient', count: 1, outcome: 'served' },
    ])
  })
})

/** What a later visitor of this browser could read: the page, its history, every storage and cookie. */
async function everythingKept(page: Page): Promise<string> {
  const inPage = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      JSON.stringify(history.state),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      location.href,
      document.referrer,
    ].join('\n'),
  )
  const state = await page.context().storageState({ indexedDB: true })
  return `${inPage}\n${JSON.stringify(state)}`
}

async function activityOf(stack: { owner: import('pg').Pool }, key: string) {
  const { rows } = await stack.owner.query<{ route: string; status: number; refusal: string | null }>(
    `SELECT route, status, refusal FROM log.activity WHERE key_id =
       (SELECT id FROM portal.api_key WHERE prefix = $1) ORDER BY at, id`,
    [prefixOf(key)],
  )
  return rows
}
