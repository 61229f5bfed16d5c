/** The pages of agreements: a BAA is signed by both sides and verified as a file, and a practice uploads its own. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import PDFDocument from 'pdfkit'
import type pg from 'pg'
import { baaFields } from '../../server/contract/forms/agreements.ts'
import { clauseField } from '../../server/contract/forms/files.ts'
import { pdfFaults } from '../../server/contract/forms/pdf-rules.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { baaClauseNames, baaClauses } from '../../server/contract/workflows/agreements.ts'
import { createAgreementTexts } from '../../server/domain/agreements/agreement-texts.ts'
import { renderAgreement } from '../../server/domain/agreements/render-agreement.ts'
import { createOfficeCalendar } from '../../server/domain/business-days/business-days.ts'
import { test as base, expect } from '../support/journey.ts'
import { addPracticePerson, type Person, shownPractice } from '../support/journey-people.ts'
import { done, enterWithMfa, giveMfa, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep, sweepPaths } from '../support/sweep.ts'

/** A BAA that was offered to a developer, who is signed in, and to a practice. */
type Offer = { id: string; own: string; organization: string; person: Person; signatory: Person }

const test = base.extend<{ offer: Offer }>({
  offer: async ({ page, stack, developer, watch }, use) => {
    watch.allow(/400 \(Bad Request\)/)
    const person = await developer()
    const organization = await settleIn(page, person, 'Samplewood Health Apps')
    const signatory = await addPracticePerson(stack.owner, 'signatory')
    const id = await addAgreement(stack.owner, organization, person, signatory)
    await giveMfa(page)
    await use({ id, own: `${organization}/agreements/${id}`, organization, person, signatory })
  },
})

test('a BAA is read, changed, signed by both sides, saved and verified; the pages are in order', async ({
  page,
  stack,
  offer: { id, own, organization, person, signatory },
}, info) => {
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

  await enterWithMfa(page, signatory, 'practice')
  await page.goto(paths.practiceAgreements)
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

test('a practice’s own BAA is checked, compared with the template, and signed by both sides @long', async ({
  page,
  openBrowser,
  stack,
  offer: { id, own, person, signatory },
}) => {
  const practice = await openBrowser()
  await enterWithMfa(practice, signatory, 'practice')
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

  await page.goto(own)
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
    [page, person, own],
    [practice, signatory, paths.practiceAgreement(id)],
  ] as const) {
    await window.goto(at)
    await sign(window, name)
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

async function sign(page: Page, name: string): Promise<void> {
  await page.getByLabel(/^Your legal name, exactly as in the document/).fill(name)
  await page.getByLabel(/^I am authorized/).check()
  await page.getByLabel(/^I agree to sign/).check()
  await page.getByRole('button', { name: 'Sign agreement' }).click()
}

async function paper(options: ConstructorParameters<typeof PDFDocument>[0] = {}): Promise<Buffer> {
  const document = new PDFDocument(options)
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const whole = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(parts))))
  document.text('Business associate agreement of the practice, with Samplewood.').end()
  return whole
}

/** As a request for a production key offers it. @returns its id */
async function addAgreement(
  owner: pg.Pool,
  organization: string,
  person: Person,
  signatory: Person,
): Promise<string> {
  const [id, now] = [randomUUID(), new Date()]
  // An agreement begins with a day of the office's zone; the UTC day is up to five hours ahead of it.
  const calendar = createOfficeCalendar('America/New_York')
  const day = (days: number) => calendar.dateOf(new Date(now.getTime() + days * 86_400_000))
  const cover = {
    level: 'read_only',
    dataClasses: ['demographics', 'visits'],
    purposes: ['treatment'],
  }
  const signatories = [
    {
      side: 'developer' as const,
      title: 'Chief executive',
      accountId: person.accountId,
      legalName: person.name,
    },
    {
      side: 'practice' as const,
      title: 'Managing partner',
      accountId: signatory.accountId,
      legalName: signatory.name,
    },
  ]
  const made = await renderAgreement(createAgreementTexts(), {
    agreementId: id,
    number: 1,
    kind: 'baa',
    ...cover,
    signatories,
    fields: baaFields.parse({
      developerLegalName: 'Samplewood Health Apps, LLC',
      developerAddress: '12 Placeholder Street, Sampleton, VT 05401',
      developerContactName: person.name,
      developerContactEmail: 'privacy@samplewood.example',
      practiceLegalName: 'Old Quay Family Practice, P.C.',
      practiceAddress: '3 Harbor Lane, Sampleton, VT 05401',
      practiceContactName: 'Avery Sample',
      practiceContactEmail: 'privacy@oldquay.example',
      services: 'Reminds patients of visits that are due, from the practice’s own schedule.',
      effectiveOn: day(0),
      expiresOn: day(365),
    }),
    at: now,
  })
  await owner.query(
    `INSERT INTO portal.agreement (id, kind, organization_id, practice_id, state, level, data_classes, purposes,
       created_at, active_at)
     SELECT $1, 'baa', o.id, p.id, 'offered', $4::portal.key_level, $5, $6, $7, $7
       FROM portal.organization o, portal.practice p WHERE o.slug = $2 AND p.slug = $3`,
    [id, organization.split('/').at(-1), shownPractice, cover.level, cover.dataClasses, cover.purposes, now],
  )
  for (const { side, accountId, legalName, title } of signatories)
    await owner.query(
      `INSERT INTO portal.agreement_signatory (agreement_id, side, account_id, legal_name, title)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, side, accountId, legalName, title],
    )
  await owner.query(
    `INSERT INTO portal.agreement_version (agreement_id, number, source, template_name, template_version,
       template_sha256, fields, markdown, file_name, bytes, sha256, created_at)
     VALUES ($1, 1, 'template', $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      made.templateName,
      made.templateVersion,
      made.templateSha256,
      made.fields,
      made.markdown,
      made.fileName,
      Buffer.from(made.bytes),
      made.sha256,
      now,
    ],
  )
  await owner.query(
    `INSERT INTO portal.agreement_event (agreement_id, at, event, "to", actor_kind)
     VALUES ($1, $2, 'offer', 'offered', 'system')`,
    [id, now],
  )
  return id
}
