/** PHQ-9 high at first, and falling over the months after treatment began. */
import { screeningCategories } from '../codes/codes.ts'
import { daysBetween } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { askPhq9 } from '../timeline/surveys.ts'
import { wobble } from '../traits/noise.ts'
import { hasProblem, treatedSince } from '../traits/physiology.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const depression: Story = {
  name: 'depression',
  share: shareOf('major-depression'),
  visitsYearly: 3,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'major-depression', 3)
    const condition = chart.problem('major-depression', { onset, sensitive: true })
    const drug = chance.pick(['sertraline-100', 'fluoxetine-20'] as const)
    startDrug(chart, chance, drug, onset, condition, true)
  },
  atVisit: (chart, visit) => {
    if (!hasProblem(chart.physiology, 'major-depression', visit.date)) return
    askPhq9(chart, visit, phq9Score(chart, visit), {
      screening: screeningCategories.disability,
      sensitive: true,
    })
  },
}

/** 0 to 27: from about 16 to about 5 within nine months of treatment. */
function phq9Score(chart: Chart, visit: Visit): number {
  const since = treatedSince(chart.physiology, ['sertraline-100', 'fluoxetine-20'])
  const eased = since && since <= visit.date ? Math.min(1, daysBetween(since, visit.date) / 270) : 0
  const score = 16 - 11 * eased + wobble(chart.subject.traits.noiseSeed, 'phq9', visit.date)
  return Math.max(1, Math.min(24, Math.round(score)))
}
