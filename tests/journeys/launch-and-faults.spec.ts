/** A developer launches an app, makes the sandbox misbehave, and looks at what came of it. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/journey.ts'
import { addApp } from '../support/journey-app.ts'
import { done, headingOf, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a developer launches an app and switches faults on for it', async ({ page, stack, app, developer }) => {
  const home = await settleIn(page, await developer(), 'Larkfield Labs')
  const { rows } = await stack.owner.query<{ id: string }>(
    'SELECT id FROM portal.organization WHERE slug = $1',
    [home.split('/').at(-1)],
  )
  for (const audience of ['clinician', 'backend'] as const)
    await addApp(stack.owner, {
      clientId: `larkfield-${randomUUID().slice(0, 8)}`,
      name: `Larkfield ${audience}`,
      audience,
      scope: audience === 'backend' ? 'system/*.rs' : 'launch user/*.rs',
      redirectUri: app.redirectUri,
      organizationId: rows[0]?.id ?? '',
      ...(audience === 'backend' && { authentication: 'private_key_jwt' }),
    })

  await page.goto(`${home}/sandbox/launch`)
  await expect(headingOf(page, 'Launch simulator')).toBeVisible()
  await page.getByLabel('App', { exact: true }).selectOption({ label: 'Larkfield clinician (clinician)' })
  await page.getByLabel('Simulated fault').selectOption({ label: 'Wrong state' })
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByRole('link', { name: 'View log' }).click()
  await expect(page.getByText('Simulated fault: Wrong state')).toBeVisible()
  await sweep(page, 'log of a launch')
  await page.getByRole('link', { name: 'Another launch' }).click()
  await sweep(page, 'launch simulator')

  // Faults for the app that there is now; a script that is none is refused in place.
  await page.getByRole('link', { name: 'Faults', exact: true }).click()
  await page.getByRole('textbox', { name: 'Faults' }).fill('418')
  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(page.getByText('Unknown fault.').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Faults' }).fill('429*2, ok, 503')
  await page.getByRole('button', { name: 'Enable faults' }).click()
  await expect(done(page, 'Enabled within a second.')).toBeVisible()
  await sweep(page, 'fault lab')
  await page.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
})
