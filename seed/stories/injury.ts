/** A twisted ankle: an X-ray that shows nothing broken, a splint, something for the pain. */
import {
  clinicalResults,
  noteTypes,
  observationCategories,
  orderCategories,
  procedures,
} from '../codes/codes.ts'
import { writeStudy } from '../timeline/notes.ts'
import { ageAt } from '../timeline/subject.ts'
import { acuteVisit, drawDay } from './acute.ts'
import type { Story } from './story.ts'

export const injury: Story = {
  name: 'injury',
  share: (subject) => (ageAt(subject, subject.until) >= 10 && ageAt(subject, subject.until) < 70 ? 0.08 : 0),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined || ageAt(chart.subject, date) < 9) return
    const visit = acuteVisit(chart, {
      condition: 'sprain-of-ankle',
      date,
      days: 28,
      drugs: ['ibuprofen-200', 'acetaminophen-325'],
      complaint: 'Twisted the ankle on a step; it is swollen and sore, walking hurts.',
      advice: 'Splint, ice and rest; walk again as pain allows.',
    })
    const order = chart.add({
      kind: 'order',
      at: visit.at,
      visit: visit.key,
      code: procedures.boneImmobilization,
      category: orderCategories.surgery,
    })
    chart.add({
      kind: 'procedure',
      at: visit.at,
      visit: visit.key,
      code: procedures.boneImmobilization,
      basedOn: order,
      clinicianId: visit.clinicianId,
    })
    const finding = chart.add({
      kind: 'observation',
      at: visit.at,
      visit: visit.key,
      profile: 'clinicalResult',
      categories: [observationCategories.imaging],
      codes: [clinicalResults.radiologyFinding],
      value: { text: 'Soft tissue swelling at the outer ankle. No fracture.' },
    })
    writeStudy(chart, visit, {
      type: 'imaging',
      title: 'X-ray of the ankle',
      category: 'radiology',
      code: noteTypes.imaging,
      results: [finding],
      conclusion: 'No fracture.',
      text: 'Three views of the ankle. Soft tissue swelling at the outer side. No fracture, joint in place.\nImpression: no fracture.',
    })
  },
}
