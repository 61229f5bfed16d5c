import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { newAddress } from '../support/journey-people.ts'
import { done, fillSignIn, headingOf, linkIn, settleIn, signIn } from '../support/journey-steps.ts'

test('signing in says nothing about who exists and leads back; signing out ends it in every tab and form', async ({
  page,
  context,
  openBrowser,
  stack,
  developer,
  watch,
}) => {
  watch.allow(/status of 40[14]/)
  const person = await developer()
  const answerTo = async (email: string) => {
    await page.goto(paths.sessions)
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    await fillSignIn(page, { email, password: 'a guess that is wrong' })
    await expect(page.getByRole('alert')).toBeVisible()
    return page.getByRole('alert').textContent()
  }
  expect(await answerTo(person.email)).toBe('The email address or password is not correct.')
  expect(await answerTo(newAddress('Nobody'))).toBe('The email address or password is not correct.')
  await fillSignIn(page, person)
  await expect(headingOf(page, 'Sessions')).toBeVisible()

  // Another browser's session is ended at once, and this one stays.
  const other = await openBrowser()
  await settleIn(other, person, 'Two Tabs Samplewood')
  await page.reload()
  const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
  await expect(sessions).toHaveCount(3)
  await expect(page.getByText('This browser')).toHaveCount(1)
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await expect(done(page, 'Session ended.')).toBeVisible()
  await expect(sessions).toHaveCount(2)
  await other.goto(paths.account)
  await expect(headingOf(other, 'Sign in')).toBeVisible()

  // It opens neither the staff's nor a practice's pages.
  await page.goto('/staff')
  await expect(headingOf(page, 'Staff sign-in')).toBeVisible()
  await page.goto('/practice')
  await expect(headingOf(page, 'Practice sign-in')).toBeVisible()

  // An organization one is not in is not there, like one that never was.
  const closed = await settleIn(other, await developer('Sam Placeholder'), 'Closed Samplewood')
  const shownAt = async (path: string) => {
    await page.goto(path)
    await expect(headingOf(page, 'Page not found')).toBeVisible()
    return (await page.getByRole('main').textContent())?.replace(path, '')
  }
  expect(await shownAt(`${closed}/keys`)).toBe(await shownAt('/organizations/never-was/keys'))

  const second = await context.newPage()
  await second.goto(paths.newOrganization)
  await second.getByLabel('Name', { exact: true }).fill('Never Placeholder')
  await page.goto(paths.account)
  await page.getByLabel(/^Signed in as/).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(done(page, 'You are signed out.')).toBeVisible()
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('sandpiper-developer')
  await second.getByRole('button', { name: 'Create organization', exact: true }).click()
  await expect(headingOf(second, 'Sign in')).toBeVisible()
  const { rows } = await stack.owner.query('SELECT name FROM portal.organization WHERE created_by_id = $1', [
    person.accountId,
  ])
  expect(rows).toEqual([{ name: 'Two Tabs Samplewood' }])
})

test('a forgotten password is replaced by the mail’s link, once, and ends every session', async ({
  page,
  openBrowser,
  mails,
  developer,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  const person = await developer()
  const elsewhere = await openBrowser()
  await signIn(elsewhere, person)
  const newPassword = 'nine loud gulls circling'

  await page.goto(paths.signIn)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(headingOf(page, 'Forgot your password?')).toBeVisible()
  await page.getByLabel('Work email').fill(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(headingOf(page, 'Check your email')).toBeVisible()
  const { links } = await mails.waitFor({ to: person.email, subject: 'Choose a new password' })
  const link = linkIn(links, '/reset-password')
  await page.goto(link)
  await expect(headingOf(page, 'Choose a new password')).toBeVisible()
  // Left open until its cookie ends: the form asks for the link, and another opening is as good as the first.
  await page.context().clearCookies({ name: 'sandpiper-link' })
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(headingOf(page, 'Open the link from your email')).toBeVisible()
  await page.goto(link.replace('#', '?'))
  await expect(page).toHaveURL(/\?link=\w+$/)
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toContainText('Use at least 12 characters.')
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(done(page, 'Password changed. Sign in with the new one.')).toBeVisible()

  await elsewhere.goto(paths.account)
  await expect(headingOf(elsewhere, 'Sign in')).toBeVisible()
  await fillSignIn(page, person)
  await expect(page.getByRole('alert')).toContainText('The email address or password is not correct.')
  await fillSignIn(page, { ...person, password: newPassword })
  await expect(headingOf(page, 'Create your first key')).toBeVisible()
  await mails.waitFor({ to: person.email, subject: 'Your password was changed' })
  await page.goto(link)
  await expect(headingOf(page, 'This link has already been used')).toBeVisible()
})

test('an account gets another address by a mailed link and the password, and the old one is told', async ({
  page,
  mails,
  developer,
  watch,
}) => {
  watch.allow(/status of 40[01]/)
  const person = await developer()
  const email = newAddress('Robin New')
  await settleIn(page, person, 'New Address Samplewood')
  await page.goto(paths.account)
  await page.getByRole('link', { name: 'Change address' }).click()
  await page.getByLabel('New work email').fill(email)
  await page.getByLabel('Current password').fill('a guess that is wrong')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert')).toContainText('This password is not correct.')
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(done(page, 'We emailed a link to the new address.')).toBeVisible()
  await expect(page.getByText(`Open the link we emailed to ${email}.`)).toBeVisible()
  await expect(page.getByLabel('Current password')).toHaveValue('')
  await mails.waitFor({ to: person.email, subject: 'Email address change requested' })

  const { links } = await mails.waitFor({ to: email, subject: 'Confirm your new email address' })
  const link = linkIn(links, '/account/email/confirm')
  await page.goto(link)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(done(page, 'Email address changed. Use the new one to sign in.')).toBeVisible()
  await expect(headingOf(page, 'Sign in')).toBeVisible()
  await mails.waitFor({ to: person.email, subject: 'Your email address was changed' })
  await page.goto(link)
  await expect(headingOf(page, 'This link has already been used')).toBeVisible()

  await page.goto(paths.signIn)
  await fillSignIn(page, person)
  await expect(page.getByRole('alert')).toContainText('The email address or password is not correct.')
  await fillSignIn(page, { ...person, email })
  await expect(headingOf(page, /^Good to see you/)).toBeVisible()
})

test('a page that refuses too many tries says when to come back, in words and in its header', async ({
  page,
  stack,
}) => {
  const form = { email: newAddress('Nobody') }
  const headers = { origin: stack.origin }
  const ask = (path: string) => page.request.post(path, { form, headers, maxRedirects: 0 })
  for (let times = 0; times < 3; times++) expect((await ask(paths.forgotPassword)).status()).toBe(302)

  for (const path of [paths.forgotPassword, `${paths.forgotPassword}.data`]) {
    const refused = await ask(path)
    expect(refused.status()).toBe(429)
    expect(await refused.text()).toContain('Too many attempts from your network.')
    expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(0)
  }
})
