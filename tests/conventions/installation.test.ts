/**
 * No test touches the installation of this checkout. npm test compares `.data` byte by byte before and after the whole
 * run (scripts/stages/installation.mjs); here is what that comparison finds, and the default folder that tests shun.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findChanges, readInstallation } from '../../scripts/stages/installation.mjs'
import { testServices } from '../support/services.ts'

const checkout = mkdtempSync(join(tmpdir(), 'sandpiper-checkout-'))
const data = join(checkout, '.data')
const home = process.cwd()

beforeAll(() => process.chdir(checkout))
beforeEach(() => {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(join(data, 'audit-heads'), { recursive: true })
  mkdirSync(join(data, 'exports'))
  const head = { number: '7', hash: 'ab'.repeat(32), at: '2026-11-20T00:00:00.000Z' }
  writeFileSync(join(data, 'audit-heads/2026-11-20.json'), JSON.stringify(head))
  writeFileSync(join(data, 'secrets.env'), 'ENCRYPTION_KEYS=k1:AAAA\n')
  writeFileSync(join(data, 'demo-sign-ins.json'), '{}')
})
afterAll(() => {
  process.chdir(home)
  rmSync(checkout, { recursive: true, force: true })
})

test('services of a test read and write nothing in the data folder of the checkout they run in', async () => {
  const before = readInstallation(data)

  const { sealer, portalAudit, prisma, exportSettings } = await testServices({ template: 'schema' })
  await prisma.$transaction((tx) =>
    portalAudit.append(tx, {
      ...portalAudit.system(),
      action: 'session.ended',
      subject: { kind: 'account', id: null },
    }),
  )
  await sealer.seal()
  await sealer.writeHead()

  expect(await sealer.verify()).toMatchObject({ intact: true, sealed: 1 })
  expect(JSON.stringify(exportSettings.storage)).not.toContain(checkout)
  expect(findChanges(before, readInstallation(data))).toEqual([])
})

test('a byte changed, a file added and a file removed are each named', () => {
  const before = readInstallation(data)

  writeFileSync(join(data, 'secrets.env'), 'ENCRYPTION_KEYS=k1:AAAB\n')
  writeFileSync(join(data, 'exports/new'), '')
  rmSync(join(data, 'demo-sign-ins.json'))

  expect(findChanges(before, readInstallation(data)).sort()).toEqual([
    'demo-sign-ins.json',
    'exports/new',
    'secrets.env',
  ])
})

test('what a running server writes by itself is not taken for the work of a test', () => {
  const before = { ...readInstallation(data), running: true }

  writeFileSync(join(data, 'audit-heads/2026-11-21.json'), '{}')
  writeFileSync(join(data, 'secrets.env'), '')

  expect(findChanges(before, readInstallation(data))).toEqual(['secrets.env'])
})

test('a folder that is not there yet may not appear', () => {
  rmSync(data, { recursive: true })
  const before = readInstallation(data)

  mkdirSync(data)
  writeFileSync(join(data, 'secrets.env'), '')

  expect(findChanges(before, readInstallation(data))).toEqual(['secrets.env'])
})
