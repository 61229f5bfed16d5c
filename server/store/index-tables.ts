/** Stores and removes the index rows beside `resource`: in one statement, whatever the number of rows. */
import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { CopyValue } from './copy.ts'
import type { IndexRows } from './index-rows.ts'
import type { IdentifiedResource } from './resource-text.ts'
import { createBinds, type Run } from './statements.ts'

/** A resource about to be stored, with all that is computed from it. */
export interface Draft {
  readonly resource: IdentifiedResource
  readonly index: IndexRows
  /** Dictionary ids. */
  readonly tokens: readonly number[]
}

/** Index rows must fit on a page, and one resource must not fill the index. */
const codedValuesMax = 400
const identifierLengthMax = 256
const rowsMax = 2_000

/** @throws Problem `validation` for what the index could not hold. */
export function checkIndexRows(rows: IndexRows): void {
  const many =
    Math.max(rows.names.length, rows.identifiers.length, rows.links.length, rows.moments.length) > rowsMax
  if (many || rows.tokens.length > codedValuesMax) {
    throw new Problem('validation', {
      message: 'The resource has too many coded, named or referenced values.',
    })
  }
  const isLong = (text: string) => text.length > identifierLengthMax || text.includes('\0')
  if (
    rows.identifiers.some(({ system, value }) => isLong(system) || isLong(value)) ||
    rows.tokens.some(({ system, code }) => isLong(system) || isLong(code))
  ) {
    throw new Problem('validation', {
      message: `A code, identifier or system is longer than ${identifierLengthMax} characters or holds a NUL.`,
    })
  }
}

const isOfResource = 't.type = w.type AND t.id = w.id'
const isOfChart = `${isOfResource} AND t.patient_id = w.patient_id`

/** By table, the condition that finds the rows of a resource through an index. */
const removals = {
  name: isOfResource,
  identifier: isOfResource,
  roster: isOfResource,
  link: 't.source_type = w.type AND t.source = w.id',
  moment: isOfChart,
  coding: isOfChart,
}

/** Deletes the index rows of versions that are about to be replaced. */
export async function removeIndexRows(
  run: Run,
  datasetId: number,
  previous: readonly { type: number; id: string; patientId: string | null }[],
): Promise<void> {
  if (previous.length === 0) return
  const values = [
    datasetId,
    previous.map((row) => row.type),
    previous.map((row) => row.id),
    previous.map((row) => row.patientId ?? ''),
  ]
  const parts = Object.entries(removals).map(
    ([table, condition]) =>
      `${table} AS (DELETE FROM clinical.${table} t USING w WHERE t.dataset_id = $1 AND ${condition})`,
  )
  await run(datasetId, {
    name: 'write:remove',
    text: `WITH w AS MATERIALIZED (SELECT * FROM unnest($2::smallint[], $3::text[], $4::text[]) AS w (type, id, patient_id)),
             ${parts.join(', ')} SELECT`,
    values,
  })
}

const selective: ReadonlySet<string> = new Set(
  (Object.keys(fhirRegistry) as FhirType[]).flatMap((type) =>
    fhirRegistry[type].parameters
      .filter((parameter) => parameter.selective)
      .map(({ name }) => `${type} ${searchParameterNumbers[name]}`),
  ),
)

/** Whether the table `coding` contains the values of this parameter. */
export function isSelective(type: FhirType, parameter: number): boolean {
  return selective.has(`${type} ${parameter}`)
}

interface IndexTable {
  readonly name: string
  /** Names of the columns after dataset_id. */
  readonly columns: readonly string[]
  /** Their types, in the same order. */
  readonly types: readonly string[]
  readonly rows: (draft: Draft) => readonly (readonly CopyValue[])[]
}

/** A draft with the columns that all its rows share. */
interface Indexed extends Draft {
  readonly type: number
  readonly id: string
  /** The patient's id; empty outside all charts. */
  readonly owner: string
}

/** @param columns after dataset_id, each with its type */
function table(
  name: string,
  columns: string,
  rowsOf: (draft: Indexed) => readonly (readonly CopyValue[])[],
): IndexTable {
  const pairs = columns.split(', ').map((column) => column.split(' '))
  return {
    name,
    columns: pairs.map(([column = '']) => column),
    types: pairs.map(([, type = '']) => type),
    rows: (draft) => {
      const { resource, index } = draft
      const type = fhirTypeNumbers[resource.resourceType]
      return rowsOf({ ...draft, type, id: resource.id, owner: index.patientId ?? '' })
    },
  }
}

export const indexTables: readonly IndexTable[] = [
  table(
    'moment',
    'patient_id text, type smallint, parameter smallint, low timestamptz, high timestamptz, id text',
    ({ index, type, id, owner }) =>
      index.moments.map(({ parameter, low, high }) => [owner, type, parameter, low, high, id]),
  ),
  table(
    'coding',
    'patient_id text, type smallint, token integer, id text',
    ({ resource, index, tokens, type, id, owner }) =>
      index.tokens.flatMap(({ parameter }, position) =>
        isSelective(resource.resourceType, parameter) ? [[owner, type, tokens[position] ?? -1, id]] : [],
      ),
  ),
  table('name', 'type smallint, parameter smallint, value text, id text', ({ index, type, id }) =>
    index.names.map(({ parameter, value }) => [type, parameter, value, id]),
  ),
  table('identifier', 'type smallint, value text, system text, id text', ({ index, type, id }) =>
    index.identifiers.map(({ system, value }) => [type, value, system, id]),
  ),
  table(
    'roster',
    'type smallint, id text, ordinal smallint, key text, sort text, born text',
    ({ index: { roster }, type, id }) =>
      roster?.keys.map((key, ordinal) => [type, id, ordinal, key, roster.sort, roster.born]) ?? [],
  ),
  table(
    'link',
    'kind smallint, target_type smallint, target text, source_type smallint, source text',
    ({ index, type, id }) =>
      index.links.map(({ kind, targetType, target }) => [kind, targetType, target, type, id]),
  ),
]

export async function insertIndexRows(run: Run, datasetId: number, drafts: readonly Draft[]): Promise<void> {
  const { bind, values } = createBinds()
  const dataset = bind(datasetId)
  const filled: string[] = []
  const parts = indexTables.flatMap(({ name, columns, types, rows }) => {
    const added = drafts.flatMap(rows)
    if (added.length === 0) return []
    filled.push(name)
    const arrays = types.map((type, at) => `${bind(added.map((row) => row[at]))}::${type}[]`)
    return `${name} AS (INSERT INTO clinical.${name} (dataset_id, ${columns.join(', ')})
              SELECT ${dataset}::int, w.* FROM unnest(${arrays.join(', ')}) AS w)`
  })
  if (parts.length === 0) return
  await run(datasetId, {
    name: `write:add:${filled.join(',')}`,
    text: `WITH ${parts.join(', ')} SELECT`,
    values,
  })
}
