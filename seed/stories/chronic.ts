/** What lasting problems have in common: they begin, a drug follows, visits look after them. */
import type { ConditionKey, LabKey, MedicationKey } from '../codes/codes.ts'
import { addDays } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import type { Chart } from '../timeline/chart.ts'
import { orderLab } from '../timeline/laboratory.ts'
import { firstSuitable } from '../timeline/suitable.ts'
import { isFirstOfYear } from './base-care.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

interface ChronicPlan {
  readonly name: string
  readonly condition: ConditionKey
  /** One of them is taken: any that suits the patient. */
  readonly drugs: readonly MedicationKey[]
  /** Share of those who have it that take one. */
  readonly treated?: number
  readonly yearlyLabs?: readonly LabKey[]
  readonly visitsYearly?: number
}

export function chronicStory(plan: ChronicPlan): Story {
  return {
    name: plan.name,
    share: shareOf(plan.condition),
    visitsYearly: plan.visitsYearly ?? 1,
    begin: (chart, chance) => {
      const onset = drawOnset(chart, chance, plan.condition)
      const condition = chart.problem(plan.condition, { onset })
      if (plan.drugs.length > 0 && chance.happens(plan.treated ?? 0.8)) {
        startDrug(chart, chance, shuffledFrom(chance, plan.drugs), onset, condition)
      }
    },
    atVisit: (chart, visit) => {
      const condition = chart.problemKey(plan.condition)
      if (condition === undefined || !isFirstOfYear(chart, visit)) return
      for (const lab of plan.yearlyLabs ?? []) orderLab(chart, visit, lab, { reason: { condition } })
    },
  }
}

/**
 * Some weeks after the problem was found, or at the visit that found it; never after the last day.
 * @param drugs in order of preference; the first that suits the patient is taken
 * @returns the first day of it
 */
export function startDrug(
  chart: Chart,
  chance: Chance,
  drugs: MedicationKey | readonly MedicationKey[],
  onset: string,
  condition: string,
  sensitive = false,
): string | undefined {
  const weeks = chance.integer(7, 60)
  const from = onset > chart.subject.from ? onset : addDays(onset, weeks)
  const drug = firstSuitable(chart, typeof drugs === 'string' ? [drugs] : drugs, from)
  if (from > chart.subject.until || drug === undefined) return undefined
  chart.drug(drug, { from, reason: { condition }, fills: 2, ...(sensitive ? { sensitive } : {}) })
  return from
}

/** The same values, beginning at one of them by chance. */
export function shuffledFrom<Value>(chance: Chance, values: readonly Value[]): readonly Value[] {
  const first = chance.integer(0, values.length - 1)
  return [...values.slice(first), ...values.slice(0, first)]
}
