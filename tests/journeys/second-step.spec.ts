/** Staff at their front door: a password, then a code. */
import { paths } from '../../server/contract/paths.ts'
import { expect, test } from '../support/journey.ts'
import { fillSignIn, headingOf, setUpSecondStep, totpCode } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('staff set up an app once, then give its code or a recovery code, and nothing opens before that', async ({
  openBrowser,
  ops,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  const person = await ops()
  const first = await openBrowser({ javaScriptEnabled: false })
  await first.goto(paths.staffSignIn)
  await fillSignIn(first, person)
  await first.goto('/staff')
  const { seed, recoveryCodes } = await setUpSecondStep(first)
  await expect(headingOf(first, 'Operations')).toBeVisible()
  expect(recoveryCodes).toHaveLength(10)

  const second = await openBrowser()
  await second.goto(paths.staffSignIn)
  await fillSignIn(second, person)
  await expect(headingOf(second, 'Second step')).toBeVisible()
  await sweep(second, 'the second step')
  for (const path of ['/staff', paths.staffSignIn]) {
    await second.goto(path)
    await expect(headingOf(second, 'Second step')).toBeVisible()
  }
  // The seed's first code was used by the set-up; the next one is good.
  await second.getByLabel('Code').fill('12 34 5')
  await second.getByRole('button', { name: 'Go on' }).click()
  await expect(second.getByRole('alert')).toContainText('Enter six digits, or a recovery code')
  await second.getByLabel('Code').fill('000000')
  await second.getByRole('button', { name: 'Go on' }).click()
  await expect(second.getByRole('alert')).toContainText('This is not the code of this moment.')
  await second.getByLabel('Code').fill(totpCode(seed, 1))
  await second.getByRole('button', { name: 'Go on' }).click()
  await expect(headingOf(second, 'Operations')).toBeVisible()

  const third = await openBrowser()
  await third.goto(paths.staffSignIn)
  await fillSignIn(third, person)
  await third.getByLabel('Code').fill(recoveryCodes[0]?.toUpperCase() ?? '')
  await third.getByRole('button', { name: 'Go on' }).click()
  await expect(headingOf(third, 'Operations')).toBeVisible()
})
