/** Files that forms take: chosen or dropped, judged at once, sent with progress, and kept when the sending ends early. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { paths } from '../../server/contract/portal/paths.ts'
import { dropFiles, openNetwork, writeTestFile } from '../support/file-drop.ts'
import { expect, test } from '../support/journey.ts'
import { createApp, headingOf, settleIn } from '../support/journey-steps.ts'

/** A valid logo of almost the largest size: noise does not compress. */
async function largeLogo(): Promise<Buffer> {
  const raw = { width: 400, height: 400, channels: 3 } as const
  return sharp(randomBytes(400 * 400 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

const area = (page: Page) => page.locator('.file-drop')
const chosen = (page: Page) => page.getByRole('status').filter({ hasText: / kB$/ })

test('a file is dropped, judged at once in the words of the server, and sent', async ({
  page,
  developer,
}, info) => {
  const folder = info.outputPath('files')
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a5c59' } })
    .png()
    .toBuffer()
  const file = writeTestFile(folder, 'logo.png', picture)
  const other = writeTestFile(folder, 'other.png', picture)
  const empty = writeTestFile(folder, 'empty.png', '')
  const wrong = writeTestFile(folder, 'wrong.png', 'PK\u0003\u0004')
  const large = writeTestFile(folder, 'large.png', Buffer.alloc(524_289, picture))
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Dropped Labs')
  await page.goto(paths.newRegistration(home.split('/').at(-1) ?? ''))
  await createApp(page, { name: 'Dropped Goals', redirectUri: 'https://app.tidepath.example/callback' })
  await page.getByRole('link', { name: 'Edit form' }).click()
  const field = page.getByLabel('Logo')

  for (const [files, fault] of [
    [[empty], 'The file is empty. Choose another file.'],
    [[wrong], 'Upload a PNG, JPEG or WebP image.'],
    [[large], 'The file is larger than 512 kB.'],
    [[file, other], 'Drop one file only.'],
    [[folder], 'Drop a file, not a folder.'],
  ] as const) {
    await dropFiles(page, area(page), files)
    await expect(page.getByRole('alert')).toHaveText(fault)
    await expect(chosen(page)).toHaveCount(0)
  }
  await expect(field).toHaveAccessibleDescription(/Drop a file, not a folder\./)

  // Next to the field a drop does nothing: the page and its input stay.
  await dropFiles(page, page.getByRole('heading', { level: 1 }), [file])
  await expect(page.getByLabel('App name')).toHaveValue('Dropped Goals')

  await dropFiles(page, area(page), [file])
  await expect(chosen(page)).toHaveText('logo.png, 1 kB')
  await expect(page.getByRole('alert')).toHaveCount(0)
  // A drop that is refused leaves the choice.
  await dropFiles(page, area(page), [file, other])
  await expect(page.getByRole('alert')).toHaveText('Drop one file only.')
  await expect(chosen(page)).toHaveText('logo.png, 1 kB')
  await page.getByRole('button', { name: 'Remove file' }).click()
  await expect(field).toBeFocused()
  await expect(chosen(page)).toHaveCount(0)
  await field.setInputFiles(file)
  await page.getByRole('button', { name: 'Continue to policies and contacts' }).click()
  await expect(headingOf(page, 'Dropped Goals: Policies and contacts')).toBeVisible()
})

test('a logo is sent with progress, can be canceled, and stays chosen when the connection is lost @long', async ({
  page,
  developer,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/)
  const home = await settleIn(page, await developer('Mara Placeholder'), 'Slow Labs')
  await page.goto(paths.newRegistration(home.split('/').at(-1) ?? ''))
  await createApp(page, { name: 'Slow Goals', redirectUri: 'https://app.tidepath.example/callback' })
  await page.getByRole('link', { name: 'Edit form' }).click()
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await largeLogo() }
  await page.getByLabel('Logo').setInputFiles(logo)
  await expect(page.getByText(/^logo.png, 48\d kB$/)).toBeVisible()
  const next = page.getByRole('button', { name: 'Continue to policies and contacts' })
  const network = await openNetwork(page)
  await network.slow(60_000)

  await next.click()
  await expect(page.getByRole('progressbar', { name: 'Sending logo.png' })).toBeVisible()
  await expect(page.getByText(/^\d+ of 48\d kB$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel sending' }).click()
  await expect(page.getByText('Sending was canceled.')).toBeVisible()
  await expect(page.getByText(/^logo.png, 48\d kB$/)).toBeVisible()

  await page.getByLabel('Description').fill('Typed while nothing could be sent.')
  await network.lose()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(
    page.getByText('The connection was lost. Your input and the file are still here.'),
  ).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Typed while nothing could be sent.')

  await network.restore()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(headingOf(page, 'Slow Goals: Policies and contacts')).toBeVisible()
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'The app' }).click()
  await expect(page.getByAltText('Current logo')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Typed while nothing could be sent.')
})
