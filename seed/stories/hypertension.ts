/** Raised pressure; a second drug where one does not bring it down. */

import { vitals } from '../codes/codes.ts'
import { addDays, laterOf, weekday } from '../people/calendar.ts'
import { orderPanel } from '../timeline/laboratory.ts'
import { bloodPressure } from '../traits/circulation.ts'
import { isFirstOfYear } from './base-care.ts'
import { shuffledFrom, startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const hypertension: Story = {
  name: 'hypertension',
  share: shareOf('hypertension'),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'hypertension')
    const condition = chart.problem('hypertension', { onset })
    const first = startDrug(
      chart,
      chance,
      shuffledFrom(chance, [
        'lisinopril-10',
        'losartan-50',
        'amlodipine-5',
        'hydrochlorothiazide-25',
      ] as const),
      onset,
      condition,
    )
    const later = weekday(addDays(onset, 200))
    if (first && later < chart.subject.until && bloodPressure(chart.physiology, later).systolic > 142) {
      startDrug(
        chart,
        chance,
        shuffledFrom(chance, ['metoprolol-succ-50', 'amlodipine-2.5', 'hydrochlorothiazide-25'] as const),
        later,
        condition,
      )
    }
    chart.add({
      kind: 'goal',
      at: laterOf(onset, chart.subject.from),
      description: 'Blood pressure below 130/80',
      coding: vitals.bloodPressure.coding,
      measure: vitals.systolic.coding,
      target: { value: 130, unit: 'mm[Hg]' },
      due: addDays(chart.subject.until, 180),
      conditions: [condition],
      status: 'active',
    })
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('hypertension')
    if (condition && isFirstOfYear(chart, visit)) orderPanel(chart, visit, 'bmp', { reason: { condition } })
  },
}
