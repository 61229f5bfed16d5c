/** What a path or key in the storage is made of: nothing else is ever put into one. */
import { uuidPattern } from '../../contract/http/uuid.ts'

const fileNamePattern = /^\d+\.[A-Za-z]+\.ndjson$/

export function checkExportId(exportId: string): string {
  if (!uuidPattern.test(exportId)) throw new Error('not the id of an export')
  return exportId
}

export function checkFileName(name: string): string {
  if (!fileNamePattern.test(name)) throw new Error('not the name of a file of an export')
  return name
}
