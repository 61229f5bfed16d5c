/** A1c drifts up, metformin brings it down; a second drug when a year on it was not enough. */
import { labs } from '../codes/codes.ts'
import { addDays, laterOf, weekday } from '../people/calendar.ts'
import { orderLab, orderPanel } from '../timeline/laboratory.ts'
import { labValue } from '../traits/laboratory.ts'
import { isFirstOfYear } from './base-care.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const type2Diabetes: Story = {
  name: 'type 2 diabetes',
  share: shareOf('type2-diabetes'),
  visitsYearly: 3,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'type2-diabetes')
    const condition = chart.problem('type2-diabetes', { onset })
    startDrug(chart, chance, 'metformin-er-500', onset, condition)
    const later = weekday(addDays(onset, 420))
    if (later < chart.subject.until && labValue(chart.physiology, 'a1c', later) > 7.2) {
      startDrug(
        chart,
        chance,
        chance.pick(['canagliflozin-100', 'liraglutide-pen'] as const),
        later,
        condition,
      )
    }
    const start = laterOf(onset, chart.subject.from)
    const goal = chart.add({
      kind: 'goal',
      at: start,
      description: 'Hemoglobin A1c below 7 %',
      coding: labs.a1c.coding,
      measure: labs.a1c.coding,
      target: { value: 7, unit: '%' },
      due: addDays(chart.subject.until, 120),
      conditions: [condition],
      status: 'active',
    })
    chart.add({
      kind: 'carePlan',
      at: start,
      title: 'Diabetes care plan',
      lines: [
        'Hemoglobin A1c every three to six months; aim below 7 %.',
        'Eyes, feet and urine albumin once a year.',
        'Half an hour of walking on most days.',
      ],
      conditions: [condition],
      goals: [goal],
      status: 'active',
    })
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('type2-diabetes')
    if (condition === undefined) return
    const reason = { condition }
    orderLab(chart, visit, 'a1c', { reason })
    if (!isFirstOfYear(chart, visit)) return
    orderPanel(chart, visit, 'cmp', { reason })
    orderLab(chart, visit, 'albuminCreatinine', { reason, specimen: 'urine' })
  },
}
