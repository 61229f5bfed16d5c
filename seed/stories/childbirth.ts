/** A pregnancy in the recorded period, and a birth, for the records of the mother and the child. */
import { procedures, surveyCodes, terms } from '../codes/codes.ts'
import { addDays, daysBetween, weekday } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { orderLab, orderPanel, takeVitals } from '../timeline/examinations.ts'
import { writeNote } from '../timeline/notes.ts'
import type { Story } from './story.ts'

const prenatalWeeks = [9, 16, 22, 28, 34, 38]

export const pregnancy: Story = {
  name: 'pregnancy',
  share: ({ age, traits }) => (traits.sex === 'female' && age >= 20 && age <= 41 ? 0.14 : 0),
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
export function tellPregnancy(chart: Chart, conception: string, born = weekday(addDays(conception, 276))) {
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
      type: first ? terms.encounterTypes.prenatalFirst : terms.encounterTypes.prenatal,
      reason: condition ? { condition } : undefined,
    })
    condition ??= chart.problem('normal-pregnancy', {
      onset: conception,
      visit,
      abated: past ? born : undefined,
    })
    const reason = { condition }
    takeVitals(chart, visit)
    if (first) {
      orderLab(chart, visit, 'hcg', { words: { hcg: 'positive' }, specimen: 'urine', reason })
      orderPanel(chart, visit, 'cbc', { reason, only: ['wbc', 'hemoglobin', 'hematocrit', 'platelets'] })
      recordPregnancyStatus(visit, 'pregnant')
      chart.drug('ferrous-sulfate-325', {
        from: date,
        until: past ? born : addDays(due, 30),
        visit,
        reason,
      })
    }
    if (week === 22) visit.add({ kind: 'procedure', code: procedures.fetalUltrasound, reason })
    if (week === 28) visit.add({ kind: 'immunization', vaccine: 'tdap', seen: true })
    writeNote(visit, {
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

const admission = {
  type: terms.encounterTypes.admission,
  class: terms.encounterClasses.inpatient,
  discharge: terms.dischargeDispositions.home,
}

function tellBirth(chart: Chart, born: string, condition: string): void {
  const visit = chart.visit({
    ...admission,
    date: born,
    by: 'obstetrics',
    reason: { condition },
    start: 210,
    days: born < chart.subject.until ? 1 : 0,
    minutes: 480,
  })
  visit.add({ kind: 'procedure', code: procedures.delivery, reason: { condition } })
  writeNote(visit, {
    type: 'discharge',
    title: 'Discharge summary after birth',
    text: 'Birth without complications. Mother and child are well.\nDischarged home; visit in six weeks.',
  })
}

function recordPregnancyStatus(visit: Visit, status: 'pregnant' | 'unknown'): void {
  const value = { codings: [terms.pregnancyFindings[status]] }
  visit.observe('pregnancyStatus', terms.observationCategories.socialHistory, surveyCodes.pregnancyStatus, {
    value,
  })
}

/** Asked about children, for the first time. */
export function askAboutChildren(chart: Chart, date: string, title: string, text: string): void {
  const visit = chart.visit({ date, by: 'obstetrics' })
  recordPregnancyStatus(visit, 'unknown')
  visit.observe('pregnancyIntent', terms.observationCategories.socialHistory, surveyCodes.pregnancyIntent, {
    value: { codings: [terms.pregnancyFindings.notSureOfIntent] },
  })
  writeNote(visit, { type: 'progress', title, text })
}

/** As the practice learned of it; told of everybody whose first day lies in the time told. */
export const birth: Story = {
  name: 'birth',
  share: ({ from, traits }) => (traits.birthDay >= from ? 1 : 0),
  tell: (chart) => {
    const { traits, until } = chart.subject
    const visit = chart.visit({
      ...admission,
      date: traits.birthDay,
      reason: { coding: procedures.delivery },
      days: traits.birthDay < until ? 1 : 0,
      minutes: 120,
    })
    takeVitals(chart, visit)
    writeNote(visit, {
      type: 'discharge',
      title: 'Discharge summary of the newborn',
      text: 'Born at term, cried at once, feeds well. Hearing and heart screening passed.\nDischarged home; see the practice in three days.',
    })
  },
}
