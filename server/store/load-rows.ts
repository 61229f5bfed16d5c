/**
 * Prepares new resources as COPY lines, in any thread, before the transaction that stores them. The transaction adds only
 * lastUpdated, for which the lines have a placeholder, and owners that only the database knows.
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
  /** Placeholder for lastUpdated. It has the same length, and is random so that no resource can contain it. */
  readonly mark: string
  /** Lines sorted by address, split where a draft of `open` belongs: `open[i]` comes after `resources[i]`. */
  readonly resources: readonly Uint8Array[]
  /** Drafts whose owner only the database may know. */
  readonly open: readonly Draft[]
  /** The lines of all other tables, without those of `open`. */
  readonly others: readonly TableLines[]
  /** By address: owners of the resources that `open` refers to, as far as this load contains them. */
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
  const patientIds = new Map(drafts.map((draft) => [addressOf(draft), draft.index.patientId]))
  const owners = new Map<string, string | null>()
  const open: Draft[] = []
  const complete: Draft[] = []
  const pieces: string[] = ['']
  for (const draft of drafts) {
    const ownerSources = draft.index.patientId === null ? ownerAddresses(draft) : []
    for (const address of ownerSources) {
      const owner = patientIds.get(address)
      if (owner !== undefined) owners.set(address, owner)
    }
    if (ownerSources.length > 0) {
      open.push(draft)
      pieces.push('')
    } else {
      complete.push(draft)
      pieces[pieces.length - 1] += resourceLine(draft, mark, options)
    }
  }
  const originLines = origins.map(({ type, source, id, hash, version }) =>
    copyLine([options.datasetId, fhirTypeNumbers[type], source, id, hash, version]),
  )
  return {
    mark,
    resources: pieces.map((piece) => Buffer.from(piece)),
    open,
    others: [...indexLines(complete, options), ...tableLines(originTable, originLines)],
    owners,
  }
}

/**
 * @returns all lines by table, with `now` in place of the placeholder
 * @param owned the drafts of `open`, with their owners
 */
export function stampedLines(
  { mark, resources, others }: LoadRows,
  owned: readonly Draft[],
  now: string,
  options: LineOptions,
) {
  const pieces = resources.flatMap((bytes, at) => {
    const piece = replaceMark(bytes, mark, now)
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

function replaceMark(piece: Uint8Array, mark: string, now: string): Buffer {
  const bytes = bufferOf(piece)
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + now.length)) bytes.write(now, at)
  return bytes
}

/** A Buffer that comes from another thread has become a plain Uint8Array. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function indexLines(drafts: readonly Draft[], { datasetId }: LineOptions): TableLines[] {
  return indexTables.flatMap(({ name, columns, rows }) => {
    const lines: string[] = []
    for (const draft of drafts) {
      for (const row of rows(draft)) lines.push(copyLine([datasetId, ...row]))
    }
    return tableLines(`clinical.${name} (dataset_id, ${columns.join(', ')})`, lines)
  })
}

function tableLines(table: string, lines: readonly string[]): TableLines[] {
  return lines.length === 0 ? [] : [{ table, lines: Buffer.from(lines.join('')) }]
}

function resourceLine({ resource, index, tokens }: Draft, now: string, { datasetId, numbers }: LineOptions) {
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
