/**
 * Executes a `SearchPlan`: one prepared statement that first asks whether the credential is good now and,
 * only if it is, reads the page. Texts are handed on as stored; nothing is parsed here.
 */
import { fhirTypeNumbers, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { endOfPrefix } from '../contract/text/fold.ts'
import type { Criterion, SearchPlan } from '../search/plan.ts'
import type { BatchRead, ReadRow } from './batch-read.ts'
import { type Liveness, livenessSql } from './liveness.ts'
import { rosterKeysMax } from './roster.ts'
import type { Statements } from './statements.ts'

interface FoundResource {
  readonly id: string
  /** The served JSON text. */
  readonly content: string
}

interface Found {
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

export function createFind({ run }: Statements, batchRead: BatchRead) {
  /** @throws Problem `unavailable` without a connection within 1 s or an answer within 5 s. */
  async function find(datasetId: number, plan: SearchPlan, liveness: Liveness): Promise<Found> {
    const [only, ...more] = plan.criteria
    if (only?.kind !== 'id' || more.length > 0 || plan.offset > 0 || plan.limit < 1) {
      return findPage(datasetId, plan, liveness)
    }
    const read = { type: plan.type, id: only.id, patientId: null }
    const alone = async () => toReadRow(await findPage(datasetId, plan, liveness))
    const { alive, id, content } = await batchRead(datasetId, read, liveness, alone)
    return { alive, rows: id === null || content === null ? [] : [{ id, content }], hasMore: false }
  }

  async function findPage(datasetId: number, plan: SearchPlan, liveness: Liveness): Promise<Found> {
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

/** Of a page of one resource. */
function toReadRow({ alive, rows }: Found): ReadRow {
  const { id = null, content = null } = rows[0] ?? {}
  return { alive, id, content, patientId: null, version: null, lastUpdated: null }
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
  const shape = criteria.map((each) => (isYear(each) ? 'year' : each.kind)).join('+') || 'all'
  const only = byKind.size === 1 ? criteria[0] : undefined
  return { shape, text: pageText(plan, byKind, only, bind), values }
}

function pageText(
  plan: SearchPlan,
  byKind: ReadonlyMap<string, Criterion>,
  only: Criterion | undefined,
  bind: Bind,
): string {
  if (only?.kind === 'refersTo') return linkedPage(only, plan, bind)
  if (only?.kind !== 'id') return rosterPage(plan, byKind, bind)
  return `SELECT '' AS sort, r.id, r.content FROM clinical.resource r
          WHERE r.dataset_id = $1 AND r.type = $2 AND r.id = ${bind(only.id)} AND NOT r.deleted`
}

/** A page of a list in the order of the roster: first which, from narrow rows, then their texts. */
function rosterPage(
  plan: SearchPlan,
  byKind: ReadonlyMap<string, Criterion>,
  bind: (value: unknown) => string,
): string {
  const typed = byKind.get('roster')
  const conditions = [...byKind.values()].flatMap((criterion) => condition(criterion, bind))
  const limit = `${bind(plan.limit + 1)}::int`
  const offset = `${bind(plan.offset)}::int`
  const chosen =
    typed?.kind !== 'roster'
      ? `SELECT k.sort, k.id FROM clinical.roster k WHERE ${[...ofOne, ...conditions].join(' AND ')}`
      : [...byKind.values()].every((each) => each === typed || isYear(each))
        ? rankedKeys(typed, conditions, `${offset} + ${limit}`, bind)
        : rankedAmong(typed, conditions, bind)
  return `SELECT listed.sort, r.id, r.content
          FROM (SELECT chosen.sort, chosen.id FROM (${chosen}) chosen
                ORDER BY chosen.sort, chosen.id LIMIT ${limit} OFFSET ${offset}) listed
          JOIN clinical.resource r
            ON r.dataset_id = $1 AND r.type = $2 AND r.id = listed.id AND NOT r.deleted`
}

/** Each resource once. */
const ofOne = ['k.dataset_id = $1', 'k.type = $2', 'k.ordinal = 0']

type Typed = Extract<Criterion, { kind: 'roster' }>
type Bind = (value: unknown) => string

/**
 * In the order of the matching keys, which is rank: a whole word stands before the longer ones that begin with it.
 * Every beginning is a range of one index, read in order and no further than `enough` different resources need.
 * Where nothing else is asked, as many keys of each as there may be are read: that costs less than to look which of
 * them is the first. A year of birth holds too many people to begin with them, and leaves few of those that begin
 * so: of these only the first key counts, told by a lookup that comes last, and that OFFSET keeps a lookup.
 */
function rankedKeys({ prefixes }: Typed, conditions: readonly string[], enough: string, bind: Bind): string {
  const [filter, rows] =
    conditions.length === 0
      ? ['', `(${enough}) * ${rosterKeysMax}`]
      : [` AND ${conditions.join(' AND ')} AND ${isFirstKey}`, enough]
  return `SELECT min(top.key) AS sort, top.id
          FROM ${ranges(prefixes, bind)} CROSS JOIN LATERAL (
            SELECT k.key, k.id FROM clinical.roster k
            WHERE k.dataset_id = $1 AND k.type = $2 AND k.key >= b.low AND k.key < b.high${filter}
            ORDER BY k.key, k.id LIMIT ${rows}
          ) top GROUP BY top.id`
}

const isFirstKey = `NOT EXISTS (SELECT 1 FROM clinical.roster own WHERE own.dataset_id = $1 AND own.type = $2
  AND own.id = k.id AND own.key >= b.low AND own.key < k.key OFFSET 0)`

/** The same rank among the few that the other criteria leave. */
function rankedAmong({ prefixes }: Typed, conditions: readonly string[], bind: Bind): string {
  return `SELECT matched.sort, k.id FROM clinical.roster k CROSS JOIN LATERAL (
            SELECT min(own.key) AS sort FROM clinical.roster own, ${ranges(prefixes, bind)}
            WHERE own.dataset_id = $1 AND own.type = $2 AND own.id = k.id AND own.key >= b.low AND own.key < b.high
          ) matched
          WHERE ${[...ofOne, ...conditions].join(' AND ')} AND matched.sort IS NOT NULL`
}

function isYear(criterion: Criterion): boolean {
  return criterion.kind === 'born' && criterion.prefix.length === 4
}

function ranges(prefixes: readonly string[], bind: Bind): string {
  return `unnest(${bind(prefixes)}::text[], ${bind(prefixes.map(endOfPrefix))}::text[]) AS b (low, high)`
}

function condition(criterion: Criterion, bind: Bind): string[] {
  switch (criterion.kind) {
    case 'roster':
    case 'refersTo':
      return [] // in pages of their own
    case 'id':
      return [`k.id = ${bind(criterion.id)}`]
    case 'born':
      return [`k.born >= ${bind(criterion.prefix)}`, `k.born < ${bind(endOfPrefix(criterion.prefix))}`]
    case 'identifier':
      return [
        `k.id = ANY (ARRAY(SELECT i.id FROM clinical.identifier i WHERE i.dataset_id = $1 AND i.type = $2
           AND i.value = ${bind(criterion.value)} AND i.system = ${bind(criterion.system)}))`,
      ]
    case 'through':
      return [throughLinks(criterion, bind)]
    case 'nothing':
      return ['false']
  }
}

/** Resources that refer to one of the targets, in the order of ids. */
function linkedPage(
  { by, target }: Extract<Criterion, { kind: 'refersTo' }>,
  plan: SearchPlan,
  bind: Bind,
): string {
  return `SELECT '' AS sort, r.id, r.content
          FROM (SELECT DISTINCT l.source FROM clinical.link l
                WHERE l.dataset_id = $1 AND l.kind = ${bind(searchParameterNumbers[by])}
                  AND l.target_type = ${bind(fhirTypeNumbers[target.type])}
                  AND l.target = ANY (${bind(target.ids)}::text[]) AND l.source_type = $2
                ORDER BY l.source LIMIT ${bind(plan.limit + 1)}::int OFFSET ${bind(plan.offset)}::int) listed
          JOIN clinical.resource r
            ON r.dataset_id = $1 AND r.type = $2 AND r.id = listed.source AND NOT r.deleted`
}

function throughLinks({ type, by, to, target }: Extract<Criterion, { kind: 'through' }>, bind: Bind): string {
  const source = bind(fhirTypeNumbers[type])
  return `k.id = ANY (ARRAY(
            SELECT here.target FROM clinical.link there
            JOIN clinical.link here ON here.dataset_id = $1 AND here.source_type = there.source_type
              AND here.source = there.source AND here.kind = ${bind(searchParameterNumbers[by])} AND here.target_type = $2
            JOIN clinical.resource r ON r.dataset_id = $1 AND r.type = there.source_type AND r.id = there.source
              AND NOT r.deleted AND (r.content::jsonb -> 'active') IS DISTINCT FROM 'false'::jsonb
            WHERE there.dataset_id = $1 AND there.kind = ${bind(searchParameterNumbers[to])}
              AND there.target_type = ${bind(fhirTypeNumbers[target.type])} AND there.target = ${bind(target.id)}
              AND there.source_type = ${source}))`
}
