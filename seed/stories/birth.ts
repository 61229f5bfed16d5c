/** The hours of birth, as the practice learned of them; told of everybody whose first day lies in the time told. */
import { dischargeDispositions, encounterClasses, encounterTypes, procedures } from '../codes/codes.ts'
import { writeNote } from '../timeline/notes.ts'
import { takeVitals } from '../timeline/vitals.ts'
import type { Story } from './story.ts'

export const birth: Story = {
  name: 'birth',
  share: ({ from, traits }) => (traits.birthDay >= from ? 1 : 0),
  tell: (chart) => {
    const visit = chart.visit({
      date: chart.subject.traits.birthDay,
      type: encounterTypes.admission,
      class: encounterClasses.inpatient,
      reason: { coding: procedures.delivery },
      discharge: dischargeDispositions.home,
      ...(chart.subject.traits.birthDay < chart.subject.until ? { days: 1 } : {}),
      minutes: 120,
    })
    takeVitals(chart, visit)
    writeNote(chart, visit, {
      type: 'discharge',
      title: 'Discharge summary of the newborn',
      text: 'Born at term, cried at once, feeds well. Hearing and heart screening passed.\nDischarged home; see the practice in three days.',
    })
  },
}
