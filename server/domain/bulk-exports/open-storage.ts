/** The storage of exports by its settings, which a run's own process gets from its parent. */
import { z } from 'zod'
import { s3Settings } from '../../store/s3-client.ts'
import type { ExportStorage } from './export-storage.ts'
import { createFolderStorage } from './folder-storage.ts'
import { createS3Storage } from './s3-storage.ts'

export const storageSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder'), folder: z.string() }),
  z.strictObject({ kind: z.literal('s3'), settings: s3Settings }),
])
export type StorageSettings = z.output<typeof storageSettings>

export function openStorage(storage: StorageSettings): ExportStorage {
  return storage.kind === 'folder' ? createFolderStorage(storage.folder) : createS3Storage(storage.settings)
}
