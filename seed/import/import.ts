/**
 * Loads resources of elsewhere into a practice. Its data is copied, filled and only then put in the place of the
 * old (decision 0010): a killed import leaves the practice as it was, and what it left is removed by the next.
 * Two readings of the files: the first gives every resource its id, the second follows the references and stores.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type pg from 'pg'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { type FhirType, isFhirType } from '../../server/contract/fhir-registry.ts'
import { isProblem } from '../../server/contract/problems.ts'
import type { DatasetKind } from '../../server/store/datasets.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import type { Store } from '../../server/store/store.ts'
import { alone } from '../alone.ts'
import { type Entry, type Ledger, openLedger, type Target } from './ledger.ts'
import { hashOf, labelled, newId, type ParsedResource, parseSource } from './parse-source.ts'
import { listFiles, readResources, type Source } from './read-resources.ts'
import { findReferences, isRelative, keysOf, ownKeys } from './references.ts'

export interface ImportOptions {
  readonly practice: string
  readonly paths: readonly string[]
  /** Somebody answers for it that nobody's real record is among them; production practices ask for it. */
  readonly synthetic: boolean
  /** The first refusal undoes everything. */
  readonly strict?: boolean
  readonly onReject?: (rejected: Rejected) => void
  readonly onProgress?: (progress: { share: number; resources: number }) => void
}

export interface Rejected {
  readonly file: string
  /** Line of an NDJSON file, entry of a Bundle; from 1. */
  readonly line: number
  readonly reason: string
}

export interface TypeReport {
  imported: number
  /** Of the imported, those that got another id, theirs being taken or none. */
  renamed: number
  /** The same resource once more. */
  repeated: number
  rejected: number
}

export interface ImportReport {
  readonly types: Readonly<Record<string, TypeReport>>
  /** These very files are in the practice already: nothing was done. */
  readonly unchanged: boolean
  readonly seconds: number
}

export interface ImportDependencies {
  readonly pool: pg.Pool
  readonly prisma: PrismaClient
  readonly store: Store
}

/** For people: what they can do about it. */
export class ImportError extends Error {
  override name = 'ImportError'
}

const batchSize = 500
const idPattern = /^[A-Za-z0-9.-]{1,64}$/

export async function importResources(
  { pool, prisma, store }: ImportDependencies,
  options: ImportOptions,
): Promise<ImportReport> {
  const started = performance.now()
  const files = await listFiles(options.paths)
  if (files.length === 0) throw new ImportError('there is no .ndjson or .json file at these paths')
  const report = createReport(options)
  const unchanged = await alone(pool, async (client) => {
    const practice = await findPractice(prisma, options)
    await removeLeftovers(store, practice)
    const ledger = await openLedger(client)
    const current = await store.datasets.find(practice.datasetId)
    const progress = await createProgress(files, options, report)
    const fingerprint = await scan({ files, ledger, datasetId: practice.datasetId, report, progress })
    const source = `import ${fingerprint}`
    if (current?.source.split('; ').includes(source)) return true
    const datasetId = await store.datasets.copy(practice.datasetId, {
      name: practice.slug,
      kind: kindOf(practice.purpose),
      state: 'loading',
      source: `${current?.source ?? ''}; ${source}`,
    })
    try {
      const place = { files, ledger, store, datasetId, report, progress }
      let rejected = await loadAll(place)
      // What referred to a refused resource refers to nothing now.
      while (rejected > 0) rejected = await withdraw(place)
      await store.adoptOrphans(datasetId)
      await store.datasets.markReady(datasetId)
    } catch (error) {
      await store.datasets.remove(datasetId)
      throw error
    }
    await replaceData({ prisma, store }, practice, datasetId)
    return false
  })
  return { types: report.types, unchanged, seconds: (performance.now() - started) / 1000 }
}

interface Place {
  readonly files: readonly string[]
  readonly ledger: Ledger
  readonly store: Store
  readonly datasetId: number
  readonly report: Report
  readonly progress: Progress
}

/** First reading: every resource gets its id and the keys it may be referred to by. @returns a hash of all files */
async function scan({ files, ledger, datasetId, report, progress }: Omit<Place, 'store'>): Promise<string> {
  const digest = createHash('sha256')
  for (const [file, path] of files.entries()) {
    const onBytes = (bytes: Buffer) => {
      digest.update(bytes)
      progress.add(bytes.length)
    }
    for await (const batch of batches(readResources(path, onBytes))) {
      const parsed = parseAll(batch, report)
      const wanted = parsed.map(({ source, found }) => {
        const hash = hashOf(source)
        const { id } = found.resource
        const usable = typeof id === 'string' && idPattern.test(id)
        return { source, found, hash, usable, id: usable ? (id as string) : newId(found.type, id, hash) }
      })
      const stored = await ledger.findStored(
        datasetId,
        wanted.map(({ found, id }) => ({ type: found.type, id })),
      )
      const named = wanted.map((each) => {
        const isTaken = stored.has(`${each.found.type}/${each.id}`)
        const id = isTaken ? newId(each.found.type, each.found.resource.id, each.hash) : each.id
        return { ...each, id, renamed: isTaken || !each.usable }
      })
      await enter({ ledger, report, file }, named)
    }
  }
  return digest.digest('base64url')
}

interface Named {
  readonly source: Source
  readonly found: ParsedResource
  readonly hash: string
  readonly id: string
  readonly renamed: boolean
}

/** Into the ledger; a resource that is there already is counted once, another one of its id is refused. */
async function enter(
  { ledger, report, file }: { ledger: Ledger; report: Report; file: number },
  named: readonly Named[],
): Promise<void> {
  const known = await ledger.findTaken(named.map(({ found, id }) => ({ type: found.type, id })))
  const entries: Entry[] = []
  const repeated: { keys: readonly string[]; file: number; position: number }[] = []
  for (const { source, found, hash, id, renamed } of named) {
    const address = `${found.type}/${id}`
    const keys = ownKeys(found.resource, found.fullUrl)
    const earlier = known.get(address)
    if (earlier && earlier.hash !== hash)
      report.reject(source, 'another resource of this id came before', found.type)
    else if (earlier) {
      report.of(found.type).repeated += 1
      repeated.push({ keys, file: earlier.file, position: earlier.position })
    } else {
      entries.push({ file, position: source.position, type: found.type, id, hash, keys })
      known.set(address, { hash, file, position: source.position })
      if (renamed) report.of(found.type).renamed += 1
    }
  }
  if (entries.length > 0) await ledger.add(entries)
  await ledger.addKeys(repeated)
}

interface Ready {
  readonly source: Source
  readonly resource: Resource
  readonly target: Target
}

/** Second reading. @returns how many resources were refused */
async function loadAll(place: Place): Promise<number> {
  let rejected = 0
  for (const [file, path] of place.files.entries()) {
    for await (const batch of batches(readResources(path, (bytes) => place.progress.add(bytes.length)))) {
      const { ready, refused } = await follow(place, file, batch)
      refused.push(...(await storeBatch(place, ready)))
      await place.ledger.reject(
        file,
        refused.map(({ position }) => position),
      )
      rejected += refused.length
    }
  }
  return rejected
}

/** Reads again and takes out what refers to something that was refused since. @returns how many */
async function withdraw(place: Place): Promise<number> {
  let withdrawn = 0
  for (const [file, path] of place.files.entries()) {
    for await (const batch of batches(readResources(path))) {
      const { refused, targets } = await follow(place, file, batch)
      const gone = refused.flatMap(({ position }) => targets.get(position) ?? [])
      await place.store.unload(place.datasetId, gone)
      for (const { type } of gone) place.report.of(type).imported -= 1
      await place.ledger.reject(
        file,
        refused.map(({ position }) => position),
      )
      withdrawn += refused.length
    }
  }
  return withdrawn
}

/** Writes references as they lie in the store; a resource that refers to nothing is refused. */
async function follow({ ledger, datasetId, report }: Place, file: number, batch: readonly Source[]) {
  const targets = await ledger.findSources(
    file,
    batch.map(({ position }) => position),
  )
  const resources = batch.flatMap((source) => {
    const target = targets.get(source.position)
    const found = target && parseSource(source)
    if (!target || !found || 'reason' in found) return []
    return { source, target, resource: found.resource, references: findReferences(found.resource) }
  })
  const keys = [
    ...new Set(resources.flatMap(({ references }) => references.flatMap((each) => keysOf(each.reference)))),
  ]
  const resolved = await ledger.resolve(keys)
  const stored = await ledger.findStored(
    datasetId,
    keys.filter((key) => isRelative(key) && !resolved.has(key)).map(addressOf),
  )
  const ready: Ready[] = []
  const refused: Source[] = []
  for (const { source, target, resource, references } of resources) {
    const isWhole = references.every((holder) => {
      const known = keysOf(holder.reference)
      const inside = known.map((key) => resolved.get(key)).find(Boolean)
      const outside = known.find((key) => stored.has(key))
      if (inside) holder.reference = `${inside.type}/${inside.id}`
      else if (outside) holder.reference = outside
      return inside !== undefined || outside !== undefined
    })
    if (isWhole) ready.push({ source, target, resource: labelled(resource, target.id) })
    else {
      report.reject(source, 'refers to nothing', target.type)
      refused.push(source)
    }
  }
  return { ready, refused, targets }
}

/** All at once; when one cannot be stored, one after the other. @returns the refused */
async function storeBatch({ store, datasetId, report }: Place, ready: readonly Ready[]): Promise<Source[]> {
  if (ready.length === 0) return []
  try {
    await store.bulkLoad(
      datasetId,
      ready.map(({ resource }) => resource),
    )
    for (const { target } of ready) report.of(target.type).imported += 1
    return []
  } catch (error) {
    if (!isProblem(error) || (error.kind !== 'validation' && error.kind !== 'payload_too_large')) throw error
    const [only, ...others] = ready
    if (only && others.length === 0) {
      report.reject(only.source, error.message, only.target.type)
      return [only.source]
    }
    const refused: Source[] = []
    for (const each of ready)
      refused.push(...(await storeBatch({ store, datasetId, report } as Place, [each])))
    return refused
  }
}

function parseAll(batch: readonly Source[], report: Report): { source: Source; found: ParsedResource }[] {
  return batch.flatMap((source) => {
    const found = parseSource(source)
    if ('reason' in found) report.reject(source, found.reason)
    return 'reason' in found ? [] : [{ source, found }]
  })
}

async function* batches(sources: AsyncIterable<Source>): AsyncGenerator<Source[], void> {
  let batch: Source[] = []
  let length = 0
  for await (const source of sources) {
    batch.push(source)
    length += source.text?.length ?? 0
    if (batch.length === batchSize || length > 4_000_000) {
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

type Practice = { id: string; slug: string; datasetId: number; purpose: string }

async function findPractice(prisma: PrismaClient, options: ImportOptions): Promise<Practice> {
  const practice = await prisma.practice.findUnique({ where: { slug: options.practice } })
  if (!practice) throw new ImportError(`there is no practice “${options.practice}”`)
  if (practice.environment === 'production' && !options.synthetic) {
    throw new ImportError(
      `${options.practice} is a production practice, and this service holds synthetic people only: ` +
        'say --synthetic when that is what the files hold',
    )
  }
  return practice
}

async function removeLeftovers(store: Store, { slug, datasetId }: Practice): Promise<void> {
  for (const dataset of await store.datasets.listNamed(slug)) {
    if (dataset.id !== datasetId) await store.datasets.remove(dataset.id)
  }
}

function kindOf(purpose: string): DatasetKind {
  return purpose === 'template' || purpose === 'demonstration' || purpose === 'canary' ? purpose : 'practice'
}

/** Those who share the template go along with it; anybody else's data is their own. */
async function replaceData(
  { prisma, store }: Pick<ImportDependencies, 'prisma' | 'store'>,
  { id, datasetId: old, purpose }: Practice,
  datasetId: number,
): Promise<void> {
  const where = purpose === 'template' ? { datasetId: old } : { id, datasetId: old }
  const { count } = await prisma.practice.updateMany({ where, data: { datasetId } })
  if (count === 0) {
    await store.datasets.remove(datasetId)
    throw new ImportError('the data of the practice was replaced meanwhile; nothing was imported')
  }
  if ((await prisma.practice.count({ where: { datasetId: old } })) === 0) await store.datasets.remove(old)
}

function createReport({ strict, onReject }: ImportOptions) {
  const types: Record<string, TypeReport> = {}
  const of = (type: FhirType | 'unknown'): TypeReport => {
    types[type] ??= { imported: 0, renamed: 0, repeated: 0, rejected: 0 }
    return types[type]
  }
  return {
    types,
    of,
    /** @throws ImportError when strict */
    reject({ file, position }: Source, reason: string, type: FhirType | 'unknown' = 'unknown'): void {
      of(type).rejected += 1
      onReject?.({ file, line: position, reason })
      if (strict) throw new ImportError(`${file}, ${position}: ${reason}; nothing was imported (--strict)`)
    },
  }
}

type Report = ReturnType<typeof createReport>

async function createProgress(files: readonly string[], { onProgress }: ImportOptions, report: Report) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const total = 2 * sizes.reduce((sum, size) => sum + size, 0)
  let done = 0
  return {
    add(bytes: number): void {
      done += bytes
      const resources = Object.values(report.types).reduce((sum, { imported }) => sum + imported, 0)
      onProgress?.({ share: total === 0 ? 1 : Math.min(1, done / total), resources })
    },
  }
}

type Progress = Awaited<ReturnType<typeof createProgress>>

function addressOf(key: string): Target {
  const [type = '', id = ''] = key.split('/')
  if (!isFhirType(type)) throw new Error(`${key} is no address`)
  return { type, id }
}
