/** Stores and removes the index rows beside `resource`: one statement per table, whatever the number of rows. */
import type pg from 'pg'
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
import type { Statements } from './statements.ts'

type Run = Statements['run']

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

/** Rows of the versions that are about to be replaced. */
export async function removeIndexRows(
  run: Run,
  datasetId: number,
  previous: readonly { type: number; id: string; patientId: string | null }[],
  client: pg.PoolClient,
): Promise<void> {
  if (previous.length === 0) return
  const types = previous.map((row) => row.type)
  const ids = previous.map((row) => row.id)
  for (const [table, type, id] of [
    ['name', 'type', 'id'],
    ['identifier', 'type', 'id'],
    ['roster', 'type', 'id'],
    ['link', 'source_type', 'source'],
  ] as const) {
    await run(
      datasetId,
      {
        name: `write:remove:${table}`,
        text: `DELETE FROM clinical.${table} t USING unnest($2::smallint[], $3::text[]) AS w (type, id)
               WHERE t.dataset_id = $1 AND t.${type} = w.type AND t.${id} = w.id`,
        values: [datasetId, types, ids],
      },
      client,
    )
  }
  for (const table of ['moment', 'coding'] as const) {
    await run(
      datasetId,
      {
        name: `write:remove:${table}`,
        text: `DELETE FROM clinical.${table} t
               USING unnest($2::smallint[], $3::text[], $4::text[]) AS w (type, id, patient_id)
               WHERE t.dataset_id = $1 AND t.patient_id = w.patient_id AND t.type = w.type AND t.id = w.id`,
        values: [datasetId, types, ids, previous.map((row) => row.patientId ?? '')],
      },
      client,
    )
  }
}

const selective: ReadonlySet<string> = new Set(
  (Object.keys(fhirRegistry) as FhirType[]).flatMap((type) =>
    fhirRegistry[type].parameters
      .filter((parameter) => parameter.selective)
      .map(({ name }) => `${type} ${searchParameterNumbers[name]}`),
  ),
)

/** Whether `coding` holds the values of a parameter, by its number. */
export function isSelective(type: FhirType, parameter: number): boolean {
  return selective.has(`${type} ${parameter}`)
}

interface IndexTable {
  readonly name: string
  /** Column names with their array types, after dataset_id. */
  readonly columns: readonly (readonly [column: string, type: string])[]
  readonly rows: (draft: Draft) => readonly (readonly CopyValue[])[]
}

export const indexTables: readonly IndexTable[] = [
  {
    name: 'moment',
    columns: [
      ['patient_id', 'text'],
      ['type', 'smallint'],
      ['parameter', 'smallint'],
      ['low', 'timestamptz'],
      ['high', 'timestamptz'],
      ['id', 'text'],
    ],
    rows: ({ resource, index }) =>
      index.moments.map(({ parameter, low, high }) => [
        index.patientId ?? '',
        fhirTypeNumbers[resource.resourceType],
        parameter,
        low,
        high,
        resource.id,
      ]),
  },
  {
    name: 'coding',
    columns: [
      ['patient_id', 'text'],
      ['type', 'smallint'],
      ['token', 'integer'],
      ['id', 'text'],
    ],
    rows: ({ resource, index, tokens }) =>
      index.tokens.flatMap(({ parameter }, position) =>
        isSelective(resource.resourceType, parameter)
          ? [
              [
                index.patientId ?? '',
                fhirTypeNumbers[resource.resourceType],
                tokens[position] ?? -1,
                resource.id,
              ],
            ]
          : [],
      ),
  },
  {
    name: 'name',
    columns: [
      ['type', 'smallint'],
      ['parameter', 'smallint'],
      ['value', 'text'],
      ['id', 'text'],
    ],
    rows: ({ resource, index }) =>
      index.names.map(({ parameter, value }) => [
        fhirTypeNumbers[resource.resourceType],
        parameter,
        value,
        resource.id,
      ]),
  },
  {
    name: 'identifier',
    columns: [
      ['type', 'smallint'],
      ['value', 'text'],
      ['system', 'text'],
      ['id', 'text'],
    ],
    rows: ({ resource, index }) =>
      index.identifiers.map(({ system, value }) => [
        fhirTypeNumbers[resource.resourceType],
        value,
        system,
        resource.id,
      ]),
  },
  {
    name: 'roster',
    columns: [
      ['type', 'smallint'],
      ['id', 'text'],
      ['ordinal', 'smallint'],
      ['key', 'text'],
      ['sort', 'text'],
      ['born', 'text'],
    ],
    rows: ({ resource, index }) =>
      (index.roster?.keys ?? []).map((key, ordinal) => [
        fhirTypeNumbers[resource.resourceType],
        resource.id,
        ordinal,
        key,
        index.roster?.sort ?? '',
        index.roster?.born ?? null,
      ]),
  },
  {
    name: 'link',
    columns: [
      ['kind', 'smallint'],
      ['target_type', 'smallint'],
      ['target', 'text'],
      ['source_type', 'smallint'],
      ['source', 'text'],
    ],
    rows: ({ resource, index }) =>
      index.links.map(({ kind, targetType, target }) => [
        kind,
        targetType,
        target,
        fhirTypeNumbers[resource.resourceType],
        resource.id,
      ]),
  },
]

export async function insertIndexRows(
  run: Run,
  datasetId: number,
  drafts: readonly Draft[],
  client: pg.PoolClient,
): Promise<void> {
  for (const { name, columns, rows } of indexTables) {
    const values = drafts.flatMap(rows)
    if (values.length === 0) continue
    const list = columns.map(([column]) => column).join(', ')
    const arrays = columns.map(([, type], position) => `$${position + 2}::${type}[]`).join(', ')
    await run(
      datasetId,
      {
        name: `write:add:${name}`,
        text: `INSERT INTO clinical.${name} (dataset_id, ${list}) SELECT $1::int, w.* FROM unnest(${arrays}) AS w`,
        values: [datasetId, ...columns.map((_, position) => values.map((row) => row[position]))],
      },
      client,
    )
  }
}
