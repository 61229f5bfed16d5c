/** A life in one chart: the measurements of a small child, and the questions of the years in which people have children. */
import { observationCategories, pregnancyFindings, surveyCodes } from '../codes/codes.ts'
import { addDays, addMonths, weekday } from '../people/calendar.ts'
import { acuteVisit } from '../stories/acute.ts'
import { recordPregnancyStatus } from '../stories/pregnancy.ts'
import type { Story } from '../stories/story.ts'
import { writeNote } from '../timeline/notes.ts'
import { takeVitals } from '../timeline/vitals.ts'

const childhoodMonths = [9, 120]
const askedMonths = 38 * 12

export const wholeLife: Story = {
  name: 'whole life',
  share: () => 0,
  tell: (chart) => {
    const { birthDay } = chart.subject.traits
    for (const months of childhoodMonths) {
      const visit = chart.visit({ date: weekday(addMonths(birthDay, months)) })
      takeVitals(chart, visit)
      writeNote(chart, visit, {
        type: 'progress',
        title: 'Check-up of a child',
        text: 'Grows along her own line. Copied from the paper chart.',
      })
    }
    const asked = chart.visit({ date: weekday(addMonths(birthDay, askedMonths)), by: 'obstetrics' })
    recordPregnancyStatus(chart, asked.at, asked.key, 'unknown')
    chart.add({
      kind: 'observation',
      at: asked.at,
      visit: asked.key,
      profile: 'pregnancyIntent',
      categories: [observationCategories.socialHistory],
      codes: [surveyCodes.pregnancyIntent],
      value: { codings: [pregnancyFindings.notSureOfIntent] },
    })
    writeNote(chart, asked, {
      type: 'progress',
      title: 'Family planning',
      text: 'Is not sure whether she wants a child. Knows whom to ask.',
    })
    acuteVisit(chart, {
      condition: 'acute-bronchitis',
      date: weekday(addDays(chart.subject.until, -200)),
      days: 12,
      complaint: 'Has coughed for a week. No fever.',
      advice: 'Rest and fluids; come back if the cough lasts.',
    })
  },
}
