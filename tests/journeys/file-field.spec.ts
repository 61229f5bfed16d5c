/** Files that forms take: judged as soon as they are chosen, and still there when the connection is lost. */
import sharp from 'sharp'
import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { createApp, headingOf, settleIn } from '../support/journey-steps.ts'

test('a file is judged at once in the words of the server, outlives a lost connection, and is sent', async ({
  page,
  developer,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a5c59' } })
    .png()
    .toBuffer()
  const png = (buffer: Buffer) => ({ name: 'logo.png', mimeType: 'image/png', buffer })
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Chosen Labs')
  await page.goto(paths.newRegistration(home.split('/').at(-1) ?? ''))
  await createApp(page, { name: 'Chosen Goals', redirectUri: 'https://app.tidepath.example/callback' })
  await page.getByRole('link', { name: 'Edit form' }).click()
  const field = page.getByLabel('Logo')
  const chosen = page.getByRole('status').filter({ hasText: / kB$/ })

  for (const [content, fault] of [
    [Buffer.alloc(0), 'The file is empty. Choose another file.'],
    [Buffer.from('PK\u0003\u0004'), 'Upload a PNG, JPEG or WebP image.'],
    [Buffer.alloc(524_289, picture), 'The file is larger than 512 kB.'],
  ] as const) {
    await field.setInputFiles(png(content))
    await expect(page.getByRole('alert')).toHaveText(fault)
    await expect(chosen).toHaveCount(0)
  }
  await field.setInputFiles(png(picture))
  await expect(chosen).toHaveText('logo.png, 1 kB')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove file' }).click()
  await expect(field).toBeFocused()
  await expect(chosen).toHaveCount(0)

  await field.setInputFiles(png(picture))
  await page.context().setOffline(true)
  const next = page.getByRole('button', { name: 'Continue to policies and contacts' })
  await next.click()
  await expect(
    page.getByText('The connection was lost. Your input and the file are still here.'),
  ).toBeVisible()
  await page.context().setOffline(false)
  await next.click()
  await expect(headingOf(page, 'Chosen Goals: Policies and contacts')).toBeVisible()
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'The app' }).click()
  await expect(page.getByAltText('Current logo')).toBeVisible()
})
