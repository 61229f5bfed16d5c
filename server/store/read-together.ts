/**
 * Reads that come in the same turn of the event loop are one statement: each row asks for its own token whether it is
 * good now, and only then for its resource. Nobody waits for anybody who has not come yet.
 */
import { fhirTypeNumbers } from '../contract/fhir-registry.ts'
import type { FhirReadPlan } from '../search/fhir-plan.ts'
import { type Liveness, smartTokenSql } from './liveness.ts'
import type { Statements } from './statements.ts'

/** A row of the answer; all but `alive` are null for what is not there or not visible. */
export interface ReadRow {
  alive: boolean
  id: string | null
  patientId: string | null
  version: number | null
  lastUpdated: Date | null
  content: string | null
}

type TokenLiveness = Extract<Liveness, { kind: 'smart_token' }>

interface Asked {
  readonly datasetId: number
  readonly plan: FhirReadPlan
  readonly liveness: Liveness
  readonly answer: (row: Promise<ReadRow>) => void
}

type Joined = Asked & { readonly liveness: TokenLiveness }

/** More are several statements. */
const rowsMax = 100

/** Columns of the list, in the order of `values`. */
const text = `SELECT w.place::int AS place, live.ok AS alive, r.id, r.patient_id AS "patientId", r.version,
    r.last_updated AS "lastUpdated", r.content
  FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::timestamptz[], $6::smallint[], $7::text[], $8::text[])
    WITH ORDINALITY AS w (token, practice, dataset, types, now, type, id, owner, place)
  CROSS JOIN LATERAL (SELECT ${smartTokenSql({
    token: 'w.token',
    practice: 'w.practice',
    dataset: 'w.dataset',
    types: `string_to_array(w.types, ',')`,
    now: 'w.now',
  })} AS ok OFFSET 0) live
  LEFT JOIN LATERAL (
    SELECT * FROM clinical.resource k
    WHERE live.ok AND k.dataset_id = w.dataset AND k.type = w.type AND k.id = w.id AND NOT k.deleted
      AND (w.owner IS NULL OR k.patient_id = w.owner) OFFSET 0) r ON true`

/** @param alone reads one resource by a statement of its own: what no list can ask, and what came alone */
export function createReadTogether(
  { runForMany }: Pick<Statements, 'runForMany'>,
  alone: (datasetId: number, plan: FhirReadPlan, liveness: Liveness) => Promise<ReadRow>,
): (datasetId: number, plan: FhirReadPlan, liveness: Liveness) => Promise<ReadRow> {
  let waiting: Joined[] = []

  return (datasetId, plan, liveness) => {
    if (liveness.kind !== 'smart_token' || !isPlain(plan)) return alone(datasetId, plan, liveness)
    return new Promise((answer) => {
      if (waiting.length === 0) setImmediate(send)
      waiting.push({ datasetId, plan, liveness, answer })
    })
  }

  function send(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += rowsMax) ask(all.slice(at, at + rowsMax))
  }

  function ask(asked: readonly Joined[]): void {
    const [first] = asked
    if (first === undefined) return
    if (asked.length === 1) {
      first.answer(alone(first.datasetId, first.plan, first.liveness))
      return
    }
    const rows = readAll(asked)
    for (const [index, { answer }] of asked.entries()) answer(rows.then((all) => all[index] as ReadRow))
  }

  /** In the order of those who asked. */
  async function readAll(asked: readonly Joined[]): Promise<ReadRow[]> {
    const { rows } = await runForMany<ReadRow & { place: number }>(
      asked.map(({ datasetId }) => datasetId),
      { name: 'fhir:read-together', text, values: valuesOf(asked) },
    )
    const inOrder: ReadRow[] = []
    for (const row of rows) inOrder[row.place - 1] = row
    return inOrder
  }
}

/** One grant without a filter: of a type, or of a type in one chart. */
function isPlain({ visible }: FhirReadPlan): boolean {
  return visible.length === 1 && visible[0]?.codes === null
}

function valuesOf(asked: readonly Joined[]): unknown[] {
  return [
    asked.map(({ liveness }) => liveness.tokenId),
    asked.map(({ liveness }) => liveness.practiceId),
    asked.map(({ liveness }) => liveness.datasetId),
    // A list of lists would have to be a rectangle.
    asked.map(({ liveness }) => (liveness.typesAllowed ?? []).join()),
    asked.map(({ liveness }) => liveness.now.toISOString()),
    asked.map(({ plan }) => fhirTypeNumbers[plan.type]),
    asked.map(({ plan }) => plan.id),
    asked.map(({ plan }) => plan.visible[0]?.patientId ?? null),
  ]
}
