/** Writes an export: reads one snapshot, type by type, into files, and reports its progress. */

import { constants, createGzip, type Gzip } from 'node:zlib'
import type pg from 'pg'
import { type FhirType, registryRow } from '../../contract/fhir/registry.ts'
import { basePlaceholder } from '../../contract/fhir/type-row.ts'
import type { ExportFileWriter, ExportStorage } from '../../domain/bulk-exports/export-storage.ts'
import type { ExportFile, RunMessage, RunOrder } from '../../domain/bulk-exports/export-types.ts'
import { parseInstantMicros } from '../../domain/bulk-exports/since.ts'
import { populationGroupId, populationGroupText } from '../../domain/practices/population-group.ts'
import { DatabaseClient } from '../../store/database-client.ts'
import {
  copyExported,
  countExported,
  type ExportedType,
  findScopeTokens,
  openSnapshot,
  readPopulation,
  recordExportedPatients,
  type Snapshot,
  tryExportLock,
} from '../../store/export-snapshot.ts'

type Say = (message: RunMessage) => void

/** Attempts to get the lock, because a cancelled run may need a moment to end. */
const lockTries = 50
const lockPauseMs = 200

export async function writeExport(order: RunOrder, storage: ExportStorage, say: Say): Promise<RunMessage> {
  const client = new DatabaseClient({
    connectionString: order.connectionString,
    application_name: 'sandpiper export',
    statement_timeout: 0,
  })
  await client.connect()
  try {
    if (!(await lock(client, order.practiceId))) {
      return { kind: 'failed', reason: 'busy', detail: 'another run of this practice is under way' }
    }
    const snapshot = await openSnapshot(client, order.practiceId)
    return await writeAll(client, order, storage, say, snapshot)
  } finally {
    await client.end().catch(() => {})
  }
}

async function lock(client: pg.Client, practiceId: string): Promise<boolean> {
  for (let tries = 0; tries < lockTries; tries++) {
    if (await tryExportLock(client, practiceId)) return true
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
  }
  return false
}

async function writeAll(
  client: pg.Client,
  order: RunOrder,
  storage: ExportStorage,
  say: Say,
  snapshot: Snapshot,
): Promise<RunMessage> {
  const { plan } = order
  const { datasetId } = snapshot
  const sinceMicros = sinceOf(order, snapshot)
  const counted: { each: ExportedType; count: number }[] = []
  for (const { type, codes } of plan) {
    const tokens = codes === null ? null : await findScopeTokens(client, codes)
    const each = { type, tokens, sinceMicros }
    const computed = registryRow(type).computed !== undefined
    counted.push({ each, count: computed ? 0 : await countExported(client, datasetId, each) })
  }
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  let written = 0
  say({ kind: 'progress', written, total })
  const files: ExportFile[] = []
  for (const { each, count } of counted) {
    const splitter = createFileSplitter(order, storage, each.type, files)
    try {
      if (registryRow(each.type).computed !== undefined) {
        const group = await computedLine(client, snapshot, each)
        if (group !== null) await splitter.take(group, 1)
      } else if (count > 0) {
        const rebase = registryRow(each.type).holdsBase ? rebaseOf(order.base) : null
        const sent = await copyExported(client, datasetId, each, async (lines, rows) => {
          await splitter.take(rebase === null ? lines : rebase(lines), rows)
          written += rows
          say({ kind: 'progress', written, total })
        })
        if (sent !== count || splitter.rows() !== count) {
          throw new Error(`${each.type}: ${count} counted, ${sent} sent, ${splitter.rows()} written`)
        }
      }
      await splitter.finish()
    } catch (error) {
      await splitter.abandon()
      throw error
    }
  }
  const types = new Set(files.map(({ type }) => type))
  const inFiles = files.reduce((sum, { count }) => sum + count, 0)
  const computedLines = files.filter(({ type }) => registryRow(type).computed !== undefined).length
  if (inFiles !== total + computedLines)
    throw new Error(`${inFiles} resources in files of ${types.size} types`)
  await recordPatients(client, order, snapshot, counted)
  return { kind: 'complete', transactionTime: snapshot.at.toISOString(), total: inFiles, files }
}

/** Logs the patients before the files can be downloaded, so that the practice's accounting of disclosures is complete. */
async function recordPatients(
  client: pg.Client,
  { connectionString, exportId }: RunOrder,
  { datasetId, at }: Snapshot,
  counted: readonly { each: ExportedType; count: number }[],
): Promise<void> {
  const log = new DatabaseClient({ connectionString, application_name: 'sandpiper export' })
  await log.connect()
  try {
    const types = counted.filter(({ count }) => count > 0).map(({ each }) => each)
    await recordExportedPatients(client, log, datasetId, types, { exportId, at })
  } finally {
    await log.end().catch(() => {})
  }
}

/** Null exports everything, which is also needed if the practice's data was replaced since. */
function sinceOf({ since }: RunOrder, { replacedMicros }: Snapshot): bigint | null {
  const sinceMicros = since === null ? null : parseInstantMicros(since)
  if (sinceMicros === null || replacedMicros === null) return sinceMicros
  return sinceMicros < replacedMicros ? null : sinceMicros
}

/** @returns null if the group has not changed since */
async function computedLine(
  client: pg.Client,
  { datasetId, practiceName }: Snapshot,
  { sinceMicros }: ExportedType,
): Promise<Buffer | null> {
  const population = await readPopulation(client, datasetId, populationGroupId)
  const changed = BigInt(population.lastUpdated?.getTime() ?? 0) * 1000n
  if (sinceMicros !== null && changed <= sinceMicros) return null
  return Buffer.from(`${populationGroupText(practiceName, population)}\n`)
}

/** Replaces the placeholder by the base URL of the request. */
function rebaseOf(base: string): (lines: Buffer) => Buffer {
  return (lines) =>
    lines.includes(basePlaceholder)
      ? Buffer.from(lines.toString('utf8').replaceAll(basePlaceholder, base))
      : lines
}

/** The file that is being written. */
type Open = { name: string; writer: ExportFileWriter; encoder: Encoder; rows: number; bytes: number }

/** Writes the lines of a type to compressed files of limited size. @param files finished files are added to it */
function createFileSplitter(
  order: Pick<RunOrder, 'exportId' | 'attempt' | 'fileBytesMax'>,
  storage: ExportStorage,
  type: FhirType,
  files: ExportFile[],
) {
  let open: Open | null = null
  let rows = 0

  async function begin(): Promise<Open> {
    const name = `${files.length + 1}.${type}.ndjson`
    const writer = await storage.create(order, name)
    const encoder = createEncoder((bytes) => writer.write(bytes))
    return { name, writer, encoder, rows: 0, bytes: 0 }
  }

  /** @param lines complete lines */
  async function take(lines: Buffer, count: number): Promise<void> {
    open ??= await begin()
    await open.encoder.write(lines)
    open.rows += count
    open.bytes += lines.length
    rows += count
    if (open.bytes >= order.fileBytesMax) await finish()
  }

  async function finish(): Promise<void> {
    if (open === null) return
    const { name, writer, encoder, rows: count, bytes } = open
    await encoder.end()
    const storedBytes = await writer.finish()
    open = null
    files.push({ name, type, count, bytes, storedBytes, gzip: true })
  }

  async function abandon(): Promise<void> {
    await open?.writer.abandon()
    open = null
  }

  return { take, finish, abandon, rows: () => rows }
}

type Encoder = { write(bytes: Buffer): Promise<void>; end(): Promise<void> }

/** Compresses in the thread pool, with backpressure. */
function createEncoder(write: (bytes: Buffer) => Promise<void>): Encoder {
  const gzip: Gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 256 * 1024 })
  const drained = (async () => {
    for await (const bytes of gzip) await write(bytes as Buffer)
  })()
  // The next write throws this error.
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
