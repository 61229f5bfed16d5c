/** The worker's backups on a real S3 server: one a day, proven, older ones removed, and what operators see of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyPair } from '../../server/store/backup/age-files.ts'
import { createS3Client, type S3Client } from '../../server/store/s3-client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type TestServices, testServices } from '../support/services.ts'
import { startS3, type TestS3 } from '../support/swift.ts'

const hour = 3_600_000
let s3: TestS3
let client: S3Client
let scratch: TestDatabase
let services: TestServices
let folder: string
const logLines: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-nightly-'))
  s3 = await startS3()
  client = createS3Client({ ...s3.settings, prefix: 'nightly/' })
  scratch = await testDatabase('empty')
  const { identity, recipient } = await createKeyPair()
  writeFileSync(join(folder, 'key.txt'), identity)
  services = await testServices({
    logLines,
    environment: {
      BACKUP_URL: 's3://sandpiper-exports/nightly',
      BACKUP_RECIPIENT: recipient,
      BACKUP_IDENTITY_FILE: join(folder, 'key.txt'),
      BACKUP_PROOF_URL: scratch.ownerUrl,
      BACKUP_S3_ENDPOINT: s3.settings.endpoint,
      BACKUP_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      BACKUP_KEEP_DAYS: '2',
      S3_ENCRYPTION: 'none',
    },
  })
  // The database has a clock of its own. Three in the morning of tomorrow: after BACKUP_AT.
  const tomorrow = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
  services.advance(Date.parse(`${tomorrow}T03:00:00Z`) - services.clock().getTime())
}, 120_000)

afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function complete(): Promise<string[]> {
  const keys = await client.list('')
  return keys.filter((key) => key.endsWith('/manifest.json.age')).map((key) => key.split('/')[0] ?? '')
}

test('a backup is made when one is due, proven, reported, and old ones are removed', async () => {
  expect((await services.readMetrics()).backups).toBeNull()

  await services.backups.tick()

  expect(logLines.filter((line) => line.includes('"level":50'))).toEqual([])
  const [first = ''] = await complete()
  expect((await services.readMetrics()).backups).toEqual({
    ageSeconds: 0,
    proofAgeSeconds: 0,
    proofFailed: false,
  })
  services.advance(4 * hour)
  await services.backups.tick()
  expect(await complete()).toEqual([first])
  expect((await services.readMetrics()).backups).toMatchObject({
    ageSeconds: 4 * 3_600,
    proofAgeSeconds: 4 * 3_600,
  })

  for (const wanted of [2, 2, 2]) {
    services.advance(25 * hour)
    await services.backups.tick()
    expect((await complete()).length).toBe(wanted)
  }
  expect(await complete()).not.toContain(first)
  const states = await services.prisma.auditEvent.count({ where: { action: 'backup.state_changed' } })
  expect(states).toBe(5)
})

test('one that is not good is reported once, tried again after hours, and the last good one is kept', async () => {
  const good = (await complete()).at(-1) ?? ''
  services.advance(24 * hour)
  const { ageSeconds = 0 } = (await services.readMetrics()).backups ?? {}
  expect(ageSeconds).toBeGreaterThan(23 * 3_600)
  // As if the storage lost it: the proof of this backup is gone, and a file is cut off.
  const key = `${good}/clinical.resource.ndjson.gz.age`
  const bytes = Buffer.concat((await (await client.get(key))?.toArray()) ?? [])
  services.advance(-24 * hour)
  await client.put(key, bytes.subarray(0, 2_000))
  await client.remove(`${good}/proof`)

  await services.backups.tick()

  expect((await services.readMetrics()).backups).toMatchObject({ proofFailed: true })
  await client.put(key, bytes)
  services.advance(hour)
  await services.backups.tick()
  expect((await services.readMetrics()).backups).toMatchObject({ proofFailed: true })
  services.advance(6 * hour)
  await services.backups.tick()
  expect((await services.readMetrics()).backups).toMatchObject({ proofFailed: false, proofAgeSeconds: 0 })
})

test('while the storage is away there is no backup and no fault of the job; it is made once the storage is back', async () => {
  const keys = await client.list('')
  for (const key of keys) await client.remove(key)
  await s3.bucket('DELETE')
  services.advance(24 * hour)

  await expect(services.backups.tick()).rejects.toThrow('the object storage answered')
  await s3.bucket('PUT')
  await services.backups.tick()

  expect((await complete()).length).toBe(1)
  expect((await services.readMetrics()).backups).toMatchObject({ ageSeconds: 0, proofFailed: false })
})
