/**
 * Streams resources from files of any size in batches: lines of NDJSON, entries of a JSON Bundle, or one resource. Files
 * with `.gz` are decompressed.
 */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isFhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { ImportError, type ImportProgress, type Source } from './report.ts'
import type { ImportThreads } from './threads.ts'

const sourceBytesMax = 1_048_576

const readable = /\.(ndjson|jsonl|json)(\.gz)?$/

/**
 * Lists the files of all paths in the same order on every machine. In a bulk export, files that others refer to come first,
 * so that references lead to existing resources.
 * @throws if a path does not exist
 */
export async function listFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) files.push(path)
    else {
      const names = (await readdir(path, { recursive: true }))
        .filter((name) => readable.test(name) && !isManifest(name))
        .sort()
      files.push(...names.map((name) => join(path, name)))
    }
  }
  return [...new Set(files)].sort((a, b) => rankOf(a) - rankOf(b))
}

/** The manifest of a bulk export is no resource. https://hl7.org/fhir/uv/bulkdata/export.html#response---complete-status */
const isManifest = (name: string) => /^manifest\.json(\.gz)?$/.test(basename(name))

/** Ranks by the type in the file name: outside all charts, patients, charts, and resources about those. */
function rankOf(file: string): number {
  const [type = ''] = /^[A-Z][A-Za-z]+/.exec(basename(file)) ?? []
  if (!isFhirType(type)) return 2
  const { compartment, compartmentThrough } = registryRow(type)
  return compartment === null ? 0 : compartment === 'self' ? 1 : compartmentThrough ? 3 : 2
}

/**
 * @param onBytes called for every chunk before decompression
 * @throws ImportError for a file that cannot be read or decompressed
 */
async function* readResources(
  file: string,
  onBytes: (bytes: Buffer) => void = () => {},
): AsyncGenerator<Source, void> {
  const raw = createReadStream(file, { highWaterMark: 262_144 })
  raw.on('data', (bytes) => onBytes(bytes as Buffer))
  const input: Readable = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  raw.on('error', (error) => input.destroy(error))
  const isLines = /\.(ndjson|jsonl)(\.gz)?$/.test(file)
  const pieces = withoutMark(input)
  let position = 0
  try {
    for await (const { text, isEntry } of isLines ? lines(pieces) : entries(pieces)) {
      position += 1
      if (text === null || text.trim() !== '') yield { file, position, text, isEntry }
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !/^(Z_|E[A-Z]+$)/.test(String(error.code)))
      throw error
    throw new ImportError(`${file} cannot be read: ${error.message}`, { cause: error })
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Removes a byte order mark. */
async function* withoutMark(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let isFirst = true
  for await (const piece of input) {
    yield isFirst && piece.subarray(0, 3).equals(byteOrderMark) ? piece.subarray(3) : piece
    isFirst = false
  }
}

interface Part {
  readonly text: string | null
  readonly isEntry: boolean
}

/** Collects a text from several chunks, up to the limit. */
function createGatherer() {
  let pieces: Buffer[] = []
  let size = 0
  return {
    add(piece: Buffer): void {
      size += piece.length
      if (size > sourceBytesMax) pieces = []
      else pieces.push(piece)
    },
    take(): string | null {
      const text = size > sourceBytesMax ? null : Buffer.concat(pieces).toString('utf8')
      pieces = []
      size = 0
      return text
    },
    get isEmpty(): boolean {
      return size === 0
    },
  }
}

async function* lines(input: AsyncIterable<Buffer>): AsyncGenerator<Part, void> {
  const line = createGatherer()
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      line.add(chunk.subarray(start, end))
      yield { text: line.take(), isEntry: false }
      start = end + 1
    }
    line.add(chunk.subarray(start))
  }
  if (!line.isEmpty) yield { text: line.take(), isEntry: false }
}

const quote = 0x22
const backslash = 0x5c

/**
 * Splits a Bundle by its brackets and quotes only; the receiver parses the entries. A file without a top-level list `entry`
 * is one resource.
 */
async function* entries(input: AsyncIterable<Buffer>): AsyncGenerator<Part, void> {
  const whole = createGatherer()
  const entry = createGatherer()
  let depth = 0
  let inString = false
  let escaped = false
  /** The bytes of the last top-level string, enough to recognize a key. */
  let key: number[] = []
  let inEntries = false
  let found = false
  for await (const chunk of input) {
    if (!found) whole.add(chunk)
    let start = inEntries && depth > 2 ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      if (inString && depth > 1 && !escaped) {
        while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at += 1
        if (at === chunk.length) break
      }
      const byte = chunk[at] as number
      if (inString) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        if (depth === 1 && inString && key.length < 16) key.push(byte)
      } else if (byte === quote) {
        inString = true
        if (depth === 1) key = []
      } else if (byte === 0x7b || byte === 0x5b) {
        if (depth === 1 && byte === 0x5b && String.fromCharCode(...key) === 'entry') {
          inEntries = true
          found = true
        }
        if (inEntries && depth === 2) start = at
        depth += 1
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1
        if (inEntries && depth === 2) {
          entry.add(chunk.subarray(Math.max(start, 0), at + 1))
          yield { text: entry.take(), isEntry: true }
          start = -1
        }
        if (depth === 1) inEntries = false
      }
    }
    if (start >= 0) entry.add(chunk.subarray(start))
  }
  if (!entry.isEmpty) yield { text: entry.take(), isEntry: true } // cut off
  if (!found) yield { text: whole.take(), isEntry: false }
}

const batchSize = 500
const batchLengthMax = 1_500_000

export interface Batch {
  /** The index of the file. */
  readonly file: number
  readonly sources: readonly Source[]
}

interface Input {
  readonly files: readonly string[]
  readonly progress: ImportProgress
  readonly threads: ImportThreads
}

async function* batchesOf(
  { files, progress }: Input,
  isWanted: (file: number) => boolean,
): AsyncGenerator<Batch, void> {
  for (const [file, path] of files.entries()) {
    if (!isWanted(file)) continue
    let sources: Source[] = []
    let length = 0
    for await (const source of readResources(path, (bytes) => progress.add(bytes.length))) {
      sources.push(source)
      length += source.text?.length ?? 0
      if (sources.length === batchSize || length > batchLengthMax) {
        yield { file, sources }
        sources = []
        length = 0
      }
    }
    if (sources.length > 0) yield { file, sources }
  }
}

/**
 * @param prepare handles batches in order, while `finish` of an earlier one is running
 * @param finish only starts after the previous call has ended
 */
export async function forEachBatch<Prepared>(
  input: Input,
  isWanted: (file: number) => boolean,
  prepare: (batch: Batch) => Prepared | Promise<Prepared>,
  finish: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  const ahead: Promise<Prepared>[] = []
  let previous = Promise.resolve()
  const next = async () => {
    const prepared = await (ahead.shift() as Promise<Prepared>)
    await previous
    previous = finish(prepared)
    previous.catch(() => {}) // heard at the next await
  }
  try {
    for await (const batch of batchesOf(input, isWanted)) {
      const preparing = Promise.resolve(prepare(batch))
      preparing.catch(() => {}) // heard in its turn
      ahead.push(preparing)
      if (ahead.length > input.threads.ahead) await next()
    }
    while (ahead.length > 0) await next()
    await previous
  } finally {
    await Promise.allSettled([...ahead, previous])
  }
}
