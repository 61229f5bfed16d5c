/** One object, written as its bytes come: nothing is under its name before `finish`. */
import { ObjectStorageError, type S3Client } from './s3-client.ts'

type ObjectWriter = {
  write(bytes: Uint8Array): Promise<void>
  /** Compares the size with what was given. @returns the size */
  finish(): Promise<number>
  abandon(): Promise<void>
}

/** Each part but the last has at least 5 MiB, and there are at most 10,000: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const partBytes = 8 * 1024 * 1024
/** From the 5,000th part on: 40 GB in small parts, and 320 GB more. */
const laterPartBytes = 8 * partBytes
const smallParts = 5_000

export function createObjectWriter(client: S3Client, key: string): ObjectWriter {
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
      if (waitingBytes >= (etags.length < smallParts ? partBytes : laterPartBytes)) await sendPart()
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
