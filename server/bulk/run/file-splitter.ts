/** Lines of one type into files that end at a size, compressed on their way when asked. */
import { constants, createGzip, type Gzip } from 'node:zlib'
import type { FhirType } from '../../contract/fhir/registry.ts'
import type { ExportFileWriter, ExportStorage } from '../../domain/bulk-exports/export-storage.ts'
import type { ExportFile, RunOrder } from '../../domain/bulk-exports/export-types.ts'

type Open = { name: string; writer: ExportFileWriter; encoder: Encoder | null; rows: number; bytes: number }

/** @param files finished ones are added to it */
export function createFileSplitter(
  order: Pick<RunOrder, 'exportId' | 'attempt' | 'fileBytesMax' | 'gzip'>,
  storage: ExportStorage,
  type: FhirType,
  files: ExportFile[],
) {
  let open: Open | null = null
  let rows = 0

  async function begin(): Promise<Open> {
    const name = `${files.length + 1}.${type}.ndjson`
    const writer = await storage.create(order, name)
    const encoder = order.gzip ? createEncoder((bytes) => writer.write(bytes)) : null
    return { name, writer, encoder, rows: 0, bytes: 0 }
  }

  /** Whole lines. */
  async function take(lines: Buffer, count: number): Promise<void> {
    open ??= await begin()
    if (open.encoder) await open.encoder.write(lines)
    else await open.writer.write(lines)
    open.rows += count
    open.bytes += lines.length
    rows += count
    if (open.bytes >= order.fileBytesMax) await finish()
  }

  async function finish(): Promise<void> {
    if (open === null) return
    const { name, writer, encoder, rows: count, bytes } = open
    await encoder?.end()
    const storedBytes = await writer.finish()
    open = null
    files.push({ name, type, count, bytes, storedBytes, gzip: order.gzip })
  }

  async function abandon(): Promise<void> {
    await open?.writer.abandon()
    open = null
  }

  return { take, finish, abandon, rows: () => rows }
}

type Encoder = { write(bytes: Buffer): Promise<void>; end(): Promise<void> }

/** Compresses in the thread pool, and holds up who writes faster. */
function createEncoder(write: (bytes: Buffer) => Promise<void>): Encoder {
  const gzip: Gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 })
  const drained = (async () => {
    for await (const bytes of gzip) await write(bytes as Buffer)
  })()
  // What it fails with is told to who writes next.
  let failure: unknown
  drained.catch((error) => {
    failure = error
    gzip.destroy()
  })
  return {
    async write(bytes) {
      if (failure) throw failure
      if (gzip.write(bytes)) return
      await Promise.race([new Promise<void>((resolve) => gzip.once('drain', resolve)), drained])
      if (failure) throw failure
    },
    async end() {
      gzip.end()
      await drained
    },
  }
}
