/**
 * New resources as lines of COPY, made before the transaction that stores them, in whatever thread. Only two things are
 * told there: the time of change, for which a mark stands until then, and owners that the database knows alone.
 */
import { randomBytes } from 'node:crypto'
import { fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { recordText } from '../search/patient-record.ts'
import { type CopyValue, copyLine } from './copy.ts'
import { addressOf } from './drafts.ts'
import { type Draft, indexTables } from './index-tables.ts'
import type { VersionNumbers } from './index-versions.ts'
import { type Origin, originTable } from './origins.ts'
import { ownerAddresses } from './owners.ts'
import { resourceText } from './resource-text.ts'

const resourceTable =
  'clinical.resource (dataset_id, type, id, patient_id, date, date_end, last_updated, version, index_version, tokens, content, record)'

interface TableLines {
  /** With its columns, for COPY. */
  readonly table: string
  readonly lines: Uint8Array
}

export interface LoadRows {
  /** Stands for the time of change: as long as one, and found in no text from outside. */
  readonly mark: string
  /** In the order of their addresses, in pieces: one of `open` comes after each piece but the last. */
  readonly resources: readonly Uint8Array[]
  /** Of these the database may know the owner. */
  readonly open: readonly Draft[]
  /** Of all other tables, without the lines of `open`. */
  readonly others: readonly TableLines[]
  /** By address: what the rows themselves say of owners that `open` asks for. */
  readonly owners: ReadonlyMap<string, string | null>
}

export interface LineOptions {
  readonly datasetId: number
  readonly numbers: VersionNumbers
}

/** @param drafts sorted by address */
export function loadRows(
  drafts: readonly Draft[],
  origins: readonly Origin[],
  options: LineOptions,
): LoadRows {
  const mark = randomBytes(18).toString('base64url')
  const all = new Map(drafts.map((draft) => [addressOf(draft), draft.index.patientId]))
  const owners = new Map<string, string | null>()
  const open: Draft[] = []
  const settled: Draft[] = []
  const pieces: string[] = ['']
  for (const draft of drafts) {
    const ownerKeys = draft.index.patientId === null ? ownerAddresses(draft) : []
    for (const address of ownerKeys) {
      const owner = all.get(address)
      if (owner !== undefined) owners.set(address, owner)
    }
    if (ownerKeys.length > 0) {
      open.push(draft)
      pieces.push('')
    } else {
      settled.push(draft)
      pieces[pieces.length - 1] += resourceLine(draft, mark, options)
    }
  }
  const ofOrigins = origins.map(({ type, source, id, hash, version }) =>
    copyLine([options.datasetId, fhirTypeNumbers[type], source, id, hash, version]),
  )
  return {
    mark,
    resources: pieces.map((piece) => Buffer.from(piece)),
    open,
    others: [...indexLines(settled, options), ...tableLines(originTable, ofOrigins)],
    owners,
  }
}

interface StampedLines {
  readonly table: string
  readonly pieces: readonly Buffer[]
}

/**
 * All lines, table by table, with the time of change in its place.
 * @param owned the rows' open drafts, given their owners
 */
export function stampedLines(
  { mark, resources, others }: LoadRows,
  owned: readonly Draft[],
  now: string,
  options: LineOptions,
): StampedLines[] {
  const pieces = resources.flatMap((bytes, at) => {
    const piece = stamped(bytes, mark, now)
    const draft = owned[at]
    return draft ? [piece, Buffer.from(resourceLine(draft, now, options))] : [piece]
  })
  return [
    { table: resourceTable, pieces: pieces.filter(({ length }) => length > 0) },
    ...[...others, ...indexLines(owned, options)].map(({ table, lines }) => ({
      table,
      pieces: [bufferOf(lines)],
    })),
  ].filter(({ pieces }) => pieces.length > 0)
}

function stamped(piece: Uint8Array, mark: string, now: string): Buffer {
  const bytes = bufferOf(piece)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + now.length)) bytes.write(now, at)
  return bytes
}

/** What comes from another thread is a plain array of bytes. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function indexLines(drafts: readonly Draft[], { datasetId }: LineOptions): TableLines[] {
  return indexTables.flatMap(({ name, columns, rows }) => {
    const lines: string[] = []
    for (const draft of drafts) {
      for (const row of rows(draft)) lines.push(copyLine([datasetId, ...row]))
    }
    return tableLines(`clinical.${name} (dataset_id, ${columns.map(([column]) => column).join(', ')})`, lines)
  })
}

function tableLines(table: string, lines: readonly string[]): TableLines[] {
  return lines.length === 0 ? [] : [{ table, lines: Buffer.from(lines.join('')) }]
}

function resourceLine(
  { resource, index, tokens }: Draft,
  now: string,
  { datasetId, numbers }: LineOptions,
): string {
  const content = resourceText(resource, 1, now)
  const values: readonly CopyValue[] = [
    datasetId,
    fhirTypeNumbers[resource.resourceType],
    resource.id,
    index.patientId,
    index.sortDate?.low ?? '-infinity',
    index.sortDate?.high ?? null,
    now,
    1,
    numbers[resource.resourceType],
    `{${tokens.join(',')}}`,
    content,
    recordText(resource.resourceType, content),
  ]
  return copyLine(values)
}
