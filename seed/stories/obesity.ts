/** A body mass index of 30 and more, and the plan to bring it down. */
import { vitals } from '../codes/codes.ts'
import { addDays } from '../people/calendar.ts'
import { ageAt } from '../timeline/subject.ts'
import { drawOnset, type Story } from './story.ts'

export const obesity: Story = {
  name: 'obesity',
  share: (subject) => (ageAt(subject, subject.until) < 20 ? 0 : subject.traits.weightZ > 0.9 ? 0.95 : 0),
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'obesity', 15)
    if (ageAt(chart.subject, onset) < 20) return
    const condition = chart.problem('obesity', { onset })
    if (!chance.happens(0.5)) return
    chart.add({
      kind: 'goal',
      at: chart.subject.from,
      description: 'Body mass index below 30',
      coding: vitals.bmi.coding,
      measure: vitals.bmi.coding,
      target: { value: 30, unit: 'kg/m2' },
      due: addDays(chart.subject.until, 365),
      conditions: [condition],
      status: 'active',
    })
  },
}
