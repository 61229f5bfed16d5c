/** Executes plans. Each is one prepared statement, which first checks the credential. */
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../contract/fhir/registry.ts'
import {
  type EverythingPlan,
  isByName,
  type Position,
  type ReadPlan,
  type SearchPlan,
} from '../search/plan.ts'
import type { BatchRead, ReadRow, WrittenWithRead } from './batch-read.ts'
import { compileEverythingPage } from './everything-page.ts'
import { type Liveness, livenessSql, liveRow } from './liveness.ts'
import { scopeCondition } from './search-conditions.ts'
import { compilePage, includedPlace, type PageRow, type PageSql } from './search-page.ts'
import { createStatementNames } from './statement-names.ts'
import { createBinds, type Statements } from './statements.ts'

export interface FoundText {
  readonly type: FhirType
  readonly id: string
  /** JSON in UTF-8. In types with `holdsBase`, a placeholder stands for the base URL. */
  readonly content: Buffer
}

export interface StoredResource extends FoundText {
  /** The patient whose chart contains it; null outside the compartment. For the access record. */
  readonly patientId: string | null
  readonly version: number
  readonly lastUpdated: Date
}

export interface SearchPage {
  /** False if the credential is not valid (any more) or its practice has moved; nothing was read. */
  readonly alive: boolean
  /** Null after the first page, because the cursor contains it, and for lists in the order of names. */
  readonly total: number | null
  readonly matches: readonly FoundText[]
  readonly included: readonly FoundText[]
  /** Not all included resources fit on the page. The response has to say so. */
  readonly includedCut: boolean
  /** Where the next page begins; null on the last page. */
  readonly next: Position | null
}

export function createSearch({ run }: Statements, batchRead: BatchRead) {
  // Only searches vary with what callers send. The others have their own names, so that searches cannot use those up.
  const [named, namedList, namedRead] = [
    createStatementNames(),
    createStatementNames(),
    createStatementNames(),
  ]

  /** @throws Problem `unavailable` without a connection within 1 s or a result within 5 s */
  async function search(datasetId: number, plan: SearchPlan, liveness: Liveness): Promise<SearchPage> {
    const names = isByName(plan) ? namedList : named
    return toPage(await runPage(datasetId, compilePage(datasetId, plan, liveness), names))
  }

  /** Reads a page of a chart. `found` is false if the patient does not exist. */
  async function everything(datasetId: number, plan: EverythingPlan, liveness: Liveness) {
    const rows = await runPage(datasetId, compileEverythingPage(datasetId, plan, liveness))
    const page = toPage(rows)
    return { ...page, found: rows[0]?.id === 'found' }
  }

  async function runPage(datasetId: number, { shape, text, values }: PageSql, names = named) {
    const { rows } = await run<PageRow>(datasetId, { ...names(shape, text), values })
    return rows
  }

  /** `resource` is null if it is not visible. If the statement can also write `written`, it does, and `isRecorded` is true. */
  async function read(
    datasetId: number,
    plan: ReadPlan,
    liveness: Liveness,
    written?: WrittenWithRead,
  ): Promise<{
    readonly alive: boolean
    readonly resource: StoredResource | null
    readonly isRecorded?: true
  }> {
    const alone = () => readAlone(datasetId, plan, liveness)
    const [visible, ...others] = plan.visible
    const isPlain = visible !== undefined && others.length === 0 && visible.codes === null
    const row = isPlain
      ? await batchRead(datasetId, { ...plan, patientId: visible.patientId }, liveness, written, alone)
      : await alone()
    const { alive, id, patientId, contentBytes: content, version, lastUpdated, isRecorded } = row
    const exists = id !== null && content !== null && version !== null && lastUpdated !== null
    return {
      alive,
      ...(isRecorded && { isRecorded }),
      resource: exists ? { type: plan.type, id, patientId, content, version, lastUpdated } : null,
    }
  }

  async function readAlone(datasetId: number, plan: ReadPlan, liveness: Liveness): Promise<ReadRow> {
    const { shape, text, values } = compileReadSql(datasetId, plan, liveness)
    const { rows } = await run<ReadRow>(datasetId, { ...namedRead(shape, text), values })
    const [row] = rows
    if (row === undefined) throw new Error('a read gave no row')
    return row
  }

  /** Checks only the credential, for errors that come before any data statement. */
  async function isAlive(datasetId: number, liveness: Liveness): Promise<boolean> {
    const live = livenessSql(liveness, 0)
    const { rows } = await run<{ alive: boolean }>(datasetId, {
      name: `alive:${live.kind}`,
      text: `SELECT ${live.text} AS alive`,
      values: live.values,
    })
    return rows[0]?.alive ?? false
  }

  return { search, read, everything, isAlive }
}

function compileReadSql(datasetId: number, plan: ReadPlan, liveness: Liveness): PageSql {
  const { bind, values } = createBinds()
  const place = `r.dataset_id = ${bind(datasetId)}::int AND r.type = ${bind(fhirTypeNumbers[plan.type])}::smallint
    AND r.id = ${bind(plan.id)}::text AND NOT r.deleted`
  const visible = plan.visible.map(({ patientId, codes }) => ({
    shape: `${patientId === null ? 'any' : 'chart'}${codes === null ? '' : '-scoped'}`,
    sql: [
      ...(patientId === null ? [] : [`r.patient_id = ${bind(patientId)}::text`]),
      ...(codes === null ? [] : [scopeCondition(codes, bind)]),
    ].join(' AND '),
  }))
  const allowed = visible.some(({ sql }) => sql === '')
    ? 'true'
    : `(${visible.map(({ sql }) => `(${sql})`).join(' OR ')})`
  const live = livenessSql(liveness, values.length)
  return {
    shape: ['read', ...visible.map(({ shape }) => shape), live.kind].join(' '),
    text: `SELECT live.ok AS alive, r.id, r.patient_id AS "patientId", r.version, r.last_updated AS "lastUpdated", r.content AS "contentBytes"
           FROM ${liveRow(live)}
           LEFT JOIN clinical.resource r ON live.ok AND ${place} AND ${allowed}`,
    values: [...values, ...live.values],
  }
}

function toPage(rows: readonly PageRow[]): SearchPage {
  const matches: FoundText[] = []
  const included: FoundText[] = []
  let last: PageRow | undefined
  let cut = false
  let includedCut = false
  const [head, ...rest] = rows
  for (const row of rest) {
    const isMatch = row.place < includedPlace
    if (row.contentBytes === null) {
      if (isMatch) cut = true
      else includedCut = true
      continue
    }
    const found = { type: fhirTypeOf(row.type), id: row.id, content: row.contentBytes }
    if (isMatch) {
      matches.push(found)
      last = row
    } else included.push(found)
  }
  return {
    alive: head !== undefined,
    total: head === undefined || head.sort === null ? null : Number(head.sort),
    matches,
    included,
    includedCut,
    next:
      cut && last !== undefined ? { sort: last.sort ?? '', id: last.id, type: fhirTypeOf(last.type) } : null,
  }
}
