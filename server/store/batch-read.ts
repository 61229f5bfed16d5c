/**
 * Reads that come in the same turn of the event loop are one statement: each row asks for its own credential whether
 * it is good now, and only then for its resource. Nobody waits for anybody who has not come yet.
 */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { apiKeySql, type Liveness, smartTokenSql } from './liveness.ts'
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

export interface PlainRead {
  readonly type: FhirType
  readonly id: string
  /** The chart it must belong to; null for any. */
  readonly patientId: string | null
}

export type BatchRead = (
  datasetId: number,
  read: PlainRead,
  liveness: Liveness,
  alone: () => Promise<ReadRow>,
) => Promise<ReadRow>

type Kind = Exclude<Liveness['kind'], 'none'>
type Of<Each extends Kind> = Extract<Liveness, { kind: Each }>

/** What the list holds of a credential of each kind, and how it is asked. */
const kinds: {
  readonly [Each in Kind]: {
    readonly columns: readonly (readonly [
      name: string,
      type: string,
      value: (liveness: Of<Each>) => unknown,
    ])[]
    readonly alive: string
  }
} = {
  smart_token: {
    columns: [
      ['token', 'uuid', ({ tokenId }) => tokenId],
      // PostgreSQL arrays of arrays must be rectangular, so the types are joined.
      ['types', 'text', ({ typesAllowed }) => (typesAllowed ?? []).join()],
    ],
    alive: smartTokenSql({
      token: 'w.token',
      practice: 'w.practice',
      dataset: 'w.dataset',
      types: `string_to_array(w.types, ',')`,
      now: 'w.now',
    }),
  },
  api_key: {
    columns: [
      ['key', 'uuid', ({ keyId }) => keyId],
      ['version', 'int', ({ keyVersion }) => keyVersion],
    ],
    alive: apiKeySql({
      key: 'w.key',
      practice: 'w.practice',
      dataset: 'w.dataset',
      now: 'w.now',
      version: 'w.version',
    }),
  },
}

type Asked = {
  readonly datasetId: number
  readonly read: PlainRead
  readonly liveness: Of<Kind>
  readonly alone: () => Promise<ReadRow>
  readonly answer: (row: Promise<ReadRow>) => void
}

type Column = readonly [name: string, type: string, value: (asked: Asked) => unknown]

const common: readonly Column[] = [
  ['practice', 'uuid', ({ liveness }) => liveness.practiceId],
  ['dataset', 'int', ({ datasetId }) => datasetId],
  ['now', 'timestamptz', ({ liveness }) => liveness.now.toISOString()],
  ['type', 'smallint', ({ read }) => fhirTypeNumbers[read.type]],
  ['id', 'text', ({ read }) => read.id],
  ['owner', 'text', ({ read }) => read.patientId],
]

const lists: Readonly<Record<Kind, { name: string; text: string; columns: readonly Column[] }>> = {
  smart_token: listOf('smart_token'),
  api_key: listOf('api_key'),
}

function listOf<Each extends Kind>(kind: Each): { name: string; text: string; columns: readonly Column[] } {
  const { alive, columns: own } = kinds[kind]
  const columns: readonly Column[] = [
    ...common,
    ...own.map(
      ([name, type, value]): Column => [name, type, ({ liveness }) => value(liveness as unknown as Of<Each>)],
    ),
  ]
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
  const text = `SELECT w.place::int AS place, live.ok AS alive, r.id, r.patient_id AS "patientId", r.version,
      r.last_updated AS "lastUpdated", r.content
    FROM unnest(${arrays}) WITH ORDINALITY AS w (${columns.map(([name]) => name).join(', ')}, place)
    CROSS JOIN LATERAL (SELECT ${alive} AS ok OFFSET 0) live
    LEFT JOIN LATERAL (
      SELECT * FROM clinical.resource k
      WHERE live.ok AND k.dataset_id = w.dataset AND k.type = w.type AND k.id = w.id AND NOT k.deleted
        AND (w.owner IS NULL OR k.patient_id = w.owner) OFFSET 0) r ON true`
  return { name: `batch-read:${kind}`, text, columns }
}

/** More are several statements. */
const rowsMax = 100

/** `alone` reads by a statement of its own: what came alone, and what no list can ask. */
export function createBatchRead({ runForMany }: Pick<Statements, 'runForMany'>): BatchRead {
  const waiting: Record<Kind, Asked[]> = { smart_token: [], api_key: [] }

  return (datasetId, read, liveness, alone) => {
    if (liveness.kind === 'none' || liveness.begun) return alone()
    const { kind } = liveness
    return new Promise((answer) => {
      if (waiting[kind].length === 0) setImmediate(send, kind)
      waiting[kind].push({ datasetId, read, liveness, alone, answer })
    })
  }

  function send(kind: Kind): void {
    const all = waiting[kind]
    waiting[kind] = []
    for (let at = 0; at < all.length; at += rowsMax) ask(kind, all.slice(at, at + rowsMax))
  }

  function ask(kind: Kind, asked: readonly Asked[]): void {
    const [first] = asked
    if (first === undefined) return
    if (asked.length === 1) {
      first.answer(first.alone())
      return
    }
    const rows = readAll(kind, asked)
    for (const [index, { answer }] of asked.entries()) answer(rows.then((all) => all[index] as ReadRow))
  }

  /** In the order of those who asked. */
  async function readAll(kind: Kind, asked: readonly Asked[]): Promise<ReadRow[]> {
    const { name, text, columns } = lists[kind]
    const { rows } = await runForMany<ReadRow & { place: number }>(
      asked.map(({ datasetId }) => datasetId),
      { name, text, values: columns.map(([, , value]) => asked.map(value)) },
    )
    const inOrder: ReadRow[] = []
    for (const row of rows) inOrder[row.place - 1] = row
    return inOrder
  }
}
