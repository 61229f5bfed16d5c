import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openBackupStorage, requireRecipients } from '../start/backup-storage.ts'
import { chooseTarget, readCommand } from './backup-command.ts'

const storage = {
  S3_REGION: 'us-east-1',
  S3_ENCRYPTION: 'AES256',
  BACKUP_S3_ENDPOINT: 'https://s3.example',
  BACKUP_S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  BACKUP_S3_SECRET_ACCESS_KEY: 'teal-heron',
} as const

const backup = (words: string, settings: { BACKUP_URL?: string; BACKUP_KEEP_DAYS?: number } = {}) => {
  const command = readCommand(['backup', ...words.split(' ').filter(Boolean)])
  if (command.step !== 'backup') throw new Error(command.step)
  return chooseTarget(command, settings)
}

test('a backup goes where --to says, else to BACKUP_URL, and what is older than --keep or BACKUP_KEEP_DAYS is removed', () => {
  const settings = { BACKUP_URL: 's3://clinic-backups/sandpiper', BACKUP_KEEP_DAYS: 30 }

  const one = { to: resolve('copies/one'), format: null, keepDays: null }
  expect(backup('--to copies/one', settings)).toEqual(one)
  const own = { to: 's3://clinic-backups/sandpiper', format: 'portable', keepDays: 30 }
  expect(backup('', settings)).toEqual(own)
  expect(backup('--to s3://other --keep 7', settings)).toEqual({ ...own, to: 's3://other', keepDays: 7 })
  expect(readCommand(['restore', '--from', 's3://other/2026-11-27T02-00-00Z'])).toMatchObject({
    from: 's3://other/2026-11-27T02-00-00Z',
  })
})

test.each([
  ['', '--to FOLDER or --to s3://bucket/prefix is needed'],
  ['--to s3://other --format custom', 'object storage gets the portable format'],
  ['--to s3://other --format tar', '--format is one of custom, portable'],
  ['--to s3://other --keep 0', '--keep is a number of days'],
  ['--to s3://other --keep soon', '--keep is a number of days'],
  ['--to folder --keep 7', '--keep is for backups in object storage'],
])('sandpiper backup %s is refused', (words, reason) => {
  expect(() => backup(words)).toThrow(reason)
})

test('a restore and a key need to be told where', () => {
  expect(() => readCommand(['restore'])).toThrow('--from s3://bucket/prefix/NAME is needed')
  expect(() => readCommand(['key'])).toThrow('--out FILE is needed')
})

test('an address leads to a prefix of a bucket, and to nothing else', () => {
  for (const [given, address] of [
    ['s3://clinic-backups', 's3://clinic-backups/'],
    ['s3://clinic-backups/', 's3://clinic-backups/'],
    ['s3://clinic-backups/a/b-1', 's3://clinic-backups/a/b-1/'],
    ['s3://clinic-backups/a/b-1/', 's3://clinic-backups/a/b-1/'],
  ])
    expect(openBackupStorage(given as string, storage).address).toBe(address)
  for (const wrong of [
    's3://',
    's3://UPPER/a',
    's3://clinic-backups/../other',
    's3://clinic-backups//a',
    's3://b/a?x=1',
  ])
    expect(() => openBackupStorage(wrong, storage), wrong).toThrow(
      'is not an address such as s3://bucket/prefix',
    )
})

test('what is missing is named, and no secret', () => {
  const { BACKUP_S3_ENDPOINT: _, ...some } = storage
  const { BACKUP_S3_SECRET_ACCESS_KEY: __, ...less } = some

  expect(() => openBackupStorage('s3://clinic-backups', some)).toThrow(/^BACKUP_S3_ENDPOINT is missing/)
  expect(() => openBackupStorage('s3://clinic-backups', less)).toThrow(
    /^BACKUP_S3_ENDPOINT, BACKUP_S3_SECRET_ACCESS_KEY are missing/,
  )
  // Those of exports serve, too.
  const shared = { S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  expect(
    openBackupStorage('s3://clinic-backups', { S3_REGION: 'x', S3_ENCRYPTION: 'none', ...shared }).address,
  ).toBe('s3://clinic-backups/')
  expect(() => requireRecipients({})).toThrow(
    /BACKUP_RECIPIENT is missing: .* is always encrypted\. .* sandpiper backup-key/,
  )
})
