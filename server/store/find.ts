/**
 * Executes a `SearchPlan`: one prepared statement that first asks whether the credential is good now and,
 * only if it is, reads the page. Texts are handed on as stored; nothing is parsed here.
 */
import { fhirTypeNumbers } from '../contract/fhir-registry.ts'
import { endOfPrefix } from '../contract/fold.ts'
import type { Criterion, SearchPlan } from '../search/plan.ts'
import { type Liveness, livenessSql } from './liveness.ts'
import { rosterKeysMax } from './roster.ts'
import type { Statements } from './statements.ts'

export interface FoundResource {
  readonly id: string
  /** The served JSON text. */
  readonly content: string
}

export interface Found {
  /** False: the credential is not good (any more), or its practice has moved; nothing was read. */
  readonly alive: boolean
  readonly rows: readonly FoundResource[]
  /** More rows follow this page. */
  readonly hasMore: boolean
}

interface Row {
  alive: boolean
  id: string | null
  content: string | null
}

export function createFind({ run }: Statements) {
  /** @throws Problem `unavailable` without a connection within 1 s or an answer within 5 s. */
  async function find(datasetId: number, plan: SearchPlan, liveness: Liveness): Promise<Found> {
    const page = compilePage(datasetId, plan)
    const live = livenessSql(liveness, page.values.length)
    const { rows } = await run<Row>(datasetId, {
      name: `find:${page.shape}:${live.kind}`,
      text: `SELECT live.ok AS alive, q.id, q.content
             FROM (SELECT ${live.text} AS ok) live
             LEFT JOIN LATERAL (SELECT page.* FROM (${page.text}) page WHERE live.ok) q ON true
             ORDER BY q.sort, q.id`,
      values: [...page.values, ...live.values],
    })
    const found = rows.flatMap(({ id, content }) =>
      id === null || content === null ? [] : [{ id, content }],
    )
    return {
      alive: rows[0]?.alive ?? false,
      rows: found.slice(0, plan.limit),
      hasMore: found.length > plan.limit,
    }
  }

  /** Asks about the credential alone, for refusals that come before any data statement. */
  async function isAlive(datasetId: number, liveness: Liveness): Promise<boolean> {
    const live = livenessSql(liveness, 0)
    const { rows } = await run<{ alive: boolean }>(datasetId, {
      name: `alive:${live.kind}`,
      text: `SELECT ${live.text} AS alive`,
      values: live.values,
    })
    return rows[0]?.alive ?? false
  }

  return { find, isAlive }
}

interface Page {
  /** Same shape, same text: part of the statement's name. */
  readonly shape: string
  readonly text: string
  readonly values: readonly unknown[]
}

function compilePage(datasetId: number, plan: SearchPlan): Page {
  const values: unknown[] = [datasetId, fhirTypeNumbers[plan.type]]
  const bind = (value: unknown) => `$${values.push(value)}`
  // Sorted, so that plans of the same kinds have the same text.
  const criteria = [...plan.criteria].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  const byKind = new Map(criteria.map((criterion) => [criterion.kind, criterion]))
  const shape = [...byKind.keys()].join('+') || 'all'
  const only = byKind.get('id')
  const text =
    only?.kind === 'id' && byKind.size === 1
      ? `SELECT '' AS sort, r.id, r.content FROM clinical.resource r
         WHERE r.dataset_id = $1 AND r.type = $2 AND r.id = ${bind(only.id)} AND NOT r.deleted`
      : rosterPage(plan, byKind, bind)
  return { shape, text, values }
}

/** A page of a list in the order of the roster: first which, from narrow rows, then their texts. */
function rosterPage(
  plan: SearchPlan,
  byKind: ReadonlyMap<string, Criterion>,
  bind: (value: unknown) => string,
): string {
  const conditions = [...byKind.values()].flatMap((criterion) => condition(criterion, bind))
  const limit = `${bind(plan.limit + 1)}::int`
  const offset = `${bind(plan.offset)}::int`
  const where = ['k.dataset_id = $1', 'k.type = $2', ...conditions].join(' AND ')
  const chosen =
    byKind.has('roster') || byKind.has('initial')
      ? // Several keys of one resource may match. They are neighbours in the order, so that a bounded top-N
        // is enough before doubles are taken out.
        `SELECT top.sort, top.id FROM (
           SELECT k.sort, k.id FROM ${rosterSource(byKind.get('roster'), bind)} WHERE ${where}
           ORDER BY k.sort, k.id LIMIT (${offset} + ${limit}) * ${rosterKeysMax}
         ) top GROUP BY top.sort, top.id`
      : `SELECT k.sort, k.id FROM clinical.roster k WHERE ${where} AND k.ordinal = 0`
  return `SELECT listed.sort, r.id, r.content
          FROM (SELECT chosen.sort, chosen.id FROM (${chosen}) chosen
                ORDER BY chosen.sort, chosen.id LIMIT ${limit} OFFSET ${offset}) listed
          JOIN clinical.resource r
            ON r.dataset_id = $1 AND r.type = $2 AND r.id = listed.id AND NOT r.deleted`
}

/** Every beginning is a range of the same index. */
function rosterSource(criterion: Criterion | undefined, bind: (value: unknown) => string): string {
  if (criterion?.kind !== 'roster') return 'clinical.roster k'
  const low = bind(criterion.prefixes)
  const high = bind(criterion.prefixes.map(endOfPrefix))
  return `unnest(${low}::text[], ${high}::text[]) AS b (low, high)
          JOIN clinical.roster k ON k.key >= b.low AND k.key < b.high`
}

function condition(criterion: Criterion, bind: (value: unknown) => string): string[] {
  switch (criterion.kind) {
    case 'id':
      return [`k.id = ${bind(criterion.id)}`]
    case 'roster':
      return [] // in rosterSource
    case 'initial':
      // Written as the index roster_initial has it.
      return [`"left"(k.key, 1) = ${bind(criterion.letter)}`]
    case 'born':
      return [`k.born >= ${bind(criterion.prefix)}`, `k.born < ${bind(endOfPrefix(criterion.prefix))}`]
    case 'identifier':
      return [
        `k.id = ANY (ARRAY(SELECT i.id FROM clinical.identifier i WHERE i.dataset_id = $1 AND i.type = $2
           AND i.value = ${bind(criterion.value)} AND i.system = ${bind(criterion.system)}))`,
      ]
    case 'nothing':
      return ['false']
  }
}
