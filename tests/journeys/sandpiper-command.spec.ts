/** From an empty database to a running installation with `sandpiper` alone: a folder of what an image holds, no npm. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { makeRelease } from '../support/release.ts'
import { test as base, ended, type Run, ready, type Site } from '../support/site.ts'

type Installation = Site & {
  /** The folder of the release. */
  image: string
  sandpiper: (words: string, environment?: Record<string, string>) => Run
  /** Its exit code and what it said. */
  code: (words: string, environment?: Record<string, string>) => Promise<readonly [number | null, string]>
}

const test = base.extend<{ installation: Installation }>({
  installation: async ({ siteOn }, use) => {
    const site = await siteOn('empty')
    const image = mkdtempSync(join(tmpdir(), 'sandpiper-image-'))
    makeRelease(image, 'linked')
    const sandpiper: Installation['sandpiper'] = (words, environment = {}) =>
      site.run([process.execPath, 'bin/sandpiper.cjs', ...words.split(' ')], environment, image)
    const code: Installation['code'] = async (words, environment) => {
      const started = sandpiper(words, environment)
      return [await ended(started), started.output()]
    }
    await use({ ...site, image, sandpiper, code })
    rmSync(image, { recursive: true, force: true })
  },
})

test('what is missing or too much is named with what to do, before anything is changed', async ({
  installation: { owner, ownerUrl, code },
}) => {
  const unset = { DATABASE_URL: '', ENCRYPTION_KEYS: '', SMTP_URL: '', PUBLIC_ORIGIN: '' }
  const names = ['serve', 'work', 'seed', 'migrate', 'admin create-staff', 'audit-verify', 'rotate-keys']
  const alone = names.map(async (words) => {
    const [status, output] = await code(words, { ...unset, DATABASE_MIGRATION_URL: ownerUrl })
    expect([words, status]).toEqual([words, 2])
    expect(output).toContain('DATABASE_URL is missing. Set it to the PostgreSQL of this installation')
    expect(output).not.toMatch(/\n {4}at /)
  })
  await Promise.all(alone)
  // Without the owner a migration is refused, and a server does not start on an empty database.
  const refused = Promise.all([
    code('migrate'),
    code('serve'),
    code('serve', { DATABASE_URL: 'postgresql://app@127.0.0.1:1/none' }),
  ])
  expect(await refused).toEqual([
    [2, expect.stringContaining('DATABASE_MIGRATION_URL')],
    [2, expect.stringContaining('Run sandpiper migrate')],
    [1, expect.stringContaining('cannot be reached')],
  ])
  const forced = ['migrate', 'seed', 'move-documents', 'work', 'import'].map((name) =>
    code(`${name} --force`),
  )
  for (const answer of await Promise.all(forced))
    expect(answer).toEqual([2, expect.stringContaining('--force')])
  const tables = await owner.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'portal'`)
  expect(tables.rowCount).toBe(0)
})

test('migrate, seed, admin, serve and work run apart, by node alone, and change nothing in their folder', async ({
  installation: { ownerUrl, image, sandpiper, code },
}) => {
  const list = () => readdirSync(image, { recursive: true }).length
  const before = list()
  // A migration needs neither keys nor mail.
  const migration = {
    ENCRYPTION_KEYS: '',
    SMTP_URL: '',
    PUBLIC_ORIGIN: '',
    DATABASE_MIGRATION_URL: ownerUrl,
  }
  const [migrated, applied] = await code('migrate', migration)
  expect([migrated, applied]).toEqual([0, 'applied 0001_baseline\n'])
  expect(await code('migrate', { DATABASE_MIGRATION_URL: ownerUrl })).toEqual([0, 'no pending migrations\n'])
  expect((await code('migrate --status', { DATABASE_MIGRATION_URL: ownerUrl }))[0]).toBe(0)
  expect(await code('seed --patients 1')).toEqual([0, expect.stringContaining('practices')])
  const kim = 'admin create-staff --email kim@clinic.example --name Kim --role ops'
  expect(await code(kim)).toEqual([0, expect.stringContaining('created ops kim@clinic.example')])
  const practice = 'admin create-practice --slug fennmoor --name Fennmoor'
  expect((await code(practice))[0]).toBe(0)
  expect(await code(practice)).toEqual([3, expect.stringContaining('Another practice has this ID')])

  const [port, health] = [await findFreePort(), await findFreePort()]
  const serving = sandpiper('serve', { PORT: String(port), DRAIN_SECONDS: '0' })
  const working = sandpiper('work', { HEALTH_PORT: String(health) })
  expect(await ready(port, serving)).toMatchObject({ ready: true })
  expect(await ready(health, working)).toMatchObject({ ready: true })
  expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/r4/fennmoor/metadata`)).status).toBe(200)
  expect(await code('audit-verify')).toEqual([0, expect.any(String)])
  expect([await serving.stop(), await working.stop()]).toEqual([0, 0])

  expect(list()).toBe(before)
})
