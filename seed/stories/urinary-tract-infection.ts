/** Burning, a urine test that says why, and a short antibiotic. */
import { orderPanel } from '../timeline/laboratory.ts'
import { ageAt } from '../timeline/subject.ts'
import { acuteVisit, drawDay } from './acute.ts'
import { shuffledFrom } from './chronic.ts'
import type { Story } from './story.ts'

export const urinaryTractInfection: Story = {
  name: 'urinary tract infection',
  share: (subject) => (subject.traits.sex === 'female' && ageAt(subject, subject.until) >= 17 ? 0.14 : 0),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined) return
    const visit = acuteVisit(chart, {
      condition: 'urinary-tract-infection',
      date,
      days: 6,
      drugs: shuffledFrom(chance, ['tmp-smx-ds', 'cephalexin-500'] as const),
      complaint: 'Burning and frequent urination for two days, no fever.',
      advice: 'Antibiotic; drink enough; come back if fever or back pain.',
    })
    orderPanel(chart, visit, 'urinalysis', {
      words: { urineLeukocytes: 'positive', urineNitrite: 'positive', urineHemoglobin: 'negative' },
    })
  },
}
