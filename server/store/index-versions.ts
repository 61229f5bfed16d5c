/**
 * Finds out which search parameters the stored index rows support. Each resource row has the number of the definition that
 * its index rows were computed by. Definitions are in `clinical.index_definition`, so that different releases know what
 * each other's rows contain. A parameter is offered if every live row has it.
 */
import {
  type FhirType,
  type FhirTypeRow,
  fhirRegistry,
  fhirTypeNumbers,
  fhirTypeOf,
  registryRow,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { recordNumber } from '../search/patient-record.ts'
import { noDataset, type Statements } from './statements.ts'

/** Changes by other processes are noticed after this time. */
const rememberMs = 5_000
const attemptsMax = 5

const types = Object.keys(fhirRegistry) as FhirType[]

export type VersionNumbers = Readonly<Record<FhirType, number>>

/** Live rows of one type and definition, and the parts that they lack. */
export interface RowsBehind {
  readonly type: FhirType
  readonly number: number
  readonly missing: readonly string[]
}

/** Returns a type's registry row without what the index does not support yet. */
export type OfferedRow = (type: FhirType) => FhirTypeRow

interface StoredDefinition {
  type: number
  number: number
  parts: IndexDefinition
}

export function createIndexVersions({ run }: Pick<Statements, 'run'>) {
  let numbers: Promise<VersionNumbers> | null = null
  let offered: { readonly missing: string; readonly row: OfferedRow } = { missing: '[]', row: registryRow }
  let seen: { readonly at: number; readonly behind: Promise<readonly RowsBehind[]> } | null = null

  /** @returns by type, the definition number of the rows that this release writes */
  function ownNumbers(): Promise<VersionNumbers> {
    numbers ??= allotNumbers().catch((error: unknown) => {
      numbers = null
      throw error
    })
    return numbers
  }

  async function allotNumbers(): Promise<VersionNumbers> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const stored = await listDefinitions()
      const known = types.map((type) => {
        const current = stored.filter(
          (definition) => definition.type === fhirTypeNumbers[type] && isCurrent(type, definition.parts),
        )
        return [type, current.at(-1)?.number] as const
      })
      const unknown = known.flatMap(([type, number]) => (number === undefined ? [type] : []))
      if (unknown.length === 0) return Object.fromEntries(known) as VersionNumbers
      await addDefinitions(unknown)
    }
    throw new Error('no number was left for the definition of the search index')
  }

  async function listDefinitions(): Promise<StoredDefinition[]> {
    const { rows } = await run<StoredDefinition>(noDataset, {
      name: 'index:definitions',
      text: 'SELECT type, number, parts FROM clinical.index_definition ORDER BY type, number',
      values: [],
    })
    return rows
  }

  /** Two processes may take the same number at once: one of them finds its definition missing and tries again. */
  async function addDefinitions(missing: readonly FhirType[]): Promise<void> {
    await run(noDataset, {
      name: 'index:define',
      text: `INSERT INTO clinical.index_definition (type, number, parts)
             SELECT w.type, 1 + coalesce((SELECT max(d.number) FROM clinical.index_definition d WHERE d.type = w.type), 0),
                    w.parts
             FROM unnest($1::smallint[], $2::jsonb[]) AS w (type, parts)
             ON CONFLICT DO NOTHING`,
      values: [
        missing.map((type) => fhirTypeNumbers[type]),
        missing.map((type) => JSON.stringify(indexDefinitions[type])),
      ],
    })
  }

  /** Costs one index lookup for each pair of type and number, not for each row. */
  async function findBehind(): Promise<readonly RowsBehind[]> {
    const own = await ownNumbers()
    const { rows } = await run<Omit<StoredDefinition, 'parts'> & { parts: IndexDefinition | null }>(
      noDataset,
      {
        name: 'index:behind',
        text: `WITH RECURSIVE pair AS (
               (SELECT type, index_version FROM clinical.resource WHERE NOT deleted
                ORDER BY type, index_version LIMIT 1)
               UNION ALL
               SELECT next.type, next.index_version FROM pair CROSS JOIN LATERAL (
                 SELECT r.type, r.index_version FROM clinical.resource r
                 WHERE NOT r.deleted AND (r.type, r.index_version) > (pair.type, pair.index_version)
                 ORDER BY r.type, r.index_version LIMIT 1) next)
             SELECT pair.type, pair.index_version AS number, d.parts
             FROM pair LEFT JOIN clinical.index_definition d ON (d.type, d.number) = (pair.type, pair.index_version)
             WHERE pair.type = ANY ($1::smallint[])
               AND (pair.type, pair.index_version) NOT IN (SELECT * FROM unnest($1::smallint[], $2::smallint[]))
               AND EXISTS (SELECT 1 FROM clinical.dataset s CROSS JOIN LATERAL (
                 SELECT 1 FROM clinical.resource r
                 WHERE r.type = pair.type AND r.index_version = pair.index_version AND r.dataset_id IN (s.id, -s.id)
                   AND NOT r.deleted LIMIT 1) live WHERE s.state <> 'deleting')`,
        values: [types.map((type) => fhirTypeNumbers[type]), types.map((type) => own[type])],
      },
    )
    return rows.flatMap(({ type, number, parts }) => {
      const missing = missingParts(fhirTypeOf(type), parts)
      return missing.length === 0 ? [] : [{ type: fhirTypeOf(type), number, missing }]
    })
  }

  /** The result of `findBehind`, cached for a few seconds. */
  function rowsBehind(): Promise<readonly RowsBehind[]> {
    if (seen !== null && performance.now() - seen.at < rememberMs) return seen.behind
    const fresh = { at: performance.now(), behind: findBehind() }
    fresh.behind.catch(() => {
      if (seen === fresh) seen = null
    })
    seen = fresh
    return fresh.behind
  }

  /** Counts the live resources of each type whose index rows lack a part. */
  async function countBehind(): Promise<Partial<Record<FhirType, number>>> {
    const behind = await findBehind()
    if (behind.length === 0) return {}
    const { rows } = await run<{ type: number; count: number }>(noDataset, {
      name: 'index:count',
      text: `SELECT w.type, count(*)::int AS count FROM unnest($1::smallint[], $2::smallint[]) AS w (type, number)
             JOIN clinical.resource r ON r.type = w.type AND r.index_version = w.number AND NOT r.deleted
             GROUP BY w.type ORDER BY w.type`,
      values: [behind.map(({ type }) => fhirTypeNumbers[type]), behind.map(({ number }) => number)],
    })
    return Object.fromEntries(rows.map(({ type, count }) => [fhirTypeOf(type), count]))
  }

  /** Returns the same function as long as the offered parameters do not change. */
  async function offeredRows(): Promise<OfferedRow> {
    const behind = await rowsBehind()
    const missing = JSON.stringify(
      behind.flatMap((rows) => rows.missing.map((part) => [rows.type, part])).sort(),
    )
    if (missing !== offered.missing) offered = { missing, row: rowsWithout(behind) }
    return offered.row
  }

  return {
    ownNumbers,
    findBehind,
    rowsBehind,
    countBehind,
    offeredRows,
    /** Clears the cache of `rowsBehind`. */
    forget: () => {
      seen = null
    },
  }
}

export type IndexVersions = ReturnType<typeof createIndexVersions>

function rowsWithout(behind: readonly RowsBehind[]): OfferedRow {
  const missing = new Set(behind.flatMap(({ type, missing }) => missing.map((part) => `${type}:${part}`)))
  const isIndexed = (type: string, name: string) =>
    !missing.has(`${type}:${name === 'patient' ? ownerPart : name}`)
  /** @param include `Type:parameter` or `Type:parameter:Target` */
  const isIncludable = (include: string) => {
    const [type = '', name = ''] = include.split(':')
    return isIndexed(type, name)
  }
  const rows = new Map(types.map((type) => [type, rowWithout(type)]))
  return (type) => rows.get(type) ?? registryRow(type)

  function rowWithout(type: FhirType): FhirTypeRow {
    const row = registryRow(type)
    const isSupported = (combination: string) => combination.split('+').every((name) => isIndexed(type, name))
    return {
      ...row,
      parameters: row.parameters.filter(({ name }) => isIndexed(type, name)),
      combinations: {
        shall: row.combinations.shall.filter(isSupported),
        should: row.combinations.should.filter(isSupported),
      },
      includes: row.includes.filter(isIncludable),
      revIncludes: row.revIncludes.filter(isIncludable),
    }
  }
}

// An index definition describes how the index rows of a type are computed, part by part. It is stored under the number in
// `index_version`, so that a later release knows which parts older rows have.

/** Raise a number when index-rows.ts or roster.ts computes different rows from the same content. */
const ruleNumbers = {
  string: 1,
  identifier: 1,
  token: 1,
  date: 1,
  reference: 1,
  canonical: 1,
  owner: 1,
  roster: 1,
}

/** Definitions by part. A part is a search parameter or one of the three below. */
type IndexDefinition = Readonly<Record<string, string>>

/** The patient of a resource, which a search by `patient` reads. */
const ownerPart = '~owner'
/** The roster rows of a resource; no search parameter reads them. */
const rosterPart = '~roster'
/** The REST record beside a resource; no search parameter reads it. */
const recordPart = '~record'

const indexDefinitions = Object.fromEntries(
  (Object.keys(fhirRegistry) as FhirType[]).map((type) => [type, definitionOf(type)]),
) as Readonly<Record<FhirType, IndexDefinition>>

/** @returns the parts of a type that rows with this definition lack or have in another form; all if it is unknown */
function missingParts(type: FhirType, stored: IndexDefinition | null): string[] {
  return Object.entries(indexDefinitions[type]).flatMap(([part, text]) =>
    stored?.[part] === text ? [] : [part],
  )
}

function isCurrent(type: FhirType, stored: IndexDefinition): boolean {
  const parts = Object.keys(indexDefinitions[type])
  return parts.length === Object.keys(stored).length && missingParts(type, stored).length === 0
}

function definitionOf(type: FhirType): IndexDefinition {
  const { compartment, compartmentThrough, parameters, roster } = fhirRegistry[type]
  return {
    [ownerPart]: textOf(ruleNumbers.owner, compartment, compartmentThrough ?? []),
    ...(roster && {
      [rosterPart]: textOf(
        ruleNumbers.roster,
        roster.names,
        roster.path,
        roster.bornPath ?? '',
        roster.identifierSystem ?? '',
      ),
    }),
    ...(type === 'Patient' && { [recordPart]: textOf(recordNumber) }),
    ...Object.fromEntries(parameters.flatMap((row) => partOf(row) ?? [])),
  }
}

/** Null for a parameter that reads columns of the resource row. */
function partOf({ name, kind, paths, system, sorts, selective }: SearchParameterRow) {
  if (kind === 'id' || kind === 'updated' || kind === 'patient') return null
  const place = sorts ? 'sort date' : selective ? 'selective' : ''
  return [[name, textOf(ruleNumbers[kind], searchParameterNumbers[name], kind, paths, system ?? '', place)]]
}

function textOf(...facts: unknown[]): string {
  return JSON.stringify(facts)
}
