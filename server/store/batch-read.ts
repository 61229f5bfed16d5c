/**
 * Combines reads of the same turn of the event loop into one statement. Each row first checks its own credential and only
 * then reads its resource. A statement that also writes the access records saves a round trip.
 */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { isProblem } from '../contract/http/problems.ts'
import { believedOf, type Credential, credentialOf, credentialSql, type Liveness } from './liveness.ts'
import type { Statements } from './statements.ts'

/** A row of the result. All columns but `alive` are null if the resource does not exist or is not visible. */
export interface ReadRow {
  alive: boolean
  id: string | null
  patientId: string | null
  version: number | null
  lastUpdated: Date | null
  contentBytes: Buffer | null
  /** The access record of this read is committed. */
  isRecorded?: true
}

interface PlainRead {
  readonly type: FhirType
  readonly id: string
  /** The chart it must belong to; null for any. */
  readonly patientId: string | null
}

/** The access record of a read, written by the same statement that reads the resource. */
export interface WrittenWithRead {
  /**
   * CTEs that write records for the rows of the CTE `found`. The parameters are placeholders of JSON arrays: the `rows` of
   * all reads, each with its `place`.
   */
  readonly parts: (first: string, second: string) => string
  readonly rows: readonly [object, object]
}

export type BatchRead = (
  datasetId: number,
  read: PlainRead,
  liveness: Liveness,
  written: WrittenWithRead | undefined,
  alone: () => Promise<ReadRow>,
) => Promise<ReadRow>

type PendingRead = {
  readonly datasetId: number
  readonly read: PlainRead
  readonly liveness: Credential
  readonly written: WrittenWithRead | undefined
  readonly alone: () => Promise<ReadRow>
  readonly answer: (row: Promise<ReadRow>) => void
}

const columns: readonly (readonly [name: string, type: string, value: (read: PendingRead) => unknown])[] = [
  ['credential', 'uuid', ({ liveness }) => credentialOf(liveness)],
  ['practice', 'uuid', ({ liveness }) => liveness.practiceId],
  ['believed', 'text', ({ liveness }) => believedOf(liveness)],
  ['now', 'timestamptz', ({ liveness }) => liveness.now.toISOString()],
  ['dataset', 'int', ({ datasetId }) => datasetId],
  ['type', 'smallint', ({ read }) => fhirTypeNumbers[read.type]],
  ['id', 'text', ({ read }) => read.id],
  ['owner', 'text', ({ read }) => read.patientId],
]

const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
const alive = credentialSql({
  credential: 'w.credential',
  practice: 'w.practice',
  dataset: 'w.dataset',
  believed: 'w.believed',
  now: 'w.now',
})
const text = `SELECT w.place::int AS place, live.ok AS alive, r.id, r.patient_id AS "patientId", r.version,
    r.last_updated AS "lastUpdated", r.content AS "contentBytes"
  FROM unnest(${arrays}) WITH ORDINALITY AS w (${columns.map(([name]) => name).join(', ')}, place)
  CROSS JOIN LATERAL (SELECT ${alive} AS ok OFFSET 0) live
  LEFT JOIN LATERAL (
    SELECT * FROM clinical.resource k
    WHERE live.ok AND k.dataset_id = w.dataset AND k.type = w.type AND k.id = w.id AND NOT k.deleted
      AND (w.owner IS NULL OR k.patient_id = w.owner) OFFSET 0) r ON true`

/** The parameters of {@link WrittenWithRead} come after the columns. */
const jsonPlaces = [`$${columns.length + 1}`, `$${columns.length + 2}`] as const

/** The most reads of one statement; further ones go into the next statement. */
const rowsMax = 100

/** A single read, and one that the list of credentials cannot express, runs its own statement: `alone`. */
export function createBatchRead({ runForMany }: Pick<Statements, 'runForMany'>): BatchRead {
  let waiting: PendingRead[] = []
  const toWrite: PendingRead[] = []
  let isWriting = false
  /** Built at the first write; the same for all later ones. */
  let writingText = ''

  return (datasetId, read, liveness, written, alone) => {
    if (liveness.kind === 'none' || liveness.begun) return alone()
    return new Promise((answer) => {
      const list = written === undefined ? waiting : toWrite
      if (list.length === 0) setImmediate(written === undefined ? send : write)
      list.push({ datasetId, read, liveness, written, alone, answer })
    })
  }

  function send(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += rowsMax) void ask(all.slice(at, at + rowsMax))
  }

  /** Runs one statement at a time. Reads that arrive meanwhile share the next one. */
  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (toWrite.length > 0) await ask(toWrite.splice(0, rowsMax))
    isWriting = false
  }

  /** Resolves when every read has its row. */
  async function ask(reads: readonly PendingRead[]): Promise<void> {
    const [first] = reads
    if (first === undefined) return
    if (reads.length === 1 && first.written === undefined) {
      first.answer(first.alone())
      return
    }
    const rows = readAll(reads)
    for (const [index, { answer }] of reads.entries()) answer(rows.then((all) => all[index] as ReadRow))
    await rows.catch(() => undefined)
  }

  /** @returns rows in the order of the reads */
  async function readAll(reads: readonly PendingRead[]): Promise<ReadRow[]> {
    const written = reads.map((read) => read.written)
    const [first] = written.filter((record) => record !== undefined)
    const values = columns.map(([, , value]) => reads.map(value))
    const datasetIds = reads.map(({ datasetId }) => datasetId)
    if (first && writingText === '')
      writingText = `WITH found AS MATERIALIZED (${text}), ${first.parts(...jsonPlaces)} SELECT * FROM found`
    const statement =
      first === undefined
        ? { name: 'batch-read', text, values }
        : {
            name: 'batch-read-written',
            text: writingText,
            values: [...values, ...toJson(written)],
          }
    try {
      const { rows } = await runForMany<ReadRow & { place: number }>(datasetIds, statement)
      const inOrder: ReadRow[] = []
      for (const row of rows)
        inOrder[row.place - 1] = written[row.place - 1] ? { ...row, isRecorded: true } : row
      return inOrder
    } catch (error) {
      if (first === undefined || isProblem(error)) throw error
      // Writing a record failed and nothing was committed. Without `isRecorded`, the recorder writes each record itself.
      return readAll(reads.map((read) => ({ ...read, written: undefined })))
    }
  }
}

function toJson(written: readonly (WrittenWithRead | undefined)[]): string[] {
  const listOf = (part: 0 | 1) =>
    written.flatMap((record, index) => (record ? [{ place: index + 1, ...record.rows[part] }] : []))
  return [JSON.stringify(listOf(0)), JSON.stringify(listOf(1))]
}

/**
 * Runs at most one query of a name at a time. Callers that arrive during a run share the next one, because the running
 * statement may have read before a change that they know of.
 */
type SingleFlight<Answer> = (name: string, ask: () => Promise<Answer>) => Promise<Answer>

export function createSingleFlight<Answer>(): SingleFlight<Answer> {
  const pending = new Map<string, { running: Promise<Answer>; next: Promise<Answer> | null }>()

  function singleFlight(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = pending.get(name)
    if (known === undefined) return start(name, ask)
    if (known.next === null) {
      const begin = () => start(name, ask)
      known.next = known.running.then(begin, begin)
    }
    return known.next
  }

  function start(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const running = ask()
    const entry = { running, next: null }
    pending.set(name, entry)
    const settle = () => {
      if (pending.get(name) === entry && entry.next === null) pending.delete(name)
    }
    running.then(settle, settle)
    return running
  }

  return singleFlight
}
