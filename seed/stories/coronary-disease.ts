/** Narrowed arteries of the heart: chest pain, its tests, four drugs, a cardiologist once a year. */
import { encounterTypes, labs, noteTypes, orderCategories, procedures } from '../codes/codes.ts'
import { addDays, daysBetween, laterOf, weekday } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { recordElectrocardiogram } from '../timeline/electrocardiogram.ts'
import { orderLab, orderPanel } from '../timeline/laboratory.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { takeVitals } from '../timeline/vitals.ts'
import { bloodPressure, heartRate } from '../traits/circulation.ts'
import { labValue, statins } from '../traits/laboratory.ts'
import { isFirstOfYear } from './base-care.ts'
import { startDrug } from './chronic.ts'
import { drawOnset, type Story, shareOf } from './story.ts'

export const coronaryDisease: Story = {
  name: 'coronary disease',
  share: shareOf('coronary-artery-disease'),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'coronary-artery-disease', 10)
    const condition = chart.problem('coronary-artery-disease', { onset })
    startDrug(chart, chance, ['aspirin-81', 'clopidogrel-75'], onset, condition)
    startDrug(chart, chance, ['atorvastatin-40', ...statins], onset, condition)
    startDrug(chart, chance, ['metoprolol-succ-50', 'metoprolol-tart-25'], onset, condition)
    startDrug(chart, chance, 'nitroglycerin-sl', onset, condition)
    if (chance.happens(0.4)) treatVessel(chart, onset, condition)
    chart.add({
      kind: 'goal',
      at: laterOf(onset, chart.subject.from),
      description: 'LDL cholesterol below 70 mg/dL',
      coding: labs.ldlCalculated.coding,
      measure: labs.ldlCalculated.coding,
      target: { value: 70, unit: 'mg/dL' },
      due: addDays(chart.subject.until, 180),
      conditions: [condition],
      status: 'active',
    })
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('coronary-artery-disease')
    const lipids = chart.problemKey('hyperlipidemia') // whose story orders them
    if (condition && !lipids && isFirstOfYear(chart, visit)) {
      orderPanel(chart, visit, 'lipid', { reason: { condition } })
    }
  },
  tell: (chart, chance) => {
    const condition = chart.problemKey('coronary-artery-disease')
    const { from, until } = chart.subject
    const room = daysBetween(from, until)
    if (condition === undefined || room < 60) return
    const date = weekday(addDays(from, chance.integer(20, room - 20)))
    const visit = chart.visit({
      date,
      by: 'cardiology',
      type: encounterTypes.problem,
      reason: { condition },
      minutes: 40,
    })
    takeVitals(chart, visit)
    recordElectrocardiogram(chart, visit)
    const bnp = labValue(chart.physiology, 'ntProBnp', date)
    orderLab(chart, visit, 'ntProBnp', { reason: { condition } })
    echo(chart, visit, condition)
    const { systolic, diastolic } = bloodPressure(chart.physiology, date)
    writeNote(chart, visit, {
      type: 'consult',
      title: 'Cardiology consult',
      text: [
        'Known coronary disease. Pressure in the chest on steep stairs, gone after a minute of rest; none at night.',
        `Blood pressure ${systolic}/${diastolic}, pulse ${heartRate(chart.physiology, date)}. Lungs clear, no swelling.`,
        `Electrocardiogram without new changes. NT-proBNP ${bnp} pg/mL.`,
        'Plan: drugs as before, nitroglycerin for need, walk daily; back in a year, at once if pain comes at rest.',
      ].join('\n'),
    })
  },
}

/** Years ago, elsewhere: known by its date alone. */
function treatVessel(chart: Chart, onset: string, condition: string): void {
  const date = addDays(onset, 5)
  if (date >= chart.subject.from) return
  chart.problem('history-of-mi', { onset: date })
  for (const code of [procedures.angiography, procedures.coronaryIntervention]) {
    chart.add({
      kind: 'procedure',
      at: date,
      code,
      reason: { condition },
      clinicianId: chart.subject.specialists.get('cardiology') ?? chart.subject.clinicianId,
    })
  }
}

function echo(chart: Chart, visit: Visit, condition: string): void {
  const basedOn = chart.add({
    kind: 'order',
    at: visit.at,
    visit: visit.key,
    code: procedures.echocardiography,
    category: orderCategories.imaging,
    reason: { condition },
  })
  chart.add({
    kind: 'procedure',
    at: visit.at,
    visit: visit.key,
    code: procedures.echocardiography,
    basedOn,
    reason: { condition },
    clinicianId: visit.clinicianId,
  })
  const failing = chart.problemKey('heart-failure') !== undefined
  writeStudy(chart, visit, {
    type: 'imaging',
    title: 'Echocardiogram',
    category: 'cardiology',
    code: noteTypes.imaging,
    conclusion: failing
      ? 'Reduced ejection fraction, 38 %.'
      : 'Ejection fraction 58 %, no wall motion defect.',
    text: failing
      ? 'Left ventricle enlarged, ejection fraction 38 %. Mild mitral regurgitation.\nImpression: reduced function.'
      : 'Left ventricle of normal size, ejection fraction 58 %. Valves open and close well.\nImpression: normal function.',
  })
}
