/** Files of exports as objects of a bucket: `{export}/{attempt}/{name}`. An object is there whole, or not at all. */
import { createS3Client, ObjectStorageError, type S3Client, type S3Settings } from '../../store/s3-client.ts'
import { checkExportId, checkFileName } from './export-names.ts'
import type { ExportFileWriter, ExportRun, ExportStorage } from './export-storage.ts'

export function createS3Storage(settings: S3Settings): ExportStorage {
  const client = createS3Client(settings)
  const folderOf = (exportId: string) => `${checkExportId(exportId)}/`
  const keyOf = ({ exportId, attempt }: ExportRun, name: string) =>
    `${folderOf(exportId)}${attempt}/${checkFileName(name)}`

  async function remove(exportId: string): Promise<void> {
    const folder = folderOf(exportId)
    // Some servers list the uploads of all keys, whatever was asked for.
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

/** Each part but the last has at least 5 MiB, and there are at most 10,000: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const partBytes = 8 * 1024 * 1024

/** One object, written as its bytes come: nothing is under its name before `finish`. */
function createObjectWriter(client: S3Client, key: string): ExportFileWriter {
  const etags: string[] = []
  let uploadId: string | null = null
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let given = 0

  async function sendPart(): Promise<void> {
    uploadId ??= await client.beginUpload(key)
    etags.push(await client.putPart(key, uploadId, etags.length + 1, Buffer.concat(waiting)))
    waiting = []
    waitingBytes = 0
  }

  return {
    async write(bytes) {
      // Whoever gave them may write over them.
      waiting.push(Buffer.from(bytes))
      waitingBytes += bytes.length
      given += bytes.length
      if (waitingBytes >= partBytes) await sendPart()
    },
    async finish() {
      if (uploadId === null) await client.put(key, Buffer.concat(waiting))
      else {
        if (waitingBytes > 0) await sendPart()
        await client.completeUpload(key, uploadId, etags)
      }
      const size = await client.sizeOf(key)
      if (size !== given) throw new ObjectStorageError(`an object holds ${size} bytes instead of ${given}`)
      return size
    },
    async abandon() {
      if (uploadId !== null) await client.abortUpload(key, uploadId)
    },
  }
}
