/** Screening for what people lack: food, a way to get about. What it finds becomes a health concern. */
import { orderCategories, procedures, screeningCategories } from '../codes/codes.ts'
import { ageAt } from '../timeline/subject.ts'
import { askHunger } from '../timeline/surveys.ts'
import type { Story } from './story.ts'

export const socialNeeds: Story = {
  name: 'social needs',
  share: (subject) => (ageAt(subject, subject.until) >= 18 ? 0.2 : 0.05),
  tell: (chart, chance) => {
    const visit = chart.visits.at(-1)
    if (visit === undefined) return
    const atRisk = chance.happens(0.35)
    askHunger(chart, visit, atRisk)
    if (!atRisk) return
    const condition = chart.problem('food-insecurity', {
      onset: visit.date,
      role: 'concern',
      visit,
      screening: screeningCategories.sdoh,
    })
    chart.add({
      kind: 'order',
      at: visit.at,
      visit: visit.key,
      code: procedures.foodPantryHelp,
      category: orderCategories.sdoh,
      reason: { condition },
      status: 'active',
    })
  },
}
