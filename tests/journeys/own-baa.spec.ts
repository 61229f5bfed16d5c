/** A practice uploads its own BAA, the developer compares and signs it, and the executed file holds the bytes that were signed. */
import { createHash } from 'node:crypto'
import PDFDocument from 'pdfkit'
import { clauseField } from '../../server/contract/forms/files.ts'
import { pdfFaults } from '../../server/contract/forms/pdf-rules.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { baaClauseNames, baaClauses } from '../../server/contract/workflows/agreements.ts'
import { expect, test } from '../support/journey.ts'
import { addAgreement } from '../support/journey-agreement.ts'
import { addPracticePerson, shownPractice } from '../support/journey-people.ts'
import { done, fillSignIn, headingOf, settleIn, setUpMfa } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

async function paper(options: ConstructorParameters<typeof PDFDocument>[0] = {}): Promise<Buffer> {
  const document = new PDFDocument(options)
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const whole = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(parts))))
  document.text('Business associate agreement of the practice, with Samplewood.').end()
  return whole
}

test('a practice’s own BAA is checked, compared with the template, and signed by both sides', async ({
  page,
  openBrowser,
  stack,
  developer,
  watch,
}) => {
  watch.allow(/400 \(Bad Request\)/)
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Reminders')
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

  const practice = await openBrowser()
  await practice.goto(paths.practice)
  await fillSignIn(practice, signatory)
  await setUpMfa(practice)
  await practice.goto(`${paths.practiceAgreement(id)}/change`)
  await practice.getByLabel('Breach notice period (hours)').fill('24')
  await practice.getByLabel('Reason for the change').fill('We use the document of our counsel.')
  await practice.getByText('Use your own document instead').click()
  const choose = async (buffer: Buffer) =>
    practice.getByLabel(/^PDF/).setInputFiles({ name: 'Our BAA.pdf', mimeType: 'application/pdf', buffer })
  await choose(await paper({ userPassword: 'secret' }))
  for (const clause of baaClauseNames)
    await practice.locator(`[name="${clauseField(clause)}"]`).fill('Section 2, page 1')
  await practice.getByRole('button', { name: 'Send new version' }).click()
  await expect(practice.getByText(pdfFaults.encrypted).first()).toBeVisible()
  await sweep(practice, 'an encrypted BAA')
  await choose(await paper())
  await practice.getByRole('button', { name: 'Send new version' }).click()
  await expect(done(practice, 'New version sent to the other side.')).toBeVisible()
  const stored = await stack.owner.query<{ sha256: string; bytes: Buffer }>(
    "SELECT sha256, bytes FROM portal.agreement_version WHERE agreement_id = $1 AND source = 'upload'",
    [id],
  )
  const { sha256, bytes } = stored.rows[0] as { sha256: string; bytes: Buffer }
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)

  await page.goto(paths.mfa)
  await setUpMfa(page)
  await page.goto(`${organization}/agreements/${id}`)
  await expect(page.getByRole('row').filter({ hasText: baaClauses.accounting })).toContainText(
    'Section 2, page 1',
  )
  await expect(page.getByText(sha256).first()).toBeVisible()
  await sweep(page, 'the own BAA of a practice')
  await page.getByRole('link', { name: 'Compare versions side by side' }).click()
  await expect(headingOf(page, 'Compare versions')).toBeVisible()
  const breach = page.getByRole('row').filter({ hasText: 'Breach notice period (hours)' })
  await expect(breach).toContainText('Changed')
  await expect(breach).toContainText('24')
  await expect(page.getByRole('row').filter({ hasText: baaClauses.accounting })).toContainText(
    'Section 4, number 7',
  )
  await sweep(page, 'two versions of a BAA')
  await page.getByRole('link', { name: 'Back to the agreement' }).click()

  for (const [window, { name }, at] of [
    [page, person, `${organization}/agreements/${id}`],
    [practice, signatory, paths.practiceAgreement(id)],
  ] as const) {
    await window.goto(at)
    await window.getByLabel(/^Your legal name, exactly as in the document/).fill(name)
    await window.getByLabel(/^I am authorized/).check()
    await window.getByLabel(/^I agree to sign/).check()
    await window.getByRole('button', { name: 'Sign agreement' }).click()
    await expect(window.getByText(/^(?:Signed\.|Everyone has signed)/).first()).toBeVisible()
  }
  const signed = await stack.owner.query<{ sha256: string; document_sha256: string }>(
    `SELECT s.sha256, e.document_sha256 FROM portal.agreement_signature s
       JOIN portal.agreement_executed e USING (agreement_id) WHERE s.agreement_id = $1`,
    [id],
  )
  expect(signed.rows).toEqual([
    { sha256, document_sha256: sha256 },
    { sha256, document_sha256: sha256 },
  ])
})
