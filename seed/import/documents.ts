/**
 * The documents of an export: `documents/contents.tsv` has a line for each attachment (`Type/id`, index among its
 * attachments, media type, SHA-256), and `documents/<SHA-256>` has each content once.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { documentBytesMax } from '../../server/store/documents.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import type { Target } from './ledger.ts'
import type { Place } from './scan.ts'

export const documentsFolder = 'documents'
export const contentsFile = 'contents.tsv'

interface Line {
  readonly file: string
  readonly position: number
  readonly text: string
  readonly key: string
  readonly ordinal: number
  readonly contentType: string
  readonly sha256: string
  /** The file with the bytes. */
  readonly path: string
}

interface DocumentPlan {
  readonly lines: () => AsyncGenerator<Line, void>
  /** The number of documents to store. */
  readonly pending: number
}

/** Checks all lines before anything is stored: refuses missing, changed or large contents and unknown resources. */
export async function checkDocuments(place: Place, paths: readonly string[]): Promise<DocumentPlan> {
  const files = paths
    .map((path) => join(path, documentsFolder, contentsFile))
    .filter((file) => existsSync(file))
  const refused = new Set<string>()
  let pending = 0
  for await (const line of linesOf(files)) {
    const reason = await refusalOf(place, line)
    if (reason === null) {
      if (!(await isStored(place, line))) pending += 1
      continue
    }
    refused.add(`${line.file}:${line.position}`)
    place.report.reject({ ...line, isEntry: false }, reason, 'document')
  }
  async function* lines() {
    for await (const line of linesOf(files)) {
      if (!refused.has(`${line.file}:${line.position}`)) yield line
    }
  }
  return { lines, pending }
}

/** Stores the documents that the practice does not have yet. */
export async function storeDocuments(place: Place, plan: DocumentPlan): Promise<void> {
  for await (const line of plan.lines()) {
    const { key, ordinal, contentType, path } = line
    const target = await targetOf(place, key)
    if (!target || (await isStored(place, line))) continue
    const address = { ...target, ordinal }
    await place.store.documents.put(place.datasetId, address, contentType, createReadStream(path))
    place.report.documents += 1
  }
}

async function isStored(place: Place, { key, ordinal, contentType, sha256 }: Line): Promise<boolean> {
  const target = await targetOf(place, key)
  if (!target) return false
  const { document } = await place.store.documents.find(place.datasetId, { ...target, ordinal }, noLiveness)
  return document?.sha256 === sha256 && document.contentType === contentType
}

async function* linesOf(files: readonly string[]): AsyncGenerator<Line, void> {
  for (const file of files) {
    let position = 0
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      position += 1
      const [key = '', ordinal = '', contentType = '', sha256 = ''] = text.split('\t')
      const path = join(file, '..', /^[0-9a-f]{64}$/.test(sha256) ? sha256 : '')
      if (text !== '')
        yield { file, position, text, key, ordinal: Number(ordinal), contentType, sha256, path }
    }
  }
}

async function refusalOf(place: Place, line: Line): Promise<string | null> {
  const { sha256, ordinal, contentType } = line
  const isWhole = /^[0-9a-f]{64}$/.test(sha256) && contentType !== '' && ordinal >= 0 && ordinal < 1_000
  if (!isWhole || !Number.isInteger(ordinal)) return 'not a line of Type/id, place, media type and SHA-256'
  if (!(await targetOf(place, line.key))) return `refers to nothing: ${line.key.slice(0, 120)}`
  if (!existsSync(line.path)) return 'its file is missing'
  const digest = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(line.path)) {
    digest.update(piece as Buffer)
    size += (piece as Buffer).length
  }
  if (size > documentBytesMax) return 'over 20 MB'
  return digest.digest('hex') === sha256 ? null : 'its file is not what the line says'
}

const targetOf = async ({ ledger }: Place, key: string): Promise<Target | null> =>
  (await ledger.resolve(-1, [key])).get(key) ?? null
