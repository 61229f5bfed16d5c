/** Builds the services of exports: who asks for one, what makes it, and where its files are. */
import { resolve } from 'node:path'
import { createBulkExports } from '../domain/bulk-exports/bulk-exports.ts'
import { createExportAdmin } from '../domain/bulk-exports/export-admin.ts'
import { createExportRuns } from '../domain/bulk-exports/export-runs.ts'
import { createFolderStorage } from '../domain/bulk-exports/folder-storage.ts'
import type { Env } from '../env.ts'

type Needs<Make extends (needs: never) => unknown> = Parameters<Make>[0]

type Below = Omit<
  Needs<typeof createBulkExports> & Needs<typeof createExportAdmin> & Needs<typeof createExportRuns>,
  'storage'
> & { env: Env }

export function createExportServices({ env, ...below }: Below) {
  const exportSettings = {
    folder: resolve(env.EXPORT_DIR),
    fileBytesMax: env.EXPORT_FILE_MB * 1_000_000,
    gzip: env.EXPORT_GZIP,
  }
  const exportStorage = createFolderStorage(exportSettings.folder)
  const needed = { ...below, storage: exportStorage }
  return {
    exportSettings,
    exportStorage,
    bulkExports: createBulkExports(needed),
    exportRuns: createExportRuns(needed),
    exportAdmin: createExportAdmin(needed),
  }
}
