/**
 * What an import knows of its sources: which resource each became and by which keys others may refer to it. Lies
 * in temporary tables of one connection, so that memory stays flat and a killed import leaves nothing.
 */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../../server/contract/fhir-registry.ts'
import { copyIn, copyLine } from '../../server/store/copy-in.ts'

export interface Entry {
  readonly file: number
  readonly position: number
  readonly type: FhirType
  /** As it will be stored. */
  readonly id: string
  /** Of the text, to know the same resource again. */
  readonly hash: string
  readonly keys: readonly string[]
}

export interface Target {
  readonly type: FhirType
  readonly id: string
}

export async function openLedger(client: pg.PoolClient) {
  await client.query(`
    SET statement_timeout = 0;
    CREATE TEMP TABLE import_source (file int, position int, type smallint, id text COLLATE "C", hash text,
      rejected boolean DEFAULT false, PRIMARY KEY (file, position));
    CREATE UNIQUE INDEX ON import_source (type, id);
    CREATE TEMP TABLE import_key (key text COLLATE "C", file int, position int);
    CREATE INDEX ON import_key (key)`)

  /** Those of the addresses that the load has already, by `Type/id`. */
  async function findTaken(
    addresses: readonly Target[],
  ): Promise<Map<string, { hash: string; file: number; position: number }>> {
    const { rows } = await client.query<{
      type: number
      id: string
      hash: string
      file: number
      position: number
    }>(
      `SELECT s.* FROM unnest($1::smallint[], $2::text[]) AS w (type, id) JOIN import_source s USING (type, id)`,
      [addresses.map(({ type }) => fhirTypeNumbers[type]), addresses.map(({ id }) => id)],
    )
    return new Map(rows.map((row) => [`${fhirTypeOf(row.type)}/${row.id}`, row]))
  }

  async function add(entries: readonly Entry[]): Promise<void> {
    const sources = entries.map(({ file, position, type, id, hash }) =>
      copyLine([file, position, fhirTypeNumbers[type], id, hash]),
    )
    await copyIn(client, 'import_source (file, position, type, id, hash)', sources.join(''))
    await addKeys(entries)
  }

  /** More keys of sources that are there. */
  async function addKeys(
    entries: readonly { keys: readonly string[]; file: number; position: number }[],
  ): Promise<void> {
    const lines = entries.flatMap(({ keys, file, position }) =>
      keys.map((key) => copyLine([key, file, position])),
    )
    if (lines.length > 0) await copyIn(client, 'import_key (key, file, position)', lines.join(''))
  }

  /** What sources became, by position; refused and repeated ones are left out. */
  async function findSources(file: number, positions: readonly number[]): Promise<Map<number, Target>> {
    const { rows } = await client.query<{ position: number; type: number; id: string }>(
      `SELECT position, type, id FROM import_source
       WHERE file = $1 AND position = ANY ($2::int[]) AND NOT rejected`,
      [file, positions],
    )
    return new Map(rows.map((row) => [row.position, { type: fhirTypeOf(row.type), id: row.id }]))
  }

  /** Of each key the resource of this load that it names; of several the first read. */
  async function resolve(keys: readonly string[]): Promise<Map<string, Target>> {
    const { rows } = await client.query<{ key: string; type: number; id: string }>(
      `SELECT DISTINCT ON (k.key) k.key, s.type, s.id
       FROM import_key k JOIN import_source s USING (file, position)
       WHERE k.key = ANY ($1::text[]) AND NOT s.rejected ORDER BY k.key, k.file, k.position`,
      [keys],
    )
    return new Map(rows.map((row) => [row.key, { type: fhirTypeOf(row.type), id: row.id }]))
  }

  async function reject(file: number, positions: readonly number[]): Promise<void> {
    await client.query(
      'UPDATE import_source SET rejected = true WHERE file = $1 AND position = ANY ($2::int[])',
      [file, positions],
    )
  }

  /** Of the addresses those that the dataset holds, by `Type/id`. */
  async function findStored(datasetId: number, addresses: readonly Target[]): Promise<Set<string>> {
    const { rows } = await client.query<{ type: number; id: string }>(
      `SELECT r.type, r.id FROM unnest($2::smallint[], $3::text[]) AS w (type, id)
       JOIN clinical.resource r ON r.dataset_id = $1 AND r.type = w.type AND r.id = w.id AND NOT r.deleted`,
      [datasetId, addresses.map(({ type }) => fhirTypeNumbers[type]), addresses.map(({ id }) => id)],
    )
    return new Set(rows.map((row) => `${fhirTypeOf(row.type)}/${row.id}`))
  }

  return { findTaken, add, addKeys, findSources, resolve, reject, findStored }
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>
