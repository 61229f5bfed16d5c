/** The eight kinds of note that clients ask for, and every kind of stored file. */
import {
  clinicalResults,
  dischargeDispositions,
  encounterClasses,
  encounterTypes,
  noteTypes,
  observationCategories,
  procedures,
} from '../codes/codes.ts'
import { addDays, weekday } from '../people/calendar.ts'
import { screen } from '../stories/cancer-screening.ts'
import type { Story } from '../stories/story.ts'
import type { Chart } from '../timeline/chart.ts'
import { recordElectrocardiogram } from '../timeline/electrocardiogram.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { takeVitals } from '../timeline/vitals.ts'

export const showcaseDocuments: Story = {
  name: 'showcase of documents',
  share: () => 0,
  tell: (chart) => {
    const cardiology = chart.visit({
      date: weekday(addDays(chart.subject.until, -240)),
      by: 'cardiology',
      type: encounterTypes.problem,
      reason: { coding: clinicalResults.ecgImpression },
      minutes: 40,
    })
    recordElectrocardiogram(chart, cardiology, { file: 'pdf' })
    writeNote(chart, cardiology, {
      type: 'consult',
      title: 'Cardiology consult',
      text: 'Asked about palpitations. Regular rhythm, no murmur. The electrocardiogram is normal.\nNo further tests needed.',
    })
    admission(chart)
    examinations(chart)
  },
}

function admission(chart: Chart): void {
  const visit = chart.visit({
    date: addDays(chart.subject.until, -150),
    type: encounterTypes.admission,
    class: encounterClasses.inpatient,
    reason: {
      condition: chart.problem('pneumonia', {
        onset: addDays(chart.subject.until, -153),
        abated: addDays(chart.subject.until, -120),
      }),
    },
    minutes: 720,
    discharge: dischargeDispositions.home,
    feverish: true,
  })
  takeVitals(chart, visit, { oxygen: { flow: 2, concentration: 28 } })
  writeNote(chart, visit, {
    type: 'historyAndPhysical',
    title: 'History and physical on admission',
    text: 'Cough and fever for three days. Crackles at the right base. Oxygen by mask, 2 litres a minute.\nPlan: antibiotic, oxygen, chest film.',
    file: 'text',
  })
  const finding = chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'clinicalResult',
    categories: [observationCategories.imaging],
    codes: [clinicalResults.radiologyFinding],
    value: { text: 'Opacity in the right lower lobe. Heart of normal size.' },
  })
  writeStudy(chart, visit, {
    type: 'imaging',
    title: 'Chest film',
    category: 'radiology',
    code: clinicalResults.chestXray,
    results: [finding],
    conclusion: 'Right lower lobe pneumonia.',
    text: 'Opacity in the right lower lobe.',
    file: 'png',
  })
  chart.drug('amox-clav-875', { from: visit.date, visit })
  writeNote(chart, visit, {
    type: 'discharge',
    title: 'Discharge summary',
    text: 'Admitted with pneumonia of the right lower lobe; better on the second day. Antibiotic for ten days by mouth.\nSee the practice in a week.',
    file: 'ccda',
  })
}

function examinations(chart: Chart): void {
  const visit = chart.visit({
    date: weekday(addDays(chart.subject.until, -90)),
    type: encounterTypes.followUp,
  })
  screen(chart, visit, 'colonoscopy')
  writeNote(chart, visit, {
    type: 'procedure',
    title: 'Colonoscopy',
    text: 'Sedation, scope passed to the cecum. One small polyp in the rectum, removed and sent to pathology.',
  })
  screen(chart, visit, 'polypectomy')
  chart.problem('polyp-of-colon', { onset: visit.date, role: 'diagnosis', visit, abated: visit.date })
  const finding = chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'lab',
    categories: [observationCategories.laboratory],
    codes: [noteTypes.pathology],
    value: { text: 'Hyperplastic polyp, 4 mm, removed whole. No dysplasia.' },
  })
  writeStudy(chart, visit, {
    type: 'pathology',
    title: 'Pathology of the polyp',
    category: 'pathology',
    code: noteTypes.pathology,
    results: [finding],
    conclusion: 'Hyperplastic polyp without dysplasia.',
    text: 'One fragment of 4 mm. Hyperplastic polyp, margins free, no dysplasia.',
  })
  writeNote(chart, visit, {
    type: 'laboratory',
    title: 'Laboratory report from elsewhere',
    text: 'Copy of results that the hospital sent; see the discharge summary.',
    status: 'superseded',
  })
  chart.add({
    kind: 'procedure',
    at: visit.at,
    end: visit.end,
    visit: visit.key,
    code: procedures.medicationReconciliation,
    clinicianId: visit.clinicianId,
    reason: { coding: encounterTypes.followUp },
  })
}
