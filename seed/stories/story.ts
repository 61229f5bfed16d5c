/** A clinical story: the people who can have it, and the events that it adds to a record. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { type ConditionKey, conditions, type MedicationKey } from '../codes/codes.ts'
import { addDays, laterOf, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import type { Chart, Subject, Visit } from '../timeline/chart.ts'
import type { EventOf } from '../timeline/events.ts'

export interface Story {
  readonly name: string
  /** The probability for a person, 0 to 1. Without it, only cast members can have the story. */
  readonly share?: (subject: Subject) => number
  /** The planned visits per year that it needs. */
  readonly visitsYearly?: number
  /** Adds what exists before the first visit: problems, drugs, allergies. */
  readonly begin?: (chart: Chart, chance: Chance) => void
  /** Adds its events to a planned visit. */
  readonly atVisit?: (chart: Chart, visit: Visit, chance: Chance) => void
  /** Adds its own visits and events after the planned visits. */
  readonly tell?: (chart: Chart, chance: Chance) => void
}

/** The probability by the table's sex, ages and share; 0 for other people. */
export function shareOf(key: ConditionKey): (subject: Subject) => number {
  const { sex, ages, share = 0 } = conditions[key]
  const [youngest, oldest] = ages
  return ({ age, traits }) => {
    if (sex !== 'any' && sex !== traits.sex) return 0
    if (age < youngest || age > oldest) return 0
    // Lasting problems gather with age: half the share at the youngest age, half as much again at the oldest.
    return share * (0.5 + (age - youngest) / Math.max(1, oldest - youngest))
  }
}

/** A day on which a lasting problem may have begun: within the table's ages, up to `years` before the last visits. */
export function drawOnset({ subject }: Chart, chance: Chance, key: ConditionKey, years = 12): string {
  const [youngest] = conditions[key].ages
  const room = Math.max(0, Math.min(years, subject.age - youngest))
  const onset = addDays(subject.until, -chance.integer(200, Math.max(201, Math.round(room * 365))))
  // An onset in the recorded period is the day of a visit.
  return laterOf(onset > subject.from ? weekday(onset) : onset, subject.traits.birthDay)
}

/**
 * Some weeks after the problem was found, or at the visit that found it; never after the last day.
 * @param drugs in order of preference; the first that suits the patient is taken
 * @returns the first day of it
 */
export function startDrug(
  chart: Chart,
  chance: Chance,
  drugs: readonly MedicationKey[],
  onset: string,
  condition: string,
  sensitive?: boolean,
): string | undefined {
  const weeks = chance.integer(7, 60)
  const from = onset > chart.subject.from ? onset : addDays(onset, weeks)
  const drug = chart.firstSuitable(drugs, from)
  if (from > chart.subject.until || drug === undefined) return undefined
  chart.drug(drug, { from, reason: { condition }, fills: 2, sensitive })
  return from
}

/** Rotates the values by a random number of places. */
export function shuffledFrom<Value>(chance: Chance, values: readonly Value[]): readonly Value[] {
  const first = chance.integer(0, values.length - 1)
  return [...values.slice(first), ...values.slice(0, first)]
}

export function isFirstOfYear(chart: Chart, visit: Visit): boolean {
  const year = visit.date.slice(0, 4)
  return !chart.visits.some(({ date }) => date < visit.date && date.slice(0, 4) === year)
}

/** To be reached within some days of the last one told; what is measured is what the goal is about by default. */
export function setGoal(
  chart: Chart,
  condition: string,
  days: number,
  goal: Pick<EventOf<'goal'>, 'at' | 'description' | 'coding' | 'target'> & { readonly measure?: Coding },
): string {
  const due = addDays(chart.subject.until, days)
  return chart.add({ kind: 'goal', measure: goal.coding, ...goal, due, conditions: [condition] })
}
