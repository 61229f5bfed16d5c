import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseEnv } from '../env.ts'
import { proveFolders } from './folders.ts'
import { describeStartFault, isSettingsFault } from './start-fault.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-folders-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const prove = (environment: Record<string, string>) =>
  proveFolders(
    parseEnv({
      DATABASE_URL: 'postgresql://db.example/sandpiper',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}`,
      PUBLIC_ORIGIN: 'http://localhost:9',
      SMTP_URL: 'smtp://localhost:9',
      ROLE: 'worker',
      DATA_DIR: folder,
      ...environment,
    }),
  )

/** What a person reads; each ends with exit code 2. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const error = await prove(environment).then(
    () => 'it started',
    (thrown: unknown) => thrown,
  )
  expect(isSettingsFault(error), String(error)).toBe(true)
  return describeStartFault(error) ?? ''
}

test('a place where no folder can be made is refused with its setting, the reason and what to do', async () => {
  const text = await refusal({ DATA_DIR: '/dev/null/none' })

  for (const [name, place] of [
    ['EXPORT_DIR', 'exports'],
    ['AUDIT_HEADS_DIR', 'audit-heads'],
  ])
    expect(text).toContain(
      `${name} is /dev/null/none/${place}, which cannot be made or written (EEXIST: file already exists, mkdir '/dev/null'). ` +
        `Set ${name}, or DATA_DIR, to a folder that the server’s user may write to`,
    )
})

test.runIf(process.getuid?.() !== 0)('a folder without the right to write is refused', async () => {
  chmodSync(folder, 0o500)

  expect(await refusal({})).toContain('EACCES: permission denied')
})

test('a process that runs no jobs, or exports to a bucket, needs no folder for exports', async () => {
  const bucket = {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'exports',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  await prove({ ROLE: 'web', DATA_DIR: '/dev/null/none' })
  await prove({ ...bucket, EXPORT_DIR: '/dev/null/none' })
  expect(readdirSync(folder)).toEqual(['audit-heads'])
})
