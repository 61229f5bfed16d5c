/** kill -9 of `sandpiper move-documents` at moments of chance, and an object storage that is killed, on a real S3 server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toProblem } from '../../server/contract/http/problems.ts'
import { rootDir } from '../../server/root-dir.ts'
import { address, type DocumentWorld, documentWorld } from '../../server/store/document-objects.suite.ts'
import { startS3, type TestS3 } from '../support/swift.ts'

const KILLS = 6
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-documents-'))
let s3: TestS3
let world: DocumentWorld
let dataset: number
const contents = Array.from({ length: 80 }, (_, at) => randomBytes(100_000 + at))

beforeAll(async () => {
  s3 = await startS3()
  world = await documentWorld({ ...s3.settings, prefix: 'documents/' })
  dataset = await world.newDataset()
  for (const [ordinal, bytes] of contents.entries())
    await world.storeFor('database').documents.put(dataset, { ...address, ordinal }, 'text/plain', bytes)
}, 120_000)
afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true })
})

function startMove(to: 's3' | 'database'): ChildProcess {
  const args = ['--import', 'tsx', join(rootDir, 'server/cli/move-documents.ts'), '--to', to]
  return spawn(process.execPath, args, {
    cwd: rootDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...s3.environment,
      NODE_ENV: 'test',
      SANDPIPER_EMBEDDED: '1',
      PUBLIC_ORIGIN: 'https://portal.example',
      MAIL_FROM: 'no-reply@portal.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATABASE_URL: world.database.appUrl,
      DATA_DIR: folder,
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      DOCUMENT_URL: `s3://${s3.settings.bucket}/documents`,
    },
  })
}

const inBucket = async () => (await world.store.documents.count()).object.contents

async function expectAllReadable(): Promise<void> {
  for (const [ordinal, bytes] of contents.entries())
    expect((await world.read(dataset, { ordinal }))?.equals(bytes), `document ${ordinal}`).toBe(true)
}

test(`after ${KILLS} kills in both directions every document is there, and the next run ends the work`, async () => {
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await inBucket()
    const child = startMove(before < contents.length / 2 ? 's3' : 'database')
    const exited = once(child, 'exit')
    // Killed somewhere among the next contents.
    const wanted = 1 + Math.floor(Math.random() * 35)
    while (Math.abs((await inBucket()) - before) < wanted && child.exitCode === null) {
      // looked at again at once
    }
    child.kill('SIGKILL')
    const [, signal] = await exited
    if (signal === 'SIGKILL') midway += 1
    await expectAllReadable()
  }

  expect(midway).toBeGreaterThan(KILLS / 2)
  expect((await once(startMove('s3'), 'exit'))[0]).toBe(0)
  await world.store.documents.sweepObjects()
  expect(await inBucket()).toBe(contents.length)
  expect((await world.listObjects()).length).toBe(contents.length)
  await expectAllReadable()
}, 300_000)

test('while the storage is killed documents are unavailable, and afterwards they are there again', async () => {
  await s3.kill()
  const failure = await world.read(dataset).catch((error: unknown) => error)
  expect(toProblem(failure)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 30 })
  expect((await once(startMove('database'), 'exit'))[0]).toBe(1)

  await s3.start()
  await expectAllReadable()
  expect((await once(startMove('database'), 'exit'))[0]).toBe(0)
  expect(await world.listObjects()).toEqual([])
  await expectAllReadable()
}, 300_000)
