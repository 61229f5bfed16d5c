/**
 * Opens a dataset for writing: takes its shared lock, *then* reads the database clock and checks the credential.
 * An export holds the lock exclusively, so in this order two consecutive exports neither miss a row nor both
 * contain it.
 */
import { Problem } from '../contract/http/problems.ts'
import { type Liveness, livenessSql } from './liveness.ts'
import { datasetLockClass } from './locks.ts'
import type { Run } from './statements.ts'

interface Opened {
  readonly alive: boolean
  /** The database clock, in whole milliseconds. */
  readonly now: Date
  readonly state: DatasetState | null
  readonly kind: DatasetKind | null
}

/** @returns `alive: false` if the credential is no longer valid; the caller must then write nothing */
export async function openDataset(run: Run, datasetId: number, liveness: Liveness): Promise<Opened> {
  const live = livenessSql(liveness, 2)
  const { rows } = await run<{
    alive: boolean
    now: Date
    state: DatasetState | null
    kind: DatasetKind | null
  }>(datasetId, {
    name: `write:open:${live.kind}`,
    text: `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared($1::int, $2::int))
             SELECT date_trunc('milliseconds', clock_timestamp()) AS now, ${live.text} AS alive, d.state, d.kind
             FROM locked LEFT JOIN clinical.dataset d ON d.id = $2::int`,
    values: [datasetLockClass, datasetId, ...live.values],
  })
  const opened = rows[0]
  if (opened === undefined) throw new Error('the dataset lock gave no row')
  return opened
}

/**
 * A dataset accepts rows while it is loaded. Later only a practice's own does, and only with the database's time.
 * @throws Problem `forbidden` for a dataset of several practices, `conflict` in all other cases
 */
export function checkWritable({ state, kind }: Opened, { stamped = false } = {}): void {
  if (state === 'loading' || (state === 'ready' && isOwn(kind) && !stamped)) return
  if (state === 'ready' && !isOwn(kind)) {
    throw new Problem('forbidden', {
      message: 'The records of this practice are read-only.',
      detail: `dataset is a ${kind}`,
    })
  }
  throw new Problem('conflict', {
    message: 'These records are read-only.',
    detail: `dataset is ${kind ?? 'unknown'}, ${state ?? 'gone'}`,
  })
}

/** The other kinds of datasets never change while they are read. */
const isOwn = (kind: DatasetKind | null): boolean => kind === 'practice' || kind === 'canary'

export type DatasetKind = 'template' | 'practice' | 'demonstration' | 'canary' | 'snapshot'
export type DatasetState = 'loading' | 'ready' | 'deleting'
