/** Files of exports as objects of a bucket: `{export}/{attempt}/{name}`. An object is there whole, or not at all. */
import { createS3Client, type S3Settings } from '../../store/s3-client.ts'
import { createObjectWriter } from '../../store/s3-writer.ts'
import { checkExportId, checkFileName } from './export-names.ts'
import type { ExportRun, ExportStorage } from './export-storage.ts'

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
