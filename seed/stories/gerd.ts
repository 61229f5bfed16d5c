/** Heartburn: a visit for it, a blood count to be sure, a drug, and another look after two months. */
import { encounterTypes } from '../codes/codes.ts'
import { addDays, daysBetween, weekday } from '../people/calendar.ts'
import { orderPanel } from '../timeline/laboratory.ts'
import { writeNote } from '../timeline/notes.ts'
import { firstSuitable } from '../timeline/suitable.ts'
import { takeVitals } from '../timeline/vitals.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const gerd: Story = {
  name: 'GERD',
  share: shareOf('gerd'),
  begin: (chart, chance) => {
    if (chance.happens(0.5)) return // of the others it begins in the time told
    const onset = drawOnset(chart, chance, 'gerd', 8)
    startDrug(chart, chance, 'omeprazole-20', onset, chart.problem('gerd', { onset }))
  },
  tell: (chart, chance) => {
    const { from, until } = chart.subject
    const room = daysBetween(from, until)
    if (chart.problemKey('gerd') !== undefined || room < 150) return
    const date = weekday(addDays(from, chance.integer(40, room - 90)))
    const key = `reflux found on ${date}`
    const visit = chart.visit({ date, type: encounterTypes.symptom, reason: { condition: key }, minutes: 20 })
    const condition = chart.problem('gerd', { key, onset: addDays(date, -30), visit })
    takeVitals(chart, visit)
    orderPanel(chart, visit, 'cbc', {
      reason: { condition },
      only: ['hemoglobin', 'hematocrit', 'mcv', 'platelets'],
    })
    const drug = firstSuitable(chart, ['omeprazole-20'], date)
    if (drug) chart.drug(drug, { from: visit.date, visit, reason: { condition }, fills: 2 })
    writeNote(chart, visit, {
      type: 'progress',
      title: 'Visit for heartburn',
      text: 'Burning behind the breastbone after meals and on lying down, for a month. No weight loss, no trouble swallowing, no black stools.\nAssessment: gastroesophageal reflux disease.\nPlan: omeprazole before breakfast, small evening meals, head of the bed raised; back in two months.',
    })
    const again = chart.visit({
      date: weekday(addDays(date, 60)),
      type: encounterTypes.followUp,
      reason: { condition },
    })
    takeVitals(chart, again)
    writeNote(chart, again, {
      type: 'progress',
      title: 'Visit after two months of treatment',
      text: 'Heartburn gone but for one evening. Sleeps flat again.\nPlan: go on, try without the drug after the next visit.',
    })
  },
}
