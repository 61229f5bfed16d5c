/** A pregnancy within the time told: visits, its tests, and the birth if that time has come. */
import {
  dischargeDispositions,
  encounterClasses,
  encounterTypes,
  observationCategories,
  pregnancyFindings,
  procedures,
  surveyCodes,
} from '../codes/codes.ts'
import { addDays, daysBetween, weekday } from '../people/calendar.ts'
import type { Chart } from '../timeline/chart.ts'
import { orderLab, orderPanel } from '../timeline/laboratory.ts'
import { writeNote } from '../timeline/notes.ts'
import { ageAt } from '../timeline/subject.ts'
import { takeVitals } from '../timeline/vitals.ts'
import type { Story } from './story.ts'

const prenatalWeeks = [9, 16, 22, 28, 34, 38]

export const pregnancy: Story = {
  name: 'pregnancy',
  share: (subject) => {
    const age = ageAt(subject, subject.until)
    return subject.traits.sex === 'female' && age >= 20 && age <= 41 ? 0.14 : 0
  },
  tell: (chart, chance) => {
    const span = daysBetween(chart.subject.from, chart.subject.until)
    if (span < 120) return
    tellPregnancy(chart, addDays(chart.subject.from, chance.integer(20, span - 90)))
  },
}

/**
 * @param conception first day of the pregnancy, counted as clinicians do
 * @param born day of birth, when it comes
 */
export function tellPregnancy(
  chart: Chart,
  conception: string,
  born = weekday(addDays(conception, 276)),
): void {
  const { until } = chart.subject
  const due = addDays(conception, 280)
  chart.pregnancy(conception, born)
  const past = born <= until
  let condition: string | undefined
  for (const week of prenatalWeeks) {
    const date = weekday(addDays(conception, week * 7))
    if (date > until) break
    const first = condition === undefined
    const visit = chart.visit({
      date,
      by: 'obstetrics',
      type: first ? encounterTypes.prenatalFirst : encounterTypes.prenatal,
      ...(condition ? { reason: { condition } } : {}),
    })
    condition ??= chart.problem('normal-pregnancy', {
      onset: conception,
      visit,
      ...(past ? { abated: born } : {}),
    })
    takeVitals(chart, visit)
    if (first) {
      orderLab(chart, visit, 'hcg', { words: { hcg: 'positive' }, specimen: 'urine', reason: { condition } })
      orderPanel(chart, visit, 'cbc', {
        reason: { condition },
        only: ['wbc', 'hemoglobin', 'hematocrit', 'platelets'],
      })
      recordPregnancyStatus(chart, visit.at, visit.key, 'pregnant')
      chart.drug('ferrous-sulfate-325', {
        from: date,
        until: past ? born : addDays(due, 30),
        visit,
        reason: { condition },
      })
    }
    if (week === 22) {
      chart.add({
        kind: 'procedure',
        at: visit.at,
        visit: visit.key,
        code: procedures.fetalUltrasound,
        reason: { condition },
        clinicianId: visit.clinicianId,
      })
    }
    if (week === 28)
      chart.add({ kind: 'immunization', at: visit.at, visit: visit.key, vaccine: 'tdap', seen: true })
    writeNote(chart, visit, {
      type: 'progress',
      title: `Prenatal visit, week ${week}`,
      text: `Week ${week}. Expected on ${due}. ${found(week)}\nPlan: next visit as agreed.`,
    })
  }
  if (past && condition) tellBirth(chart, born, condition)
}

function found(week: number): string {
  if (week < 12) return 'Tired, a little sick in the mornings, no bleeding.'
  if (week < 20) return 'Feels well again. Heart tones of the child heard, 150 a minute.'
  return 'Feels well, the child moves as it should.'
}

function tellBirth(chart: Chart, born: string, condition: string): void {
  const visit = chart.visit({
    date: born,
    by: 'obstetrics',
    type: encounterTypes.admission,
    class: encounterClasses.inpatient,
    reason: { condition },
    start: 210,
    ...(born < chart.subject.until ? { days: 1 } : {}),
    minutes: 480,
    discharge: dischargeDispositions.home,
  })
  chart.add({
    kind: 'procedure',
    at: visit.at,
    visit: visit.key,
    code: procedures.delivery,
    reason: { condition },
    clinicianId: visit.clinicianId,
  })
  writeNote(chart, visit, {
    type: 'discharge',
    title: 'Discharge summary after birth',
    text: 'Birth without complications. Mother and child are well.\nDischarged home; visit in six weeks.',
  })
}

export function recordPregnancyStatus(
  chart: Chart,
  at: string,
  visit: string,
  status: 'pregnant' | 'unknown',
): void {
  chart.add({
    kind: 'observation',
    at,
    visit,
    profile: 'pregnancyStatus',
    categories: [observationCategories.socialHistory],
    codes: [surveyCodes.pregnancyStatus],
    value: { codings: [pregnancyFindings[status]] },
  })
}
