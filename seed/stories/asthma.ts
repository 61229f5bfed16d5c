/** Asthma of children and adults: an inhaler to keep, one for need, and breathing measured. */
import { procedures } from '../codes/codes.ts'
import { ageAt } from '../timeline/subject.ts'
import { isFirstOfYear } from './base-care.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story } from './story.ts'

export const asthma: Story = {
  name: 'asthma',
  share: (subject) => (ageAt(subject, subject.until) < 4 ? 0 : 0.08),
  visitsYearly: 1.5,
  begin: (chart, chance) => {
    const child = ageAt(chart.subject, chart.subject.until) < 18
    const onset = drawOnset(chart, chance, child ? 'childhood-asthma' : 'asthma', child ? 6 : 20)
    const condition = chart.problem(child ? 'childhood-asthma' : 'asthma', { onset })
    startDrug(chart, chance, 'albuterol-mdi', onset, condition)
    if (chance.happens(0.6)) startDrug(chart, chance, 'fluticasone-mdi-44', onset, condition)
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('asthma') ?? chart.problemKey('childhood-asthma')
    if (condition === undefined || !isFirstOfYear(chart, visit)) return
    chart.add({
      kind: 'procedure',
      at: visit.at,
      visit: visit.key,
      code: procedures.spirometry,
      reason: { condition },
      clinicianId: visit.clinicianId,
    })
  },
}
