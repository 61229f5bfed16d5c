/** Acute illnesses and injuries: a visit, its diagnosis, a drug for days, a note. */
import { type ConditionKey, conditions, type MedicationKey, procedures, terms } from '../codes/codes.ts'
import { addDays, daysBetween, laterOf, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import { ageAt, type Chart, type Visit } from '../timeline/chart.ts'
import { orderLab, orderPanel, takeVitals } from '../timeline/examinations.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { type Story, shuffledFrom } from './story.ts'

interface Illness {
  readonly condition: ConditionKey
  /** In order of preference; the first that suits the patient is given. */
  readonly drugs?: readonly MedicationKey[]
  readonly feverish?: boolean
  readonly complaint: string
  readonly advice: string
}

/** @returns the visit, for tests and treatments of its own */
export function acuteVisit(
  chart: Chart,
  { condition, drugs = [], feverish, complaint, advice }: Illness,
  date: string,
  days: number,
): Visit {
  const key = `${condition} on ${date}`
  const visit = chart.visit({
    date,
    type: terms.encounterTypes.symptom,
    feverish,
    reason: { condition: key },
    minutes: 20,
  })
  takeVitals(chart, visit)
  const ended = addDays(date, days)
  chart.problem(condition, {
    onset: laterOf(addDays(date, -1), chart.subject.traits.birthDay),
    key,
    role: 'diagnosis',
    visit,
    abated: ended <= chart.subject.until ? ended : undefined,
  })
  // Tablets of these strengths are nothing for small children.
  const drug = ageAt(chart.subject, date) >= 8 ? chart.firstSuitable(drugs, date) : undefined
  if (drug) chart.drug(drug, { from: date, visit, reason: { condition: key } })
  writeNote(visit, {
    type: 'progress',
    title: 'Sick visit',
    text: `${complaint}\nAssessment: ${conditions[condition].text}.\nPlan: ${advice}`,
  })
  return visit
}

/** A working day in the recorded period; undefined if the period has none. */
function drawDay({ subject: { from, until } }: Chart, chance: Chance): string | undefined {
  const room = daysBetween(from, until) - 4
  return room < 8 ? undefined : weekday(addDays(from, chance.integer(4, room)))
}

/** Most of these illnesses pass without treatment. */
const respiratory: readonly (Illness & { readonly ages: readonly [number, number] })[] = [
  {
    condition: 'acute-uri',
    ages: [0, 95],
    complaint: 'Runny nose, cough and a raw throat for three days.',
    advice: 'Rest and drinks; come back if breathing becomes hard.',
  },
  {
    condition: 'otitis-media',
    ages: [0, 11],
    feverish: true,
    complaint: 'Fever and a painful ear since last night.',
    advice: 'Watchful waiting, something for the pain, another look in two days.',
  },
  {
    condition: 'strep-pharyngitis',
    ages: [8, 45],
    drugs: ['amoxicillin-500', 'azithromycin-250'],
    feverish: true,
    complaint: 'Sore throat and fever, no cough.',
    advice: 'Antibiotic for ten days.',
  },
  {
    condition: 'acute-bronchitis',
    ages: [16, 95],
    complaint: 'Cough with phlegm for two weeks.',
    advice: 'No antibiotic; it may take three weeks.',
  },
  {
    condition: 'viral-sinusitis',
    ages: [12, 90],
    complaint: 'Pressure over the cheeks and a blocked nose.',
    advice: 'Salt water rinses, something for the pain.',
  },
  {
    condition: 'influenza',
    ages: [5, 95],
    feverish: true,
    complaint: 'Sudden fever, aches and cough.',
    advice: 'Stay at home until a day without fever.',
  },
]

export const acuteRespiratoryInfection: Story = {
  name: 'acute respiratory infection',
  share: ({ age }) => (age < 12 ? 0.6 : 0.3),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined) return
    const age = ageAt(chart.subject, date)
    const illness = chance.pick(respiratory.filter(({ ages }) => ages[0] <= age && age <= ages[1]))
    const visit = acuteVisit(chart, illness, date, 10)
    if (illness.condition === 'influenza') {
      orderLab(chart, visit, 'influenzaA', { words: { influenzaA: 'detected' }, specimen: 'untold' })
    }
  },
}

export const urinaryTractInfection: Story = {
  name: 'urinary tract infection',
  share: ({ age, traits }) => (traits.sex === 'female' && age >= 17 ? 0.14 : 0),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined) return
    const illness = {
      condition: 'urinary-tract-infection',
      drugs: shuffledFrom(chance, ['tmp-smx-ds', 'cephalexin-500'] as const),
      complaint: 'Burning and frequent urination for two days, no fever.',
      advice: 'Antibiotic; drink enough; come back if fever or back pain.',
    } as const
    const visit = acuteVisit(chart, illness, date, 6)
    orderPanel(chart, visit, 'urinalysis', {
      words: { urineLeukocytes: 'positive', urineNitrite: 'positive', urineHemoglobin: 'negative' },
    })
  },
}

const twistedAnkle: Illness = {
  condition: 'sprain-of-ankle',
  drugs: ['ibuprofen-200', 'acetaminophen-325'],
  complaint: 'Twisted the ankle on a step; it is swollen and sore, walking hurts.',
  advice: 'Splint, ice and rest; walk again as pain allows.',
}

/** A normal X-ray, a splint and a painkiller. */
export const injury: Story = {
  name: 'injury',
  share: ({ age }) => (age >= 10 && age < 70 ? 0.08 : 0),
  tell: (chart, chance) => {
    const date = drawDay(chart, chance)
    if (date === undefined || ageAt(chart.subject, date) < 9) return
    const visit = acuteVisit(chart, twistedAnkle, date, 28)
    const code = procedures.boneImmobilization
    const basedOn = visit.add({ kind: 'order', code, category: terms.orderCategories.surgery })
    visit.add({ kind: 'procedure', code, basedOn })
    const { imaging } = terms.observationCategories
    const finding = visit.observe('clinicalResult', imaging, terms.clinicalResults.radiologyFinding, {
      value: { text: 'Soft tissue swelling at the outer ankle. No fracture.' },
    })
    writeStudy(visit, {
      type: 'imaging',
      title: 'X-ray of the ankle',
      category: 'radiology',
      code: terms.noteTypes.imaging,
      results: [finding],
      conclusion: 'No fracture.',
      text: 'Three views of the ankle. Soft tissue swelling at the outer side. No fracture, joint in place.\nImpression: no fracture.',
    })
  },
}
