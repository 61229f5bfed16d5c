/** High cholesterol and the statin that takes a third off. */
import { orderPanel } from '../timeline/laboratory.ts'
import { isFirstOfYear } from './base-care.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const hyperlipidemia: Story = {
  name: 'hyperlipidemia',
  share: shareOf('hyperlipidemia'),
  visitsYearly: 1,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'hyperlipidemia')
    const condition = chart.problem('hyperlipidemia', { onset })
    if (chance.happens(0.8)) {
      const statin = chance.pick(['atorvastatin-10', 'atorvastatin-40', 'rosuvastatin-10'] as const)
      startDrug(chart, chance, statin, onset, condition)
    }
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('hyperlipidemia')
    if (condition && isFirstOfYear(chart, visit)) orderPanel(chart, visit, 'lipid', { reason: { condition } })
  },
}
