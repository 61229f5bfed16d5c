import { paths } from '../../server/contract/portal/paths.ts'
import { expect, test } from '../support/journey.ts'
import { claimLink, headingOf, projectDescription, revealKey, settleIn } from '../support/journey-steps.ts'
import { sweep } from '../support/sweep.ts'

test('a developer looks at people, saves the sandbox, writes to it, and restores it', async ({
  page,
  stack,
  mails,
  developer,
}) => {
  const person = await developer()
  const organization = await settleIn(page, person, 'Samplewood Health Apps')
  const sandbox = `${organization}/sandbox`
  await page.goto(organization)

  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByRole('button', { name: 'Open the sandbox' }).click()
  await expect(page.getByText('Original sample data, unchanged.')).toBeVisible()

  await test.step('a full key gives it data of its own', async () => {
    await page.goto(`${organization}/keys/new`)
    await page.getByLabel('Key name').fill('Nightly import')
    await page.getByLabel('What are you building?').fill(projectDescription)
    await page.getByLabel(/^Full/).check()
    await page.getByLabel(/^I accept the sandbox terms/).check()
    await page.getByRole('button', { name: 'Request key' }).click()
    await page.goto(await claimLink(mails, person.email, 'Nightly import'))
  })
  const key = await revealKey(page)
  const ask = (path: string, body?: object) =>
    fetch(`${stack.origin}/sandbox/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

  await test.step('people are found, and a chart shows what they are for', async () => {
    await page.goto(`${sandbox}/people`)
    await expect(page.getByRole('table', { name: 'People of the sandbox' })).toBeVisible()
    await sweep(page, 'sandbox people')
    await page.getByRole('searchbox', { name: 'Name' }).fill('juno')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'Juno Testwell' }).click()
    await expect(headingOf(page, 'Juno Testwell')).toBeVisible()
    await page.goto(paths.sandboxPerson(organization.split('/').at(-1) ?? '', 'pt-wren-testwell'))
    await expect(headingOf(page, 'Wren Testwell')).toBeVisible()
    await sweep(page, 'chart')
    await page.getByRole('link', { name: 'Open in the explorer' }).click()
    await expect(page.getByRole('heading', { name: 'Read one Patient' })).toBeVisible()
    await expect(page.getByLabel('Practice', { exact: true })).toContainText('Samplewood Health Apps sandbox')
  })

  await test.step('it is saved, written to, and restored', async () => {
    await page.goto(sandbox)
    await page.getByRole('link', { name: 'Save a snapshot' }).click()
    await page.getByRole('button', { name: 'Save a snapshot' }).click()
    const changes = page.getByRole('table', { name: 'Resets, snapshots and restores' })
    await expect(changes.getByRole('row', { name: /Snapshot saved.*Done/ })).toBeVisible()

    const body = { mrn: 'SYN-JOURNEY', name: { family: 'Zzyzxwell', given: ['Robin'] } }
    const written = await ask('/patients', { ...body, birthDate: '1984-09-21', sex: 'female' })
    expect(written.status).toBe(201)
    const { id } = (await written.json()) as { id: string }
    await page.goto(`${sandbox}/people/${id}`)
    await expect(headingOf(page, 'Robin Zzyzxwell')).toBeVisible()

    await page.goto(sandbox)
    await page.getByRole('link', { name: 'Restore the snapshot' }).click()
    await sweep(page, 'sandbox restore')
    await page.getByRole('button', { name: 'Restore the snapshot' }).click()
    await expect(changes.getByRole('row', { name: /Snapshot restored.*Done/ })).toBeVisible({
      timeout: 20_000,
    })
    await sweep(page, 'sandbox')
    expect((await ask(`/patients/${id}`)).status).toBe(404)
    expect((await ask('/patients?mrn=SYN-JOURNEY').then((answer) => answer.json())).data).toEqual([])
  })
})
