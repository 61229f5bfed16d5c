/** What a child was measured at, on the percentile curves of its sex. CDC 2000 growth charts. */

import type { PatientRecord } from '../../contract/rest/records.ts'
import { curveValue, drawnPercentiles, type GrowthCurve, growthAges, growthMeasurements } from './growth.ts'
import type { Series } from './series.ts'

type AgePoint = Readonly<{ months: number; value: number }>

export type GrowthChart = Readonly<{
  curve: string
  title: string
  unit: string
  measured: readonly (AgePoint & { at: string; id: string })[]
  percentiles: readonly Readonly<{ name: string; points: readonly AgePoint[] }>[]
}>

const monthMs = 30.4375 * 86_400_000
const adultMonths = 240
const pointsOfCurve = 40

/** Empty for adults, and where sex or birth date say too little. */
export function growthCharts(
  { sex, birthDate }: Pick<PatientRecord, 'sex' | 'birthDate'>,
  vitalSigns: readonly Series[],
  now: Date,
): GrowthChart[] {
  if (birthDate === null || birthDate.length < 10 || (sex !== 'female' && sex !== 'male')) return []
  const born = Date.parse(birthDate)
  if ((now.getTime() - born) / monthMs > adultMonths) return []
  return Object.entries(growthMeasurements).flatMap(([name, { loinc, title, unit }]) => {
    const curve = name as GrowthCurve
    const [first, last] = growthAges(curve, sex)
    const line = vitalSigns.find(({ code }) => code === loinc)?.lines[0] ?? []
    const measured = line
      .map(({ at, value, id }) => ({ months: (Date.parse(at) - born) / monthMs, value, at, id }))
      .filter(({ months }) => months >= 0 && months <= last + 1)
    if (measured.length === 0) return []
    const from = Math.max(first, Math.floor((measured[0]?.months ?? 0) - 2))
    const to = Math.min(last, Math.ceil((measured.at(-1)?.months ?? 0) + 6))
    const step = Math.max((to - from) / pointsOfCurve, 0.25)
    const ages = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
    const percentiles = drawnPercentiles.map(([percentile, z]) => ({
      name: percentile,
      points: ages.map((months) => ({ months, value: curveValue(curve, sex, months, z) })),
    }))
    return [{ curve, title, unit, measured, percentiles }]
  })
}
