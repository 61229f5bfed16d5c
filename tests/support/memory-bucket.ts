/** A bucket in memory, for tests that break single requests. What S3 itself does is tested against Swift. */
import { Readable } from 'node:stream'
import { ObjectStorageError, type S3Client } from '../../server/store/s3-client.ts'

export type MemoryBucket = {
  client: S3Client
  objects: Map<string, Buffer>
  /** Each request that has begun; one is refused when it returns true. */
  refuse: ((request: string) => boolean) | null
}

export function createMemoryBucket(): MemoryBucket {
  const objects = new Map<string, Buffer>()
  const take = async (request: string) => {
    if (bucket.refuse?.(request)) throw new ObjectStorageError(`refused: ${request}`)
  }
  const client: Pick<S3Client, 'put' | 'get' | 'sizeOf' | 'list' | 'remove'> = {
    async put(key, bytes) {
      await take(`put ${key}`)
      objects.set(key, Buffer.from(bytes))
    },
    async get(key, range) {
      await take(`get ${key}`)
      const bytes = objects.get(key)
      if (bytes && range && range.first >= bytes.length) throw new ObjectStorageError('416')
      return bytes
        ? Readable.from([bytes.subarray(range?.first ?? 0, (range?.last ?? bytes.length) + 1)])
        : null
    },
    async sizeOf(key) {
      await take(`head ${key}`)
      return objects.get(key)?.length ?? null
    },
    async list(below) {
      await take(`list ${below}`)
      return [...objects.keys()].filter((key) => key.startsWith(below))
    },
    async remove(key) {
      await take(`remove ${key}`)
      objects.delete(key)
    },
  }
  const bucket: MemoryBucket = { client: client as S3Client, objects, refuse: null }
  return bucket
}
