/**
 * CDC 2000 growth charts (US government data, public domain): x = M (1 + L S z)^(1/L). Each row of the file is the
 * month of age, or the length in centimeters for `weightForLength`, with L, M and S.
 * https://www.cdc.gov/growthcharts/percentile_data_files.htm
 */
import growth from './growth-curves.json' with { type: 'json' }

type GrowthCurve = keyof typeof growth
type Sex = 'female' | 'male'
type Lms = readonly [l: number, m: number, s: number]
type LmsRow = readonly [at: number, ...Lms]

const rowsOf = (curve: GrowthCurve, sex: Sex) => growth[curve][sex] as unknown as readonly LmsRow[]

/** @param at months of age; centimeters of length for `weightForLength`. */
export function curveValue(curve: GrowthCurve, sex: Sex, at: number, z: number): number {
  const [l, m, s] = lmsAt(rowsOf(curve, sex), at)
  return l === 0 ? m * Math.exp(s * z) : m * (1 + l * s * z) ** (1 / l)
}

/** @returns the z-score: standard deviations from the median */
export function curveZ(curve: GrowthCurve, sex: Sex, at: number, value: number): number {
  const [l, m, s] = lmsAt(rowsOf(curve, sex), at)
  return l === 0 ? Math.log(value / m) / s : ((value / m) ** l - 1) / (l * s)
}

/** Percentile 0 to 100, by the normal distribution (Abramowitz and Stegun 26.2.17). */
export function percentile(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const tail =
    density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 100 * (z >= 0 ? 1 - tail : tail)
}

/** Interpolates linearly between two rows. Beyond the first and last row, their values hold. */
function lmsAt(rows: readonly LmsRow[], at: number): Lms {
  const above = rows.findIndex(([from]) => from >= at)
  const upper = rows[above === -1 ? rows.length - 1 : above]
  const lower = rows[above <= 0 ? (above === -1 ? rows.length - 1 : 0) : above - 1]
  if (upper === undefined || lower === undefined) throw new Error('an empty growth curve')
  const fraction = upper[0] === lower[0] ? 0 : (at - lower[0]) / (upper[0] - lower[0])
  const interpolate = (column: 1 | 2 | 3) => lower[column] + (upper[column] - lower[column]) * fraction
  return [interpolate(1), interpolate(2), interpolate(3)]
}
