/**
 * Compares the rows that say which credentials are good with what they are made from, and mends what differs. Triggers
 * keep them in the transaction of every change (decision 166), so a difference is a fault of ours or a change made
 * with the triggers off.
 */
import type { StoreCore } from './core.ts'
import { noDataset } from './statements.ts'

export interface LiveCheck {
  readonly wrong: number
  /** Of those, how many were good and should not have been. */
  readonly wronglyGood: number
}

/** A person who looks at more of them looks at the database. */
const mendedAtOnceMax = 10_000

/** Makes a row good only if its sources, read again under their locks, say so. */
export async function checkLive(core: StoreCore): Promise<LiveCheck> {
  return core.statements.transaction(
    async ({ run }) => {
      const { rows } = await run<{ id: string; wronglyGood: boolean }>(noDataset, {
        name: 'live:compare',
        text: `SELECT coalesce(v.credential, l.credential) AS id,
                 coalesce(l.good_until > $1 AND l.good_until > coalesce(v.good_until, '-infinity'), false) AS "wronglyGood"
               FROM portal.live_source v
                 FULL JOIN clinical.live l ON l.credential = v.credential AND l.dataset_id = v.dataset_id
               WHERE v.credential IS NULL OR l.credential IS NULL
                 OR (l.practice_id, l.good_until, l.believed)
                   IS DISTINCT FROM (v.practice_id, v.good_until, v.believed)
               LIMIT ${mendedAtOnceMax}`,
        values: [core.clock()],
      })
      const ids = [...new Set(rows.map(({ id }) => id))]
      if (ids.length > 0)
        await run(noDataset, {
          name: 'live:mend',
          text: 'SELECT portal.mend_live($1::uuid[])',
          values: [ids],
        })
      return {
        wrong: ids.length,
        wronglyGood: new Set(rows.filter(({ wronglyGood }) => wronglyGood).map(({ id }) => id)).size,
      }
    },
    { statementTimeoutMs: 0 },
  )
}
