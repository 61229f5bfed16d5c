/** What a run of the bench finds, and what of it moved since another run. */
import { writeFileSync } from 'node:fs'

/** A number that is compared and kept. */
export type Figure = {
  name: string
  unit: '×' | '% of COPY' | 'kB' | 's'
  /** The one that is shown. */
  value: number
  /** One a round: from their spread follows what is noise. */
  rounds: readonly number[]
}

export type Change = {
  name: string
  unit: Figure['unit']
  before: number
  after: number
  /** `unknown`: one of the runs has too few rounds to know its noise. */
  verdict: 'up' | 'down' | 'noise' | 'unknown'
}

/** Below this share of what it was a difference is not called a change: two runs differ by it without a cause. */
const leastShare = 0.03
/** How often two runs of the same code may be told apart by chance. */
const chance = 0.01
/** Of fewer rounds even the clearest order has a greater chance. */
const leastRounds = 5

/**
 * A figure has moved when its rounds stand so far apart from those of the other run that the same code would do it once
 * in a hundred comparisons (the rank-sum test of Mann and Whitney, exact and two-sided), and its median by three percent
 * or more. Figures that only one of the runs has are left out.
 */
export function compareFigures(before: readonly Figure[], after: readonly Figure[]): Change[] {
  return after.flatMap((figure) => {
    const earlier = before.find(({ name, unit }) => name === figure.name && unit === figure.unit)
    if (!earlier) return []
    const [from, to] = [median(earlier.rounds), median(figure.rounds)]
    return [
      { name: figure.name, unit: figure.unit, before: from, after: to, verdict: judge(earlier, figure) },
    ]
  })
}

function judge({ rounds: before }: Figure, { rounds: after }: Figure): Change['verdict'] {
  if (Math.min(before.length, after.length) < leastRounds) return 'unknown'
  const difference = median(after) - median(before)
  const isSmall = Math.abs(difference) < leastShare * Math.abs(median(before))
  if (isSmall || chanceOfOrder(before, after) > chance) return 'noise'
  return difference > 0 ? 'up' : 'down'
}

/** How likely two samples of the same source are ordered at least as clearly as these. */
function chanceOfOrder(one: readonly number[], other: readonly number[]): number {
  const pairs = one.length * other.length
  let above = 0
  for (const a of one) for (const b of other) above += b > a ? 1 : b === a ? 0.5 : 0
  const clearest = Math.min(above, pairs - above)
  const ways = waysOfOrder(one.length, other.length)
  const all = ways.reduce((sum, count) => sum + count, 0)
  const asClear = ways.reduce((sum, count, u) => sum + (u <= clearest ? count : 0), 0)
  return Math.min(1, (2 * asClear) / all)
}

/** In how many orders of two samples each number of pairs has its second above its first. */
function waysOfOrder(one: number, other: number): number[] {
  if (one === 0 || other === 0) return [1]
  const ways = Array.from({ length: one * other + 1 }, () => 0)
  // The greatest of all is of the second sample, and above all of the first; or it is of the first, and below none.
  for (const [u, count] of waysOfOrder(one, other - 1).entries()) ways[u + one] = (ways[u + one] ?? 0) + count
  for (const [u, count] of waysOfOrder(one - 1, other).entries()) ways[u] = (ways[u] ?? 0) + count
  return ways
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** For the program that started this one; nothing without a file. */
export function saveFigures(file: string | undefined, figures: readonly Figure[]): void {
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures))
}
