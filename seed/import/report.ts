/** The sources, the progress and the report of an import. */

import { closeSync, fchmodSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UsageError } from '../../server/cli/run-command.ts'

/** A text that may be a resource. */
export interface Source {
  readonly file: string
  /** Line of an NDJSON file, entry of a Bundle; from 1. */
  readonly position: number
  /** Null when it is longer than the limit. */
  readonly text: string | null
  /** The text is an entry of a Bundle, with the resource inside. */
  readonly isEntry: boolean
}

export interface Rejected {
  readonly file: string
  /** Line of an NDJSON file, entry of a Bundle; from 1. */
  readonly line: number
  readonly reason: string
  /** As it was read; null when it is longer than the limit. */
  readonly text: string | null
}

interface TypeReport {
  imported: number
  /** Newer versions of resources from an earlier import. */
  updated: number
  /** Resources that the practice already has, and duplicates. */
  repeated: number
  /** Imported resources with a new id, because theirs was taken or missing. */
  renamed: number
  /** Imported and updated resources that lost references to unsupported types. */
  trimmed: number
  rejected: number
}

export interface ImportReport {
  readonly types: Readonly<Record<string, TypeReport>>
  /** The number of stored documents. */
  readonly documents: number
  /** Nothing was stored, because all resources exist already or were refused. */
  readonly unchanged: boolean
  readonly seconds: number
}

/** An error that the user can fix. */
export class ImportError extends UsageError {
  override name = 'ImportError'
}

export interface ReportOptions {
  readonly strict?: boolean
  readonly onReject?: (rejected: Rejected) => void
}

export function createReport({ strict, onReject }: ReportOptions) {
  const types: Record<string, TypeReport> = {}
  const of = (type: string): TypeReport => {
    types[type] ??= { imported: 0, updated: 0, repeated: 0, renamed: 0, trimmed: 0, rejected: 0 }
    return types[type]
  }
  return {
    types,
    documents: 0,
    of,
    sum: (column: keyof TypeReport) => Object.values(types).reduce((sum, row) => sum + row[column], 0),

    /** @throws ImportError when strict */
    reject({ file, position, text }: Source, reason: string, type = 'unknown'): void {
      of(type).rejected += 1
      onReject?.({ file, line: position, reason, text })
      if (strict) throw new ImportError(`${file}, ${position}: ${reason}; nothing was imported (--strict)`)
    },
  }
}

export type Report = ReturnType<typeof createReport>

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

const bufferLength = 65_536

/**
 * Opens the file immediately, so that no import begins that cannot report its refusals, and removes it if it stays empty.
 * Writes synchronously, so that memory does not grow with the number of refusals.
 * @throws the system's error if it cannot be written
 */
export function createRejectsFile(path: string) {
  const file = openSync(path, 'w', 0o600)
  // One of an earlier import may be there. A bad line's reason may quote it.
  fchmodSync(file, 0o600)
  let buffer = ''
  let count = 0
  const flush = () => {
    if (buffer !== '') writeSync(file, buffer)
    buffer = ''
  }
  return {
    count: () => count,
    write(rejected: Rejected): void {
      buffer += `${JSON.stringify(rejected)}\n`
      count += 1
      if (buffer.length > bufferLength) flush()
    },
    close(): void {
      flush()
      closeSync(file)
      if (count === 0) unlinkSync(path)
    },
  }
}
