/** `sandpiper move-documents`, and what `sandpiper doctor` says of documents. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalS3, startLocalS3 } from '../../tests/support/s3-server.ts'
import { parseEnv } from '../env.ts'
import { address, type DocumentWorld, documentWorld } from '../store/document-objects.suite.ts'
import { checkDocuments, checkExportBucket } from './doctor-store.ts'
import { moveDocuments, readCommand } from './move-documents-command.ts'
import { describeFailure } from './run-command.ts'

let s3: LocalS3
let world: DocumentWorld
let environment: Record<string, string>

beforeAll(async () => {
  s3 = await startLocalS3()
  world = await documentWorld(s3.settings)
  environment = {
    ...s3.environment,
    S3_BUCKET: s3.settings.bucket,
    S3_PREFIX: 'exports/',
    SANDPIPER_EMBEDDED: '1',
    PUBLIC_ORIGIN: 'https://portal.example',
    MAIL_FROM: 'no-reply@portal.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    DATABASE_URL: world.database.appUrl,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  }
  const dataset = await world.newDataset()
  for (const ordinal of [0, 1, 2])
    await world
      .storeFor('database')
      .documents.put(dataset, { ...address, ordinal }, 'text/plain', randomBytes(100_000))
})
afterAll(() => s3.stop())

const envWith = (changes: Record<string, string | undefined> = {}) => parseEnv({ ...environment, ...changes })
const withoutBucket = { DOCUMENT_URL: undefined, DOCUMENT_STORAGE: undefined }
const move = (to: string, env = envWith()) => moveDocuments({ env, store: world.store } as never, { to })
const examine = (changes?: Record<string, string | undefined>) =>
  checkDocuments(world.database.pool, envWith(changes))

test.each([[[]], [['--to', 's4']], [['--to', 'toString']], [['--to']], [['--force']]])(
  '%j is refused as wrong options',
  (args) => {
    const failure = (() => {
      try {
        return readCommand(args)
      } catch (error) {
        return describeFailure(error)
      }
    })()

    expect(failure).toMatchObject({ code: 2, text: expect.stringContaining('--help') })
  },
)

test('it moves all, says how many are where, and what new documents do', async () => {
  expect(readCommand(['--to', 's3'])).toEqual({ to: 's3' })
  await expect(move('s3', envWith(withoutBucket))).rejects.toThrow('DOCUMENT_URL is missing')
  expect(await examine(withoutBucket)).toMatchObject({
    state: 'ok',
    finding: 'in the database 3 files of documents, 0.3 MB',
  })

  expect(await move('s3')).toEqual({
    exitCode: 0,
    lines: [
      'moved to object storage: 3 files of documents, 0.3 MB',
      'object storage:  3 files of documents, 0.3 MB',
      'database:        0 files of documents, 0.0 MB',
    ],
  })

  expect(await examine()).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('in object storage 3 files of documents, 0.3 MB; the bucket answers'),
  })
  expect(await checkExportBucket(envWith())).toMatchObject([{ state: 'ok' }])
  expect(await examine(withoutBucket)).toMatchObject({
    state: 'fault',
    finding: expect.stringContaining('DOCUMENT_URL is not set'),
  })
  expect((await move('s3', envWith({ DOCUMENT_STORAGE: 'database' }))).lines.at(-1)).toContain(
    'set DOCUMENT_STORAGE=s3',
  )
})
