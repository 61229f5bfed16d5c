/**
 * Compares clinical.live, the table of valid credentials, with its source tables and repairs differences. Triggers update
 * it in the transaction of every change (decision 166), so a difference comes from a bug or from a change while the
 * triggers were off.
 */
import type { StoreCore } from './core.ts'
import { noDataset } from './statements.ts'

export interface LiveCheck {
  readonly wrong: number
  /** How many of the wrong rows made an invalid credential valid. */
  readonly wronglyGood: number
}

/** The most rows that one run compares. More differences than this need a person. */
const mendedAtOnceMax = 10_000

/** The function mend_live locks the sources and reads them again before it makes a row valid. */
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
