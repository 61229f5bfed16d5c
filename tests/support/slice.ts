/** What `npm test` runs of a long list, all of which `npm run test:long` runs. */
import { test } from 'vitest'

/** Responses that are taken anew are taken of every command. */
export const runsAll = process.env.SWEEP === 'whole' || Boolean(process.env.UPDATE_RESPONSES)

/** So many of the cases, spread evenly, the first among them. */
export function slice<T>(cases: readonly T[], count: number): readonly T[] {
  if (runsAll || cases.length <= count) return cases
  return Array.from({ length: count }, (_, at) => cases[Math.floor((at * cases.length) / count)] as T)
}

/** A test whose promise other tests of `npm test` hold in a smaller form. */
export const longTest = (runsAll ? test : () => {}) as typeof test
