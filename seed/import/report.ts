/** What an import did, per type, and what it refused. */
import type { Source } from './source.ts'

export interface Rejected {
  readonly file: string
  /** Line of an NDJSON file, entry of a Bundle; from 1. */
  readonly line: number
  readonly reason: string
  /** As it was read; null when it is longer than the limit. */
  readonly text: string | null
}

export interface TypeReport {
  imported: number
  /** Newer texts of what an earlier import had brought. */
  updated: number
  /** In the practice already, or the same resource once more. */
  repeated: number
  /** Of the imported, those that got another id, theirs being taken or none. */
  renamed: number
  /** Of the imported and updated, those that lost references to types that are not stored here. */
  trimmed: number
  rejected: number
}

export interface ImportReport {
  readonly types: Readonly<Record<string, TypeReport>>
  /** Files of documents stored. */
  readonly documents: number
  /** Nothing was stored: all of it is in the practice already, or was refused. */
  readonly unchanged: boolean
  readonly seconds: number
}

/** For people: what they can do about it. */
export class ImportError extends Error {
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
