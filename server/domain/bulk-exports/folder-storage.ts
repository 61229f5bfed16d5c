/** Files of exports in a folder: written beside their name, made durable, then renamed. */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../store/make-folder.ts'
import { checkExportId, checkFileName } from './export-names.ts'
import type { ExportFileWriter, ExportRun, ExportStorage } from './export-storage.ts'

export function createFolderStorage(folder: string): ExportStorage {
  const of = (exportId: string) => join(folder, checkExportId(exportId))
  const runFolder = ({ exportId, attempt }: ExportRun) => join(of(exportId), String(attempt))
  const fileOf = (run: ExportRun, name: string) => join(runFolder(run), checkFileName(name))

  async function create(run: ExportRun, name: string): Promise<ExportFileWriter> {
    const path = fileOf(run, name)
    await makeRunFolder(run)
    const draft = `${path}.part`
    const file = await open(draft, 'wx', 0o600)
    let given = 0
    return {
      async write(bytes) {
        await file.writeFile(bytes)
        given += bytes.length
      },
      async finish() {
        await file.sync()
        const { size } = await file.stat()
        await file.close()
        if (size !== given) throw new Error(`a file holds ${size} bytes instead of ${given}`)
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
    const made = await makeFolder(runFolder(run), 0o700)
    if (made === undefined) return
    await syncFolder(of(run.exportId))
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
    await rm(of(exportId), { recursive: true, force: true, maxRetries: 3 })
  }

  return { create, read, remove }
}

/** A new name lasts when its folder does. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
