/** Criteria of a FHIR plan as SQL over `clinical.resource r`; every value is a parameter. */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { protectedLabels } from '../contract/keys/class-coverage.ts'
import { endOfPrefix } from '../contract/text/fold.ts'
import type { Criterion, DateBounds, ScopeCodes, TokenValue } from '../search/plan.ts'
import { isSelective } from './index-tables.ts'
import type { Bind } from './statements.ts'

export interface Condition {
  /** Part of the statement's name: conditions of the same shape have the same SQL. */
  readonly shape: string
  readonly sql: string
}

export interface ConditionContext {
  /** Placeholders for the dataset, the number of the type and, in a chart, the patient. */
  readonly dataset: string
  readonly type: string
  readonly fhirType: FhirType
  readonly patient: string | null
  readonly bind: Bind
}

/**
 * A resource by its key. Without OFFSET the planner, which knows neither a chart's size nor how few rows are needed,
 * would read a whole practice instead.
 */
export const byKey = (dataset: string, type: string, id: string): string =>
  `SELECT * FROM clinical.resource k WHERE k.dataset_id = ${dataset} AND k.type = ${type} AND k.id = ${id} OFFSET 0`

export function conditionOf(criterion: Criterion, context: ConditionContext): Condition {
  switch (criterion.kind) {
    case 'ids':
      return { shape: 'ids', sql: `r.id = ANY (${context.bind(criterion.ids)}::text[])` }
    case 'tokens':
      return tokens(criterion, context)
    case 'identifiers':
      return identifiers(criterion, context)
    case 'strings':
      return strings(criterion, context)
    case 'dates':
      return dates(criterion, context)
    case 'links':
      return links(criterion, context)
    case 'missing':
      return missing(criterion, context)
    case 'unprotected':
      return { shape: 'unprotected', sql: `NOT ${protectedSql('r')}` }
  }
}

/**
 * Whether a resource has a label of specially protected data. Stored JSON has no spaces between its parts, so a search
 * in the text is enough. It also matches a resource that has another system's code beside such a label.
 */
function protectedSql(resource: string): string {
  const { system, codes } = protectedLabels
  const labelled = codes.map((code) => `strpos(${resource}.content, '"code":"${code}"') > 0`)
  return `(strpos(${resource}.content, '${system}"') > 0 AND (${labelled.join(' OR ')}))`
}

type Of<Kind extends Criterion['kind']> = Extract<Criterion, { kind: Kind }>

/** Folds like PostgreSQL's `lower` under the collation "C", which changes ASCII letters only. */
const foldCode = (code: string) => code.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function tokens({ parameter, values, negated, exact }: Of<'tokens'>, context: ConditionContext): Condition {
  const { bind } = context
  const number = `${bind(parameter)}::smallint`
  const withCode = values.filter(({ code }) => code !== null)
  const systems = values.flatMap(({ system, code }) => (code === null ? [system] : []))
  const parts = [
    ...(withCode.length === 0 ? [] : [dictionaryIds(withCode, exact, number, bind)]),
    ...(systems.length === 0
      ? []
      : [idsInUse(parameter, number, `AND d.system = ANY (${bind(systems)}::text[])`, context)]),
  ]
  const form = systems.length === 0 ? '' : withCode.length === 0 ? '-systems' : '-mixed'
  const selective = systems.length > 0 && isSelective(context.fhirType, parameter) ? '-selective' : ''
  return {
    shape: `${negated ? 'not-' : ''}${exact ? 'exact-' : ''}tokens${form}${selective}`,
    sql: `${negated ? 'NOT ' : ''}(r.tokens && ARRAY(${parts.join(' UNION ALL ')}))`,
  }
}

/** SQL for the dictionary ids of values that each have a code. */
function dictionaryIds(values: readonly TokenValue[], exact: boolean, parameter: string, bind: Bind): string {
  const sameCode = exact
    ? 'lower(d.code) = lower(w.code COLLATE "C") AND d.code = w.code'
    : 'lower(d.code) = w.code'
  return `SELECT d.id FROM ${codeList(values, exact, bind)} AS w (system, code)
    JOIN clinical.dictionary d ON d.parameter = ${parameter} AND ${sameCode}
      AND (w.system IS NULL OR d.system = w.system)`
}

function codeList(values: readonly TokenValue[], exact: boolean, bind: Bind): string {
  const systems = bind(values.map(({ system }) => system))
  const codes = bind(values.map(({ code }) => (exact ? code : foldCode(code ?? ''))))
  return `unnest(${systems}::text[], ${codes}::text[])`
}

/**
 * SQL for all dictionary ids of a parameter, which may be thousands. If charts have an index of the parameter, only the
 * ids in the patient's chart.
 */
function idsInUse(
  parameter: number,
  number: string,
  more: string,
  { dataset, type, fhirType, patient }: ConditionContext,
): string {
  if (!isSelective(fhirType, parameter)) {
    return `SELECT d.id FROM clinical.dictionary d WHERE d.parameter = ${number} ${more}`
  }
  return `SELECT c.token FROM (
      SELECT DISTINCT c.token FROM clinical.coding c
      WHERE c.dataset_id = ${dataset} AND c.patient_id = ${patient ?? "''"} AND c.type = ${type}) c
    JOIN clinical.dictionary d ON d.id = c.token AND d.parameter = ${number} ${more}`
}

/**
 * SQL that lists the ids of the few resources that a criterion can match, some perhaps in other charts; null if the
 * criterion must be checked on every resource of a chart.
 */
export function candidatesOf(
  criterion: Criterion,
  { dataset, type, fhirType, patient, bind }: ConditionContext,
): Condition | null {
  switch (criterion.kind) {
    case 'ids':
      return { shape: 'by-id', sql: `SELECT w.id FROM unnest(${bind(criterion.ids)}::text[]) AS w (id)` }
    case 'links': {
      const types = bind(criterion.targets.map((target) => fhirTypeNumbers[target.type]))
      const ids = bind(criterion.targets.map(({ id }) => id))
      return {
        shape: 'by-link',
        sql: `SELECT l.source AS id FROM unnest(${types}::smallint[], ${ids}::text[]) AS w (type, id)
          CROSS JOIN LATERAL (SELECT l.source FROM clinical.link l WHERE l.dataset_id = ${dataset}
            AND l.kind = ${bind(criterion.parameter)}::smallint AND l.target_type = w.type AND l.target = w.id
            AND l.source_type = ${type} OFFSET 0) l`,
      }
    }
    case 'identifiers': {
      if (criterion.negated || criterion.values.some(({ code }) => code === null)) return null
      const systems = bind(criterion.values.map(({ system }) => system))
      const codes = bind(criterion.values.map(({ code }) => foldCode(code ?? '')))
      return {
        shape: 'by-identifier',
        sql: `SELECT i.id FROM unnest(${systems}::text[], ${codes}::text[]) AS w (system, value)
          JOIN clinical.identifier i ON i.dataset_id = ${dataset} AND i.type = ${type}
            AND lower(i.value) = w.value AND (w.system IS NULL OR i.system = w.system)`,
      }
    }
    case 'strings': {
      if (criterion.match === 'contains') return null
      const low = bind(criterion.values.map(({ folded }) => folded))
      const high = bind(criterion.values.map(({ folded }) => endOfPrefix(folded)))
      return {
        shape: 'by-name',
        sql: `SELECT n.id FROM unnest(${low}::text[], ${high}::text[]) AS w (low, high)
          JOIN clinical.name n ON n.dataset_id = ${dataset} AND n.type = ${type}
            AND n.parameter = ${bind(criterion.parameter)}::smallint AND n.value >= w.low AND n.value < w.high`,
      }
    }
    case 'tokens': {
      const { parameter, values, negated, exact } = criterion
      if (negated || values.some(({ code }) => code === null) || !isSelective(fhirType, parameter))
        return null
      const codes = dictionaryIds(values, exact, `${bind(parameter)}::smallint`, bind)
      return {
        shape: 'by-code',
        sql: `SELECT c.id FROM clinical.coding c WHERE c.dataset_id = ${dataset}
          AND c.patient_id = ${patient ?? "''"} AND c.type = ${type} AND c.token = ANY (ARRAY(${codes}))`,
      }
    }
    default:
      return null
  }
}

/** Matches a resource with any code of the caller's scopes. @param alias of the resource */
export const scopeCondition = (codes: ScopeCodes, bind: Bind, alias = 'r'): string =>
  `${alias}.tokens && ARRAY(${scopeTokens(codes, bind)})`

/** SQL for the dictionary ids of these codes. */
export function scopeTokens(codes: ScopeCodes, bind: Bind): string {
  const parameters = bind(codes.map(({ parameter }) => parameter))
  const list = codeList(codes, false, bind).replace('unnest(', `unnest(${parameters}::smallint[], `)
  return `SELECT d.id FROM ${list} AS w (parameter, system, code)
    JOIN clinical.dictionary d ON d.parameter = w.parameter AND lower(d.code) = w.code
      AND (w.system IS NULL OR d.system = w.system)`
}

function identifiers({ values, negated }: Of<'identifiers'>, { dataset, type, bind }: ConditionContext) {
  const systems = bind(values.map(({ system }) => system))
  const codes = bind(values.map(({ code }) => code && foldCode(code)))
  return {
    shape: negated ? 'not-identifiers' : 'identifiers',
    sql: `${negated ? 'NOT ' : ''}EXISTS (
      SELECT 1 FROM clinical.identifier i
      JOIN unnest(${systems}::text[], ${codes}::text[]) AS w (system, value)
        ON (w.system IS NULL OR i.system = w.system) AND (w.value IS NULL OR lower(i.value) = w.value)
      WHERE i.dataset_id = ${dataset} AND i.type = ${type} AND i.id = r.id OFFSET 0)`,
  }
}

function strings(
  { parameter, match, values, paths }: Of<'strings'>,
  { dataset, type, bind }: ConditionContext,
): Condition {
  const folded = bind(values.map((value) => value.folded))
  const name = `clinical.name n WHERE n.dataset_id = ${dataset} AND n.type = ${type} AND n.id = r.id
      AND n.parameter = ${bind(parameter)}::smallint`
  const shape = `strings-${match}`
  if (match === 'exact') {
    const texts = bind(values.map(({ text }) => text))
    const places = bind(paths.map((path) => `$.${path}[*] ? (@ == $text)`))
    return {
      shape,
      // The index finds candidates; the stored JSON decides. Deleted resources have no JSON.
      sql: `EXISTS (
        SELECT 1 FROM unnest(${folded}::text[], ${texts}::text[]) AS w (folded, text)
        WHERE EXISTS (SELECT 1 FROM ${name} AND n.value = w.folded)
          AND CASE WHEN r.deleted THEN false ELSE EXISTS (
            SELECT 1 FROM unnest(${places}::jsonpath[]) AS place
            WHERE jsonb_path_exists(r.content::jsonb, place, jsonb_build_object('text', w.text))) END)`,
    }
  }
  if (match === 'contains') {
    return {
      shape,
      sql: `EXISTS (SELECT 1 FROM unnest(${folded}::text[]) AS w (folded)
        WHERE EXISTS (SELECT 1 FROM ${name} AND strpos(n.value, w.folded) > 0))`,
    }
  }
  const ends = bind(values.map((value) => endOfPrefix(value.folded)))
  return {
    shape,
    sql: `EXISTS (SELECT 1 FROM unnest(${folded}::text[], ${ends}::text[]) AS w (low, high)
      WHERE EXISTS (SELECT 1 FROM ${name} AND n.value >= w.low AND n.value < w.high))`,
  }
}

/** The interval's columns for each kind of date. `last_updated` is an interval of one millisecond. */
const intervalOf = {
  sort: { low: 'r.date', high: 'r.date_end' },
  updated: { low: 'r.last_updated', high: `r.last_updated + interval '1 millisecond'` },
  moment: { low: 'm.low', high: 'm.high' },
} as const

function dates({ of, parameter, bounds }: Of<'dates'>, context: ConditionContext): Condition {
  const { bind } = context
  const { low, high } = intervalOf[of]
  const within = (lowMin: string, lowMax: string, highMin: string, highMax: string) =>
    `${low} >= ${lowMin} AND ${low} < ${lowMax} AND ${high} > ${highMin} AND ${high} <= ${highMax}`
  const [first] = bounds
  const single = bounds.length === 1 && first !== undefined
  const one = (value: string) => `${bind(value)}::timestamptz`
  const all = (key: keyof DateBounds) => `${bind(bounds.map((each) => each[key]))}::timestamptz[]`
  const inside = single
    ? within(one(first.lowMin), one(first.lowMax), one(first.highMin), one(first.highMax))
    : `EXISTS (SELECT 1
        FROM unnest(${all('lowMin')}, ${all('lowMax')}, ${all('highMin')}, ${all('highMax')})
          AS w (low_min, low_max, high_min, high_max)
        WHERE ${within('w.low_min', 'w.low_max', 'w.high_min', 'w.high_max')})`
  const shape = `dates-${of}${single ? '' : '-many'}`
  if (of !== 'moment') return { shape, sql: inside }
  return { shape, sql: `r.id IN (SELECT m.id FROM ${moments(parameter, context)} AND ${inside})` }
}

function moments(parameter: number, { dataset, type, patient, bind }: ConditionContext): string {
  return `clinical.moment m WHERE m.dataset_id = ${dataset} AND m.patient_id = ${patient ?? "''"}
    AND m.type = ${type} AND m.parameter = ${bind(parameter)}::smallint`
}

function links({ parameter, targets }: Of<'links'>, { dataset, type, bind }: ConditionContext): Condition {
  const types = bind(targets.map((target) => fhirTypeNumbers[target.type]))
  const ids = bind(targets.map(({ id }) => id))
  return {
    shape: 'links',
    sql: `EXISTS (
      SELECT 1 FROM clinical.link l
      JOIN unnest(${types}::smallint[], ${ids}::text[]) AS w (type, id)
        ON l.target_type = w.type AND l.target = w.id
      WHERE l.dataset_id = ${dataset} AND l.kind = ${bind(parameter)}::smallint AND l.source_type = ${type}
        AND l.source = r.id OFFSET 0)`,
  }
}

function missing({ of, parameter, missing }: Of<'missing'>, context: ConditionContext): Condition {
  const { dataset, type, bind } = context
  const selective = of === 'tokens' && isSelective(context.fhirType, parameter) ? '-selective' : ''
  const shape = `${missing ? 'no' : 'any'}-${of}${selective}`
  if (of === 'sort') return { shape, sql: `r.date_end IS ${missing ? '' : 'NOT '}NULL` }
  const source = {
    tokens: () => `(r.tokens && ARRAY(${idsInUse(parameter, `${bind(parameter)}::smallint`, '', context)}))`,
    identifiers: () =>
      `EXISTS (SELECT 1 FROM clinical.identifier i
         WHERE i.dataset_id = ${dataset} AND i.type = ${type} AND i.id = r.id)`,
    strings: () =>
      `EXISTS (SELECT 1 FROM clinical.name n WHERE n.dataset_id = ${dataset} AND n.type = ${type}
         AND n.id = r.id AND n.parameter = ${bind(parameter)}::smallint)`,
    moment: () => `(r.id IN (SELECT m.id FROM ${moments(parameter, context)}))`,
    links: () =>
      `EXISTS (SELECT 1 FROM clinical.link l WHERE l.dataset_id = ${dataset} AND l.source_type = ${type}
         AND l.source = r.id AND l.kind = ${bind(parameter)}::smallint)`,
  }[of]
  return { shape, sql: `${missing ? 'NOT ' : ''}${source()}` }
}
