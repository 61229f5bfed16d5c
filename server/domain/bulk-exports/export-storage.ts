/** Storage for the files of exports: a local folder or object storage. */

import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { makeFolder } from '../../store/make-folder.ts'
import {
  createS3Client,
  ObjectStorageError,
  type S3Client,
  type S3Settings,
  s3Settings,
} from '../../store/s3-client.ts'

/** Identifies one run's files: another run of the same export has others. */
export interface ExportRun {
  readonly exportId: string
  readonly attempt: number
}

export interface ExportFileWriter {
  /** Resolves when more bytes may be written. */
  write(bytes: Buffer): Promise<void>
  /** Makes the file durable under its name, complete or not at all. @returns its stored size */
  finish(): Promise<number>
  /** Discards the file. */
  abandon(): Promise<void>
}

export interface ExportStorage {
  create(run: ExportRun, name: string): Promise<ExportFileWriter>
  /** The bytes from `first` to `last`, both included; null if there is no such file. */
  read(run: ExportRun, name: string, range?: { first: number; last: number }): Promise<Readable | null>
  /** Removes all files of an export, of every run. */
  remove(exportId: string): Promise<void>
}

// The settings of the storage, which the process of a run gets from its parent.

export const storageSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), folder: z.string() }),
  z.strictObject({ kind: z.literal('s3'), settings: s3Settings }),
])
export type StorageSettings = z.output<typeof storageSettings>

export const openStorage = (storage: StorageSettings): ExportStorage =>
  storage.kind === 'folder' ? createFolderStorage(storage.folder) : createS3Storage(storage.settings)

// Files in a folder are written under a temporary name, synced, then renamed.

export function createFolderStorage(folder: string): ExportStorage {
  const folderOf = (exportId: string) => join(folder, checkExportId(exportId))
  const runFolder = ({ exportId, attempt }: ExportRun) => join(folderOf(exportId), String(attempt))
  const fileOf = (run: ExportRun, name: string) => join(runFolder(run), checkFileName(name))

  async function create(run: ExportRun, name: string): Promise<ExportFileWriter> {
    const path = fileOf(run, name)
    await makeRunFolder(run)
    const draft = `${path}.part`
    const file = await open(draft, 'wx', 0o600)
    let bytesWritten = 0
    return {
      async write(bytes) {
        await file.writeFile(bytes)
        bytesWritten += bytes.length
      },
      async finish() {
        await file.sync()
        const { size } = await file.stat()
        await file.close()
        if (size !== bytesWritten) throw new Error(`a file holds ${size} bytes instead of ${bytesWritten}`)
        await rename(draft, path)
        await syncFolder(runFolder(run))
        return size
      },
      async abandon() {
        await file.close().catch(() => {})
        await rm(draft, { force: true })
      },
    }
  }

  async function makeRunFolder(run: ExportRun): Promise<void> {
    const isNew = await makeFolder(runFolder(run), 0o700)
    if (isNew === undefined) return
    await syncFolder(folderOf(run.exportId))
    await syncFolder(folder)
  }

  async function read(run: ExportRun, name: string, range?: { first: number; last: number }) {
    const file = await open(fileOf(run, name), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (file === null) return null
    return createReadStream('', { fd: file, ...(range && { start: range.first, end: range.last }) })
  }

  async function remove(exportId: string): Promise<void> {
    await rm(folderOf(exportId), { recursive: true, force: true, maxRetries: 3 })
  }

  return { create, read, remove }
}

/** A new name in a folder is durable only once the folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

// Files in a bucket are objects named `{export}/{attempt}/{name}`. An object exists completely or not at all.

export function createS3Storage(settings: S3Settings): ExportStorage {
  const client = createS3Client(settings)
  const folderOf = (exportId: string) => `${checkExportId(exportId)}/`
  const keyOf = ({ exportId, attempt }: ExportRun, name: string) =>
    `${folderOf(exportId)}${attempt}/${checkFileName(name)}`

  async function remove(exportId: string): Promise<void> {
    const folder = folderOf(exportId)
    // Some servers ignore the prefix and list the uploads of all keys.
    for (const { key, uploadId } of await client.listUploads(folder))
      if (key.startsWith(folder)) await client.abortUpload(key, uploadId)
    for (const key of await client.list(folder)) await client.remove(key)
  }

  return {
    create: async (run, name) => createObjectWriter(client, keyOf(run, name)),
    read: (run, name, range) => client.get(keyOf(run, name), range),
    remove,
  }
}

/** S3 limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const partBytes = 8 * 1024 * 1024

/** Uploads one object in parts. It does not exist before `finish`. */
function createObjectWriter(client: S3Client, key: string): ExportFileWriter {
  const etags: string[] = []
  let uploadId: string | null = null
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let bytesWritten = 0

  async function sendPart(): Promise<void> {
    uploadId ??= await client.beginUpload(key)
    etags.push(await client.putPart(key, uploadId, etags.length + 1, Buffer.concat(waiting)))
    waiting = []
    waitingBytes = 0
  }

  return {
    async write(bytes) {
      // The caller may reuse the buffer.
      waiting.push(Buffer.from(bytes))
      waitingBytes += bytes.length
      bytesWritten += bytes.length
      if (waitingBytes >= partBytes) await sendPart()
    },
    async finish() {
      if (uploadId === null) await client.put(key, Buffer.concat(waiting))
      else {
        if (waitingBytes > 0) await sendPart()
        await client.completeUpload(key, uploadId, etags)
      }
      const size = await client.sizeOf(key)
      if (size !== bytesWritten)
        throw new ObjectStorageError(`an object holds ${size} bytes instead of ${bytesWritten}`)
      return size
    },
    async abandon() {
      if (uploadId !== null) await client.abortUpload(key, uploadId)
    },
  }
}

// Ids and names are checked, so that a path or key can't leave its folder.

const fileNamePattern = /^\d+\.[A-Za-z]+\.ndjson$/

function checkExportId(exportId: string): string {
  if (!uuidPattern.test(exportId)) throw new Error('not the id of an export')
  return exportId
}

function checkFileName(name: string): string {
  if (!fileNamePattern.test(name)) throw new Error('not the name of a file of an export')
  return name
}
