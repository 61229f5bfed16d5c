/** A stroke within the time told: the emergency room, the scan, days in hospital, and the drug and the plan after it. */
import {
  clinicalResults,
  dischargeDispositions,
  encounterClasses,
  encounterTypes,
  noteTypes,
  observationCategories,
  orderCategories,
} from '../codes/codes.ts'
import { addDays, daysBetween, weekday } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { recordElectrocardiogram } from '../timeline/electrocardiogram.ts'
import { orderLab, orderPanel } from '../timeline/laboratory.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { ageAt } from '../timeline/subject.ts'
import { firstSuitable } from '../timeline/suitable.ts'
import { takeVitals } from '../timeline/vitals.ts'
import { bloodPressure } from '../traits/circulation.ts'
import { statins } from '../traits/laboratory.ts'
import type { Story } from './story.ts'

export const stroke: Story = {
  name: 'stroke',
  share: (subject) => (ageAt(subject, subject.until) >= 58 ? 0.05 : 0),
  tell: (chart, chance) => {
    const { from, until } = chart.subject
    const room = daysBetween(from, until) - 120
    if (room < 30) return
    const date = addDays(from, chance.integer(10, room))
    const condition = arrive(chart, date)
    stay(chart, addDays(date, 1), condition)
    const after = lookAfter(chart, weekday(addDays(date, 18)), condition)
    chart.add({
      kind: 'carePlan',
      at: after.at,
      visit: after.key,
      title: 'Plan after the stroke',
      lines: [
        'Exercises for the right arm and hand twice a day.',
        'Blood pressure below 130/80; measured at home twice a week.',
        'The drugs every day; call at once for new weakness or trouble speaking.',
      ],
      conditions: [condition],
      goals: [],
      status: 'active',
    })
  },
}

/** @returns key of the stroke */
function arrive(chart: Chart, date: string): string {
  const key = `stroke on ${date}`
  const visit = chart.visit({
    date,
    class: encounterClasses.emergency,
    type: encounterTypes.emergency,
    reason: { condition: key },
    minutes: 240,
  })
  const condition = chart.problem('stroke', { key, onset: date, role: 'diagnosis', visit })
  takeVitals(chart, visit)
  const reason = { condition }
  orderPanel(chart, visit, 'bmp', { reason })
  orderPanel(chart, visit, 'cbc', { reason, only: ['wbc', 'hemoglobin', 'hematocrit', 'platelets'] })
  orderLab(chart, visit, 'inr', { reason })
  recordElectrocardiogram(chart, visit)
  scan(chart, visit, condition)
  const { systolic, diastolic } = bloodPressure(chart.physiology, date)
  writeNote(chart, visit, {
    type: 'historyAndPhysical',
    title: 'Emergency room note',
    text: [
      'Weakness of the right arm and slurred speech on waking; last seen well the evening before.',
      `Blood pressure ${systolic}/${diastolic}. Right arm drifts, face droops a little on the right, understands everything.`,
      'No bleeding on the scan. Too late for clot-dissolving treatment.',
      'Plan: admit, swallow test, therapy from the first day.',
    ].join('\n'),
  })
  return condition
}

function scan(chart: Chart, visit: Visit, condition: string): void {
  chart.add({
    kind: 'order',
    at: visit.at,
    visit: visit.key,
    code: noteTypes.imaging,
    text: 'CT of the head',
    category: orderCategories.imaging,
    reason: { condition },
  })
  const finding = chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'clinicalResult',
    categories: [observationCategories.imaging],
    codes: [clinicalResults.radiologyFinding],
    value: { text: 'Early loss of the insular ribbon on the left. No hemorrhage, no mass.' },
  })
  writeStudy(chart, visit, {
    type: 'imaging',
    title: 'CT of the head',
    category: 'radiology',
    code: noteTypes.imaging,
    results: [finding],
    conclusion: 'Early ischemic change in the territory of the left middle cerebral artery. No hemorrhage.',
    text: 'Without contrast. Early loss of the insular ribbon on the left. No hemorrhage, no mass, ventricles of normal size.\nImpression: early ischemic change, left middle cerebral artery.',
  })
}

function stay(chart: Chart, date: string, condition: string): void {
  const visit = chart.visit({
    date,
    days: 3,
    class: encounterClasses.inpatient,
    type: encounterTypes.admission,
    reason: { condition },
    minutes: 480,
    discharge: dischargeDispositions.home,
  })
  takeVitals(chart, visit)
  const begun = ['clopidogrel-75', firstSuitable(chart, ['atorvastatin-40', ...statins], date)] as const
  const drugs = begun.filter((drug) => drug && firstSuitable(chart, [drug], date))
  for (const drug of drugs)
    if (drug) chart.drug(drug, { from: visit.date, visit, reason: { condition }, fills: 2 })
  writeNote(chart, visit, {
    type: 'discharge',
    title: 'Discharge summary after a stroke',
    text: [
      'Ischemic stroke of the left middle cerebral artery. Speech clear again on the third day; the right hand is still clumsy.',
      drugs.length > 0 ? 'Drugs begun to prevent another; see the list.' : 'Drugs as before.',
      'Home with outpatient therapy. Practice visit in two to three weeks.',
    ].join('\n'),
  })
}

function lookAfter(chart: Chart, date: string, condition: string): Visit {
  const visit = chart.visit({ date, type: encounterTypes.followUp, reason: { condition }, minutes: 30 })
  takeVitals(chart, visit)
  const { systolic, diastolic } = bloodPressure(chart.physiology, date)
  writeNote(chart, visit, {
    type: 'progress',
    title: 'Visit after the stroke',
    text: [
      'Walks without help, speech clear, buttons a shirt slowly. Takes the drugs every day.',
      `Blood pressure ${systolic}/${diastolic}.`,
      'Plan: therapy for six more weeks, then another look.',
    ].join('\n'),
  })
  return visit
}
