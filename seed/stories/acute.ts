/** What acute illnesses have in common: a visit, its diagnosis, a drug for days, a note. */
import { type ConditionKey, conditions, encounterTypes, type MedicationKey } from '../codes/codes.ts'
import { addDays, daysBetween, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { writeNote } from '../timeline/notes.ts'
import { ageAt } from '../timeline/subject.ts'
import { firstSuitable } from '../timeline/suitable.ts'
import { takeVitals } from '../timeline/vitals.ts'

interface AcutePlan {
  readonly condition: ConditionKey
  readonly date: string
  readonly days: number
  /** In order of preference; the first that suits the patient is given. */
  readonly drugs?: readonly MedicationKey[]
  readonly feverish?: boolean
  readonly complaint: string
  readonly advice: string
}

/** @returns the visit, for tests and treatments of its own */
export function acuteVisit(chart: Chart, plan: AcutePlan): Visit {
  const key = `${plan.condition} on ${plan.date}`
  const visit = chart.visit({
    date: plan.date,
    type: encounterTypes.symptom,
    feverish: plan.feverish ?? false,
    reason: { condition: key },
    minutes: 20,
  })
  takeVitals(chart, visit)
  const ended = addDays(plan.date, plan.days)
  const condition = chart.problem(plan.condition, {
    onset: addDays(plan.date, -1) < chart.subject.traits.birthDay ? plan.date : addDays(plan.date, -1),
    key,
    role: 'diagnosis',
    visit,
    ...(ended <= chart.subject.until ? { abated: ended } : {}),
  })
  // Tablets of these strengths are nothing for small children.
  const drug =
    ageAt(chart.subject, plan.date) >= 8 ? firstSuitable(chart, plan.drugs ?? [], plan.date) : undefined
  if (drug) chart.drug(drug, { from: plan.date, visit, reason: { condition } })
  writeNote(chart, visit, {
    type: 'progress',
    title: 'Sick visit',
    text: `${plan.complaint}\nAssessment: ${conditions[plan.condition].text}.\nPlan: ${plan.advice}`,
  })
  return visit
}

/** A working day of the time told; undefined when there is no room for one. */
export function drawDay(chart: Chart, chance: Chance, lastDay = chart.subject.until): string | undefined {
  const { from } = chart.subject
  const room = daysBetween(from, lastDay) - 4
  if (room < 8) return undefined
  return weekday(addDays(from, chance.integer(4, room)))
}
