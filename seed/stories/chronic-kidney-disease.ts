/** eGFR falls slowly; the stage on the list is that of the number. */

import { orderLab } from '../timeline/laboratory.ts'
import { ageMonths } from '../traits/body.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const chronicKidneyDisease: Story = {
  name: 'chronic kidney disease',
  share: shareOf('ckd-stage-3'),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'ckd-stage-3', 5)
    if (ageMonths(chart.subject.traits, onset) < 480) return
    const condition = chart.problem('ckd-stage-3', { onset })
    startDrug(chart, chance, 'losartan-50', onset, condition)
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('ckd-stage-3')
    if (condition === undefined) return
    orderLab(chart, visit, 'creatinine', { reason: { condition } })
    orderLab(chart, visit, 'egfr', { reason: { condition } })
  },
}
