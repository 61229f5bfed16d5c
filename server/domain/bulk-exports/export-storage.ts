/** Where the files of exports lie. A local folder is the first of its kind; object storage is asked the same. */
import type { Readable } from 'node:stream'

/** Identifies one run's files: another run of the same export has others. */
export interface ExportRun {
  readonly exportId: string
  readonly attempt: number
}

export interface ExportFileWriter {
  /** Resolves when more may be given. */
  write(bytes: Buffer): Promise<void>
  /** The file is there under its name, whole and durable, or not at all. @returns bytes as they lie there */
  finish(): Promise<number>
  /** Gives up; nothing is left under its name. */
  abandon(): Promise<void>
}

export interface ExportStorage {
  create(run: ExportRun, name: string): Promise<ExportFileWriter>
  /** Bytes from `first` to `last`, both included; null when there is no such file. */
  read(run: ExportRun, name: string, range?: { first: number; last: number }): Promise<Readable | null>
  /** All that is left of an export, whichever run wrote it. */
  remove(exportId: string): Promise<void>
}
