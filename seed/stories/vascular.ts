/** Narrowed arteries of the heart, and a stroke. */
import { labs, procedures, terms } from '../codes/codes.ts'
import { addDays, daysBetween, laterOf, weekday } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { orderLab, orderPanel, recordElectrocardiogram, takeVitals } from '../timeline/examinations.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { bloodPressure, heartRate } from '../traits/body.ts'
import { labValue, statins } from '../traits/laboratory.ts'
import { drawOnset, isFirstOfYear, type Story, setGoal, shareOf, startDrug } from './story.ts'

/** Chest pain, its tests, four drugs, a cardiologist once a year. */
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
    startDrug(chart, chance, ['nitroglycerin-sl'], onset, condition)
    if (chance.happens(0.4)) treatVessel(chart, onset, condition)
    setGoal(chart, condition, 180, {
      at: laterOf(onset, chart.subject.from),
      description: 'LDL cholesterol below 70 mg/dL',
      coding: labs.ldlCalculated.coding,
      target: { value: 70, unit: 'mg/dL' },
    })
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('coronary-artery-disease')
    const lipids = chart.problemKey('hyperlipidemia') // whose story orders them
    if (condition && !lipids && isFirstOfYear(chart, visit))
      orderPanel(chart, visit, 'lipid', { reason: { condition } })
  },
  tell: (chart, chance) => {
    const condition = chart.problemKey('coronary-artery-disease')
    const { from, until } = chart.subject
    const room = daysBetween(from, until)
    if (condition === undefined || room < 60) return
    const date = weekday(addDays(from, chance.integer(20, room - 20)))
    const reason = { condition }
    const type = terms.encounterTypes.problem
    const visit = chart.visit({ date, by: 'cardiology', type, reason, minutes: 40 })
    takeVitals(chart, visit)
    recordElectrocardiogram(chart, visit)
    const bnp = labValue(chart.physiology, 'ntProBnp', date)
    orderLab(chart, visit, 'ntProBnp', { reason })
    echo(chart, visit, condition)
    const { systolic, diastolic } = bloodPressure(chart.physiology, date)
    writeNote(visit, {
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
  const { from, specialists } = chart.subject
  const at = addDays(onset, 5)
  if (at >= from) return
  chart.problem('history-of-mi', { onset: at })
  const clinicianId = specialists.get('cardiology')
  for (const code of [procedures.angiography, procedures.coronaryIntervention])
    chart.add({ kind: 'procedure', at, code, reason: { condition }, clinicianId })
}

function echo(chart: Chart, visit: Visit, condition: string): void {
  const code = procedures.echocardiography
  const reason = { condition }
  const basedOn = visit.add({ kind: 'order', code, category: terms.orderCategories.imaging, reason })
  visit.add({ kind: 'procedure', code, basedOn, reason })
  const failing = chart.problemKey('heart-failure') !== undefined
  writeStudy(visit, {
    type: 'imaging',
    title: 'Echocardiogram',
    category: 'cardiology',
    code: terms.noteTypes.imaging,
    conclusion: failing
      ? 'Reduced ejection fraction, 38 %.'
      : 'Ejection fraction 58 %, no wall motion defect.',
    text: failing
      ? 'Left ventricle enlarged, ejection fraction 38 %. Mild mitral regurgitation.\nImpression: reduced function.'
      : 'Left ventricle of normal size, ejection fraction 58 %. Valves open and close well.\nImpression: normal function.',
  })
}

/** The emergency room, the scan, days in hospital, and the drug and the plan after it. */
export const stroke: Story = {
  name: 'stroke',
  share: ({ age }) => (age >= 58 ? 0.05 : 0),
  tell: (chart, chance) => {
    const { from, until } = chart.subject
    const room = daysBetween(from, until) - 120
    if (room < 30) return
    const date = addDays(from, chance.integer(10, room))
    const condition = arrive(chart, date)
    stay(chart, addDays(date, 1), condition)
    lookAfter(chart, weekday(addDays(date, 18)), condition)
  },
}

/** @returns key of the stroke */
function arrive(chart: Chart, date: string): string {
  const condition = `stroke on ${date}`
  const reason = { condition }
  const visit = chart.visit({
    date,
    class: terms.encounterClasses.emergency,
    type: terms.encounterTypes.emergency,
    reason,
    minutes: 240,
  })
  chart.problem('stroke', { key: condition, onset: date, role: 'diagnosis', visit })
  takeVitals(chart, visit)
  orderPanel(chart, visit, 'bmp', { reason })
  orderPanel(chart, visit, 'cbc', { reason, only: ['wbc', 'hemoglobin', 'hematocrit', 'platelets'] })
  orderLab(chart, visit, 'inr', { reason })
  recordElectrocardiogram(chart, visit)
  visit.add({
    kind: 'order',
    code: terms.noteTypes.imaging,
    text: 'CT of the head',
    category: terms.orderCategories.imaging,
    reason,
  })
  const { imaging } = terms.observationCategories
  const finding = visit.observe('clinicalResult', imaging, terms.clinicalResults.radiologyFinding, {
    value: { text: 'Early loss of the insular ribbon on the left. No hemorrhage, no mass.' },
  })
  writeStudy(visit, {
    type: 'imaging',
    title: 'CT of the head',
    category: 'radiology',
    code: terms.noteTypes.imaging,
    results: [finding],
    conclusion: 'Early ischemic change in the territory of the left middle cerebral artery. No hemorrhage.',
    text: 'Without contrast. Early loss of the insular ribbon on the left. No hemorrhage, no mass, ventricles of normal size.\nImpression: early ischemic change, left middle cerebral artery.',
  })
  const { systolic, diastolic } = bloodPressure(chart.physiology, date)
  writeNote(visit, {
    type: 'historyAndPhysical',
    title: 'Emergency room note',
    text: [
      'Weakness of the right arm and slurred speech on waking; last seen well the evening before.',
      `Blood pressure ${systolic}/${diastolic}. Right arm drifts, face droops a little on the right, understands everything.`,
      'No bleeding on the scan. Too late for clot-dissolving treatment.',
      'Plan: admit, swallow test, therapy from the first day.',
    ].join('\n'),
  })
  return condition
}

function stay(chart: Chart, date: string, condition: string): void {
  const reason = { condition }
  const visit = chart.visit({
    date,
    days: 3,
    class: terms.encounterClasses.inpatient,
    type: terms.encounterTypes.admission,
    reason,
    minutes: 480,
    discharge: terms.dischargeDispositions.home,
  })
  takeVitals(chart, visit)
  const wanted = [['clopidogrel-75'], ['atorvastatin-40', ...statins]] as const
  const drugs = wanted.flatMap((each) => chart.firstSuitable(each, date) ?? [])
  for (const drug of drugs) chart.drug(drug, { from: visit.date, visit, reason, fills: 2 })
  writeNote(visit, {
    type: 'discharge',
    title: 'Discharge summary after a stroke',
    text: [
      'Ischemic stroke of the left middle cerebral artery. Speech clear again on the third day; the right hand is still clumsy.',
      drugs.length > 0 ? 'Drugs begun to prevent another; see the list.' : 'Drugs as before.',
      'Home with outpatient therapy. Practice visit in two to three weeks.',
    ].join('\n'),
  })
}

function lookAfter(chart: Chart, date: string, condition: string): void {
  const visit = chart.visit({ date, reason: { condition }, minutes: 30 })
  takeVitals(chart, visit)
  const { systolic, diastolic } = bloodPressure(chart.physiology, date)
  writeNote(visit, {
    type: 'progress',
    title: 'Visit after the stroke',
    text: [
      'Walks without help, speech clear, buttons a shirt slowly. Takes the drugs every day.',
      `Blood pressure ${systolic}/${diastolic}.`,
      'Plan: therapy for six more weeks, then another look.',
    ].join('\n'),
  })
  visit.add({
    kind: 'carePlan',
    title: 'Plan after the stroke',
    lines: [
      'Exercises for the right arm and hand twice a day.',
      'Blood pressure below 130/80; measured at home twice a week.',
      'The drugs every day; call at once for new weakness or trouble speaking.',
    ],
    conditions: [condition],
    goals: [],
  })
}
