/** What the measurements of a body depend on: its traits, what it has and what it takes. */
import type { ConditionKey, MedicationKey } from '../codes/codes.ts'
import type { Traits } from './traits.ts'

export interface TakenDrug {
  readonly key: MedicationKey
  readonly from: string
  readonly until?: string
}

export interface Physiology {
  readonly traits: Traits
  /** First and last day; a problem without a last day goes on. */
  readonly problems: ReadonlyMap<ConditionKey, { readonly from: string; readonly until?: string }>
  readonly drugs: readonly TakenDrug[]
  readonly pregnancies: readonly { readonly from: string; readonly until: string }[]
}

export function hasProblem({ problems }: Physiology, key: ConditionKey, date: string): boolean {
  const problem = problems.get(key)
  return (
    problem !== undefined && problem.from <= date && (problem.until === undefined || date <= problem.until)
  )
}

/** How many of the drugs are taken on that day. */
export function drugsTaken({ drugs }: Physiology, keys: readonly MedicationKey[], date: string): number {
  return drugs.filter(
    (drug) =>
      keys.includes(drug.key) && drug.from <= date && (drug.until === undefined || date <= drug.until),
  ).length
}

/** First day on any of the drugs. */
export function treatedSince({ drugs }: Physiology, keys: readonly MedicationKey[]): string | undefined {
  return drugs
    .filter((drug) => keys.includes(drug.key))
    .map((drug) => drug.from)
    .sort()[0]
}
