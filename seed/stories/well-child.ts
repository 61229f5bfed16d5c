/** Check-ups of children: growth is in the vital signs of every visit; a blood count at one year. */
import { orderPanel } from '../timeline/laboratory.ts'
import { ageAt } from '../timeline/subject.ts'
import { ageMonths } from '../traits/body.ts'
import type { Story } from './story.ts'

export const wellChild: Story = {
  name: 'well child',
  share: (subject) => (ageAt(subject, subject.until) < 18 ? 1 : 0),
  atVisit: (chart, visit) => {
    const months = ageMonths(chart.subject.traits, visit.date)
    if (months >= 11.5 && months < 13.5) {
      orderPanel(chart, visit, 'cbc', { only: ['hemoglobin', 'hematocrit', 'mcv', 'platelets'] })
    }
  },
}
