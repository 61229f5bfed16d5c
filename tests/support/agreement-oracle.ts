/**
 * What a year does to agreements, told day by day from the published rules alone: an oracle that shares no code with
 * the ticks. Everything is done, and looked at, once a day at noon.
 */
export type Life = Readonly<{
  kind: 'baa' | 'usage_agreement'
  offeredOn: number
  /** By both sides; null: never. */
  signedOn: number | null
  /** Of a BAA: its last day. */
  lastDay: number
  /** Of a BAA: notice, and the last day that it gives. */
  notice: Readonly<{ on: number; lastDay: number }> | null
}>

type OracleEvent = Readonly<{ day: number; event: string }>

/** The noon at which it is over: the last day of a BAA ends at midnight, a usage agreement lasts 365 days to the hour. */
export function endOf({ kind, signedOn, lastDay, notice }: Life): number {
  if (signedOn === null) return Number.NEGATIVE_INFINITY
  const natural = kind === 'baa' ? lastDay + 1 : signedOn + 365
  return notice ? Math.min(natural, notice.lastDay + 1) : natural
}

/** Steps that time alone makes, in order, before `days`. */
export function expectedSteps(life: Life, days: number): OracleEvent[] {
  const { kind, offeredOn, signedOn, lastDay, notice } = life
  const steps: OracleEvent[] = []
  const silentUntil = signedOn ?? Number.POSITIVE_INFINITY
  for (const wait of [7, 14, 21])
    if (offeredOn + wait < silentUntil) steps.push({ day: offeredOn + wait, event: 'remind' })
  if (signedOn === null) {
    steps.push({ day: offeredOn + 30, event: 'stall' }, { day: offeredOn + 60, event: 'lapse' })
  } else {
    const natural = kind === 'baa' ? lastDay + 1 : signedOn + 365
    const end = endOf(life)
    for (const before of [30, 14, 7, 3, 1]) {
      // Until notice is given the natural end counts, afterwards the earlier one; what is past is not sent late.
      const planned = natural - before
      if (planned > signedOn && (!notice || planned < notice.on))
        steps.push({ day: planned, event: 'remind_expiry' })
      if (notice && end - before > notice.on) steps.push({ day: end - before, event: 'remind_expiry' })
    }
    steps.push({ day: end, event: end < natural ? 'end_notice' : 'expire' })
  }
  return steps.filter(({ day }) => day < days).sort((a, b) => a.day - b.day)
}
