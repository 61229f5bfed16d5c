/** Mammogram, colonoscopy or stool test at the ages that call for them. */
import { orderCategories, type ProcedureKey, procedures } from '../codes/codes.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { orderLab } from '../timeline/laboratory.ts'
import { ageAt } from '../timeline/subject.ts'
import type { Story } from './story.ts'

export const cancerScreening: Story = {
  name: 'cancer screening',
  share: (subject) => (ageAt(subject, subject.until) >= 45 && ageAt(subject, subject.until) <= 76 ? 0.7 : 0),
  tell: (chart, chance) => {
    const visit = chart.visits.find((each) => ageAt(chart.subject, each.date) >= 45)
    if (visit === undefined) return
    if (chart.subject.traits.sex === 'female' && ageAt(chart.subject, visit.date) >= 40) {
      screen(chart, visit, 'mammography')
    }
    if (chance.happens(0.4)) screen(chart, visit, 'colonoscopy')
    else orderLab(chart, visit, 'fit', { specimen: 'untold' })
    if (chart.subject.traits.sex === 'male' && ageAt(chart.subject, visit.date) >= 55) {
      orderLab(chart, visit, 'psa')
    }
  },
}

/** Ordered and done on the same day, which keeps the record short. */
export function screen(chart: Chart, visit: Visit, key: ProcedureKey): string {
  const order = chart.add({
    kind: 'order',
    at: visit.at,
    visit: visit.key,
    code: procedures[key],
    category: orderCategories.evaluation,
  })
  return chart.add({
    kind: 'procedure',
    at: visit.at,
    visit: visit.key,
    code: procedures[key],
    basedOn: order,
    clinicianId: visit.clinicianId,
  })
}
