/** Tables as compressed files of lines, and back. Memory stays flat whatever the table: one batch at a time. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { copyOut, type LineSink } from '../copy-out.ts'
import { BackupError, type Manifest } from './manifest.ts'
import type { BackupDraft, BackupPlace } from './place.ts'
import type { StoredTable } from './tables.ts'

type OnRows = (rows: number) => void
type WrittenFile = NonNullable<Manifest['dump']>

const batchBytes = 1_000_000
const newline = 0x0a

/** @returns rows and the hash of their lines; nothing is written */
export async function hashTable(
  client: pg.Client,
  table: StoredTable,
  onRows: OnRows = () => {},
): Promise<{ rows: number; sha256: string }> {
  const sha = createHash('sha256')
  let so = 0
  const rows = await copyOut(client, table.copyLines, async (lines, count) => {
    sha.update(lines)
    so += count
    onRows(so)
  })
  return { rows, sha256: sha.digest('hex') }
}

/** The same, and a file of it. @param copy gives the lines in the order of `copyLines` */
export async function writeTable(
  copy: (sink: LineSink) => Promise<number>,
  table: StoredTable,
  draft: BackupDraft,
  onRows: OnRows = () => {},
): Promise<{ rows: number; sha256: string; file: WrittenFile }> {
  const sha = createHash('sha256')
  const name = `${table.name}.ndjson.gz`
  const output = openFile(draft, name)
  let so = 0
  const rows = await copy(async (lines, count) => {
    sha.update(lines)
    await output.write(lines)
    so += count
    onRows(so)
  })
  return { rows, sha256: sha.digest('hex'), file: await output.end() }
}

export async function writeLines(
  draft: BackupDraft,
  name: string,
  lines: readonly string[],
): Promise<WrittenFile> {
  const output = openFile(draft, name)
  for (const line of lines) await output.write(Buffer.from(`${line}\n`))
  return output.end()
}

function openFile(draft: BackupDraft, name: string) {
  const gzip = createGzip({ level: 1 })
  const sha = createHash('sha256')
  let bytes = 0
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sha.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const done = pipeline(gzip, measured, (chunks: AsyncIterable<Buffer>) => draft.write(name, chunks))
  done.catch(() => {}) // whoever writes next, or ends, hears of it
  return {
    async write(chunk: Buffer): Promise<void> {
      if (gzip.destroyed) await done
      if (gzip.write(chunk)) return
      await Promise.race([new Promise<void>((resolve) => gzip.once('drain', resolve)), done])
    },
    async end(): Promise<WrittenFile> {
      gzip.end()
      await done
      return { name, bytes, sha256: sha.digest('hex') }
    },
  }
}

export async function checksumOf(path: string): Promise<string> {
  const sha = createHash('sha256')
  for await (const chunk of createReadStream(path)) sha.update(chunk)
  return sha.digest('hex')
}

/**
 * Gives the lines of a file in batches of about a megabyte.
 * @throws BackupError when the file is missing, cut off or changed
 */
export async function* readLines(
  place: BackupPlace,
  { name, sha256 }: WrittenFile,
): AsyncGenerator<string[]> {
  const sha = createHash('sha256')
  const seen = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sha.update(chunk)
      yield chunk
    }
  }
  const gunzip = createGunzip()
  const flowing = pipeline(place.read(name), seen, gunzip)
  flowing.catch(() => {}) // told by the loop below
  let rest: Buffer[] = []
  let restBytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(newline)
      if (end < 0 || restBytes + chunk.length < batchBytes) {
        rest.push(chunk)
        restBytes += chunk.length
        continue
      }
      yield split(Buffer.concat([...rest, chunk.subarray(0, end)]))
      rest = [chunk.subarray(end + 1)]
      restBytes = chunk.length - end - 1
    }
    await flowing
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${name} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) yield split(last)
  if (sha.digest('hex') !== sha256)
    throw new BackupError(`${name} is not what the manifest says: it was changed`)
}

function split(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').filter(Boolean)
}

/** @returns rows put in */
export async function loadTable(
  client: pg.Client,
  table: StoredTable,
  lines: AsyncIterable<string[]>,
  onRows: OnRows = () => {},
): Promise<number> {
  let rows = 0
  for await (const batch of lines) {
    const { rowCount } = await client.query(table.insertLines, [`[${batch.join(',')}]`])
    rows += rowCount ?? 0
    onRows(rows)
  }
  return rows
}
