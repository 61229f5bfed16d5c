/** Chronic bronchitis of people who smoke or have smoked. */
import { ageAt } from '../timeline/subject.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story } from './story.ts'

export const copd: Story = {
  name: 'COPD',
  share: (subject) => (ageAt(subject, subject.until) >= 50 && subject.traits.smoking !== 'never' ? 0.14 : 0),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'copd-chronic-bronchitis', 8)
    const condition = chart.problem('copd-chronic-bronchitis', { onset })
    startDrug(chart, chance, 'fluticasone-salmeterol', onset, condition)
    startDrug(chart, chance, 'albuterol-mdi', onset, condition)
  },
}
