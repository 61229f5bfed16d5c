/** Whether a drug may be begun on a day, by what the patient takes, has and does not tolerate. */
import {
  type AllergenKey,
  allergens,
  apart,
  classOf,
  type DrugClass,
  type MedicationKey,
  ruledOutBy,
  unsuited,
} from '../codes/codes.ts'
import { hasProblem } from '../traits/physiology.ts'
import type { Chart } from './chart.ts'

function isSuitable({ physiology, events }: Chart, drug: MedicationKey, date: string): boolean {
  const name = classOf(drug)
  // Also what was told before and begins later.
  const others = physiology.drugs.filter(({ until }) => until === undefined || until >= date)
  const taken = (each: DrugClass) => others.some(({ key }) => classOf(key) === each)
  if (others.some(({ key }) => key === drug)) return false
  if (name !== undefined) {
    if (taken(name)) return false
    if (apart.some(([one, other]) => (one === name && taken(other)) || (other === name && taken(one))))
      return false
    if (unsuited[name]?.some((problem) => hasProblem(physiology, problem, date))) return false
  }
  return !events.some(
    (event) =>
      event.kind === 'allergy' &&
      (Object.keys(ruledOutBy) as AllergenKey[]).some(
        (key) =>
          allergens[key].coding.code === event.substance.code && (ruledOutBy[key] ?? []).includes(drug),
      ),
  )
}

/** The first of them that may be begun. */
export function firstSuitable(
  chart: Chart,
  drugs: readonly MedicationKey[],
  date: string,
): MedicationKey | undefined {
  return drugs.find((drug) => isSuitable(chart, drug, date))
}
