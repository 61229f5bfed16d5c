/** One clinical story: whom it befalls, and what it adds to a record. */
import { type ConditionKey, conditions } from '../codes/codes.ts'
import { laterOf, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { ageAt, type Subject } from '../timeline/subject.ts'

export interface Story {
  readonly name: string
  /** Share of the people like this one that it befalls, 0 to 1. */
  readonly share: (subject: Subject) => number
  /** Planned visits a year that it asks for. */
  readonly visitsYearly?: number
  /** What there is before the first visit told: problems, drugs, allergies. */
  readonly begin?: (chart: Chart, chance: Chance) => void
  /** Its part of a planned visit. */
  readonly atVisit?: (chart: Chart, visit: Visit, chance: Chance) => void
  /** Visits and events of its own, once the planned visits are told. */
  readonly tell?: (chart: Chart, chance: Chance) => void
}

/** By the table's sex, ages and share; 0 outside. */
export function shareOf(key: ConditionKey): (subject: Subject) => number {
  return (subject) => {
    const { sex, ages, share = 0 } = conditions[key]
    const age = ageAt(subject, subject.until)
    if (sex !== 'any' && sex !== subject.traits.sex) return 0
    if (age < ages[0] || age > ages[1]) return 0
    // Lasting problems gather with age: half the share at the youngest age, half as much again at the oldest.
    return share * (0.5 + (age - ages[0]) / Math.max(1, ages[1] - ages[0]))
  }
}

/** A day on which a lasting problem may have begun: within the table's ages, up to `years` before the last visits. */
export function drawOnset(chart: Chart, chance: Chance, key: ConditionKey, years = 12): string {
  const { subject } = chart
  const [youngest] = conditions[key].ages
  const age = ageAt(subject, subject.until)
  const room = Math.max(0, Math.min(years, age - youngest))
  const daysAgo = chance.integer(200, Math.max(201, Math.round(room * 365)))
  const date = new Date(Date.parse(`${subject.until}T00:00:00Z`) - daysAgo * 86_400_000)
  const onset = date.toISOString().slice(0, 10)
  // What begins in the time told is found at a visit.
  return laterOf(onset > subject.from ? weekday(onset) : onset, subject.traits.birthDay)
}
