/** The sample apps of `examples/`, each started by the command that a fresh organization's page shows. */
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { expect, test } from '../support/journey.ts'
import { claimLink, headingOf, projectDescription, revealKey, settleIn } from '../support/journey-steps.ts'
import { commandOf, openSamples, registerSamples, signInAtSandbox, signInOf } from '../support/sample-page.ts'
import { type SampleProcess, startSample } from '../support/sample-process.ts'
import { sweep } from '../support/sweep.ts'

const running: SampleProcess[] = []
test.afterEach(() => Promise.all(running.splice(0).map((sample) => sample.stop())))

const newFolder = () => mkdtemp(join(tmpdir(), 'sandpiper-sample-'))

function start(command: string, options: Record<string, string | number>): SampleProcess {
  const sample = startSample(command, options)
  running.push(sample)
  return sample
}

/** The public key set that an app prints at its first start. */
const keySet = /^\{"keys":.*\}$/m

test('the patient sample signs a standing patient in at a fresh sandbox, refreshes and revokes', async ({
  page,
  watch,
  openBrowser,
  developer,
}) => {
  const organization = await settleIn(page, await developer(), 'Thrushcombe Patient Apps')
  await openSamples(page, organization)
  await registerSamples(page)
  await expect(page.getByText('Registered', { exact: true })).toHaveCount(1)
  await sweep(page, 'sample apps')
  const command = await commandOf(page, 'Patient app')
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  watch.allow(new RegExp(`asked another origin: ${address}$`))
  await start(command, { port }).printed(/Open http.*/)
  await page.goto(`${organization}/sandbox/sign-ins`)
  const wren = await signInOf(page, /^Wren Testwell/)

  const phone = await openBrowser()
  await phone.goto(address)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await signInAtSandbox(phone, wren)
  await expect(headingOf(phone, /Sample: Patient app/)).toBeVisible()
  await phone.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(phone.getByText(/^access_denied: /)).toBeVisible()
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.getByLabel('Until I stop it').check()
  await phone.getByRole('button', { name: /^Allow/ }).click()
  await expect(phone.getByText('You are signed in.')).toBeVisible()
  await expect(phone.getByRole('heading', { name: /Wren.*Testwell/ })).toBeVisible()
  await expect(phone.getByRole('listitem').first()).toBeVisible()

  const readSession = () =>
    phone.evaluate(() => JSON.parse(sessionStorage.getItem('session') ?? '{}') as Record<string, string>)
  const before = await readSession()
  await phone.getByRole('button', { name: 'Refresh token' }).click()
  await expect(phone.getByText('The token is new.')).toBeVisible()
  const after = await readSession()
  expect(after.accessToken).not.toBe(before.accessToken)
  await phone.getByRole('button', { name: 'Sign out' }).click()
  await expect(phone.getByText('Signed out. The server has revoked the tokens.')).toBeVisible()
  const [, base = ''] = /--base (\S+)/.exec(command) ?? []
  const [, client = ''] = /--client-id (\S+)/.exec(command) ?? []
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: after.refreshToken ?? '',
    client_id: client,
  })
  const refused = await fetch(`${base}/token`, { method: 'POST', body })
  expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_grant'])

  await page.goto(`${organization}/apps/${client}`)
  await page.getByRole('link', { name: 'Errors', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Calls' })).toContainText('token')
})

test('the clinician sample opens from a chart in the launch simulator, refreshes and revokes @long', async ({
  page,
  watch,
  openBrowser,
  developer,
}) => {
  const organization = await settleIn(page, await developer(), 'Thrushcombe Clinician Apps')
  await openSamples(page, organization)
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  watch.allow(new RegExp(`asked another origin: ${address}$`))
  const sample = start(await commandOf(page, 'Clinician app'), { port, folder: await newFolder() })
  await sample.printed(/Ready\./)
  await registerSamples(page, await sample.printed(keySet))

  await page.goto(`${organization}/sandbox/launch`)
  await page.getByLabel('App', { exact: true }).selectOption({ label: 'Sample: Clinician app (clinician)' })
  await page.getByLabel('Patient', { exact: true }).selectOption({ value: 'pt-wren-testwell' })
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  const opened = await page.getByRole('region', { name: 'The app’s launch parameters' }).textContent()
  const query = new URLSearchParams((opened ?? '').trim().split('\n').join('&'))
  await expect(page.getByRole('link', { name: 'Open app' })).toHaveAttribute(
    'href',
    /^http:\/\/127\.0\.0\.1:8002\/launch\?/,
  )

  const otherIssuer = new URLSearchParams({ iss: 'https://ehr.example/r4', launch: 'x' })
  const refused = await fetch(`${address}/launch?${otherIssuer}`, { redirect: 'manual' })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('no other server')])
  const workstation = await openBrowser()
  await workstation.goto(`${address}/launch?${query}`)
  await expect(headingOf(workstation, /Wren.*Testwell/)).toBeVisible()
  await expect(workstation.getByText(/^Signed in: /)).toBeVisible()
  await expect(workstation.getByRole('listitem').first()).toBeVisible()
  await workstation.getByRole('button', { name: 'Refresh token' }).click()
  await expect(headingOf(workstation, /Wren.*Testwell/)).toBeVisible()
  await workstation.getByRole('button', { name: 'Sign out' }).click()
  await expect(workstation.getByText('The server has revoked the tokens.')).toBeVisible()
  await workstation.goto(address)
  await expect(workstation.getByText('Open this app from a chart.')).toBeVisible()
})

test('the backend sample exports a fresh sandbox, and then only what changed', async ({
  page,
  stack,
  mails,
  developer,
}) => {
  const person = await developer()
  const organization = await settleIn(page, person, 'Thrushcombe Reporting')
  await page.goto(`${organization}/keys/new`)
  await page.getByLabel('Key name').fill('Thrushcombe intake')
  await page.getByLabel('What are you building?').fill(projectDescription)
  await page.getByLabel(/^Full/).check()
  await page.getByLabel(/^I accept the sandbox terms/).check()
  await page.getByRole('button', { name: 'Request key' }).click()
  await page.goto(await claimLink(mails, person.email, 'Thrushcombe intake'))
  const key = await revealKey(page)

  await openSamples(page, organization)
  const command = await commandOf(page, 'Backend system')
  const folder = await newFolder()
  const run = async (code = 0) => {
    const sample = start(command, { folder, types: 'Patient' })
    expect(await sample.ended, sample.output()).toBe(code)
    return sample.output()
  }
  const keys = keySet.exec(await run())?.[0]
  expect(await run(1)).toContain('invalid_client')
  await registerSamples(page, keys)
  await expect(page.getByText('Registered and allowed')).toBeVisible()
  expect(await run()).toMatch(/Exporting everything\.[\s\S]*Patient: \d\d+\n/)

  const written = await fetch(`${stack.origin}/sandbox/api/v1/patients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      mrn: 'SYN-THRUSHCOMBE',
      name: { family: 'Zzyzxwell', given: ['Robin'] },
      birthDate: '1984-09-21',
      sex: 'female',
    }),
  })
  expect(written.status).toBe(201)
  const { id } = (await written.json()) as { id: string }
  const second = await run()
  expect(second).toMatch(/Exporting what changed since [\s\S]*Patient: 1\n/)
  const [, target = ''] = /, in (.*)/.exec(second) ?? []
  const lines = (await readFile(join(target, 'Patient.ndjson'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([id])
  expect(await readdir(folder)).toContain('last-export.json')
  expect(await run()).toContain('Nothing changed.')
})
