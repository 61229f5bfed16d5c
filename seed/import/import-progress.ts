/** How far an import has come, by the bytes of its files, each read twice. */
import { stat } from 'node:fs/promises'
import type { Report } from './report.ts'

export type OnImportProgress = (progress: { share: number; resources: number }) => void

export async function createImportProgress(
  files: readonly string[],
  report: Report,
  onProgress: OnImportProgress = () => {},
) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const total = 2 * bytes
  let done = 0
  return {
    bytes,
    add(bytes: number): void {
      done += bytes
      onProgress({ share: total === 0 ? 1 : Math.min(1, done / total), resources: report.sum('imported') })
    },
  }
}

export type ImportProgress = Awaited<ReturnType<typeof createImportProgress>>
