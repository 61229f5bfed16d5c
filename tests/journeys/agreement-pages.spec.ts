/** The pages of agreements, in both themes and two widths; a document is signed by both sides and verified as a file. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { addAgreement } from '../support/journey-agreement.ts'
import { addPracticePerson, shownPractice } from '../support/journey-people.ts'
import { done, fillSignIn, headingOf, settleIn, setUpMfa } from '../support/journey-steps.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

test('a BAA is read, changed, signed by both sides, saved and verified; the pages are in order', async ({
  page,
  stack,
  developer,
  watch,
}, info) => {
  watch.allow(/400 \(Bad Request\)/)
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  const signatory = await addPracticePerson(stack.owner, 'signatory')
  const { rows } = await stack.owner.query<{ o: string; p: string }>(
    `SELECT o.id AS o, p.id AS p FROM portal.organization o, portal.practice p
     WHERE o.slug = $1 AND p.slug = $2`,
    [organization.split('/').at(-1), shownPractice],
  )
  const id = await addAgreement(stack.owner, {
    organizationId: rows[0]?.o ?? '',
    practiceId: rows[0]?.p ?? '',
    developer: { accountId: person.accountId, legalName: person.name },
    practice: { accountId: signatory.accountId, legalName: signatory.name },
  })
  const own = `${organization}/agreements/${id}`
  await page.goto(paths.mfa)
  await setUpMfa(page)
  await sweepPaths(page, [`${organization}/agreements`, own, `${own}/change`])

  await page.getByLabel('Breach notice period (hours)').fill('24')
  await page.getByLabel('Reason for the change').fill('A day is what we can promise.')
  await page.getByRole('button', { name: 'Send new version' }).click()
  await expect(done(page, 'New version sent to the other side.')).toBeVisible()
  await expect(page.getByText('within 24 hours of discovery')).toBeVisible()
  await sign(page, 'Somebody Else')
  await expect(page.getByRole('alert')).toContainText('Enter your name exactly as in the document')
  await sweep(page, 'signing with a fault')
  await sign(page, person.name)
  await expect(done(page, 'Signed. It takes effect when the other side signs.')).toBeVisible()

  await page.goto(paths.practiceAgreements)
  await fillSignIn(page, signatory)
  await setUpMfa(page)
  await expect(headingOf(page, 'Agreements')).toBeVisible()
  await sweep(page, paths.practiceAgreements)
  await page.goto(paths.practiceAgreement(id))
  await expect(headingOf(page, 'Business associate agreement')).toBeVisible()
  await sweepPaths(page, [`${paths.practiceAgreement(id)}/change`, paths.practiceAgreement(id)])
  await stack.owner.query(
    `UPDATE portal.session SET authenticated_at = now() - interval '1 hour' WHERE account_id = $1`,
    [signatory.accountId],
  )
  await page.reload()
  await page.getByRole('link', { name: 'Confirm your password to sign' }).click()
  await page.getByLabel('Password').fill(signatory.password)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await sign(page, signatory.name)
  await expect(done(page, 'Everyone has signed. Download the executed document below.')).toBeVisible()
  await sweep(page, 'an executed agreement')

  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download the executed document/ }).click()
  const file = info.outputPath('executed.pdf')
  await (await saving).saveAs(file)
  const bytes = readFileSync(file)
  await page.goto(paths.verifyDocument)
  await page.getByLabel('PDF').setInputFiles(file)
  await expect(page.getByRole('heading', { name: 'Unchanged, and in force' })).toBeVisible()
  await expect(page.getByText(createHash('sha256').update(bytes).digest('hex'))).toBeVisible()
  await sweep(page, 'a verified document')
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
  await page.getByLabel('PDF').setInputFiles([])
  await page.getByLabel('PDF').setInputFiles(file)
  await expect(page.getByRole('heading', { name: 'Not one of our documents' })).toBeVisible()
})

async function sign(page: Page, name: string): Promise<void> {
  await page.getByLabel(/^Your legal name, exactly as in the document/).fill(name)
  await page.getByLabel(/^I am authorized/).check()
  await page.getByLabel(/^I agree to sign/).check()
  await page.getByRole('button', { name: 'Sign agreement' }).click()
}
