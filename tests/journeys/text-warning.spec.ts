/** A text that looks like a secret: the page warns beside the field, and the author changes it or says why it stays. */
import { expect, test } from '../support/journey.ts'
import { done, settleIn } from '../support/journey-steps.ts'

const planted =
  'We test our parser with the sample of our manual: the client secret is Kx7pQ9vTz2Lm4, which opens nothing.'

test('a text with a labelled secret is kept with a reason, which the audit log holds', async ({
  page,
  developer,
  stack,
}) => {
  const person = await developer()
  const home = await settleIn(page, person, 'Samplewood Health Apps')
  const description = page.getByLabel('What are you building?')
  const warning = page.getByRole('group', { name: 'Warning about this text' })
  const send = () => page.getByRole('button', { name: 'Request key' }).click()

  await test.step('the warning stands beside the field, and the input is kept', async () => {
    await page.goto(`${home}/keys/new`)
    await page.getByLabel('Key name').fill('Parser test')
    await description.fill(planted)
    await page.getByLabel(/^I accept the sandbox terms/).check()
    await send()

    await expect(warning).toContainText('This looks like a secret')
    await expect(warning).not.toContainText('Kx7pQ9vTz2Lm4')
    await expect(description).toHaveValue(planted)
    await expect(page.getByLabel('Key name')).toHaveValue('Parser test')
  })

  await test.step('without a usable reason it stays a warning', async () => {
    await warning.getByLabel(/^Keep the text/).check()
    await warning.getByLabel('Reason').fill('It’s ok.')
    await send()
    await expect(warning).toContainText('Enter a reason of at least 10 characters.')
    await expect(warning.getByLabel('Reason')).toHaveValue('It’s ok.')
    await expect(description).toHaveValue(planted)
  })

  await test.step('with a reason it is stored, and the audit log says why', async () => {
    await warning.getByLabel('Reason').fill('A sample value of our public manual.')
    await send()
    await expect(done(page, 'Request sent. We’ll email you the claim link.')).toBeVisible()

    const { rows } = await stack.owner.query(
      `SELECT e.detail, r.project_description AS text FROM portal.audit_event e
        JOIN portal.sandbox_key_request r ON r.id = e.subject_id::uuid
        WHERE e.action = 'sandbox_key.requested' AND r.name = 'Parser test'`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).toBe(planted)
    expect(rows[0]?.detail).toMatchObject({
      textOverride: {
        reason: 'A sample value of our public manual.',
        seen: { projectDescription: 'secret_value' },
      },
    })
    expect(JSON.stringify(rows[0]?.detail)).not.toContain('Kx7pQ9vTz2Lm4')
  })
})
