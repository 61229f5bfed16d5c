/** The parts of every record: visits with notes, coverage and care team, allergies, screenings. */
import {
  type AllergenKey,
  allergens,
  medications,
  noKnownAllergy,
  type ProcedureKey,
  procedures,
  type ReactionKey,
  reactions,
  surveyCodes,
  terms,
} from '../codes/codes.ts'
import { addYears, laterOf } from '../people/calendar.ts'
import { ageAt, type Chart, type Visit } from '../timeline/chart.ts'
import { orderLab, orderPanel, takeVitals } from '../timeline/examinations.ts'
import { writeNote } from '../timeline/notes.ts'
import { askHunger } from '../timeline/surveys.ts'
import { ageMonths, bloodPressure, bodyMassIndex, heightCm, weightKg } from '../traits/body.ts'
import { hasProblem } from '../traits/traits.ts'
import { isFirstOfYear, type Story } from './story.ts'

/** The parts of every visit: vital signs, a note, smoking. */
export const baseCare: Story = {
  name: 'base care',
  share: () => 1,
  begin: (chart, chance) => {
    const { subject } = chart
    const { age, person } = subject
    const from = laterOf(addYears(subject.until, -5), subject.traits.birthDay)
    chart.add({
      kind: 'coverage',
      at: from,
      payer: age >= 65 || chance.happens(0.25) ? 'public' : 'commercial',
      member: `M${String(chance.integer(0, 999_999)).padStart(6, '0')}`,
      dependent: age < 19,
    })
    const parents = age < 18 ? recordParents(chart) : []
    chart.add({
      kind: 'careTeam',
      at: from,
      name: 'Primary care team',
      status: person.deceasedAt ? 'inactive' : 'active',
      members: [
        { role: terms.careTeamRoles.primaryCare, clinicianId: subject.clinicianId },
        { role: terms.careTeamRoles.patient },
        ...parents.map((related) => ({ role: terms.careTeamRoles.caregiver, related })),
      ],
    })
  },
  atVisit: (chart, visit) => {
    takeVitals(chart, visit)
    if (isFirstOfYear(chart, visit) && ageAt(chart.subject, visit.date) >= 13) recordSmoking(chart, visit)
    writeNote(visit, { type: 'progress', title: 'Progress note', text: noteText(chart, visit) })
  },
}

/** @returns keys of the related persons, the next of kin first */
function recordParents(chart: Chart): string[] {
  const { person, traits } = chart.subject
  const addresses = person.addresses.filter(({ use }) => use === 'home')
  const parents = [person.nextOfKin, person.mother].flatMap((each) => each ?? [])
  return parents.map(({ name, phone, relationship = 'mother' }) =>
    chart.add({
      kind: 'relatedPerson',
      at: traits.birthDay,
      relationship: terms.relationships[relationship],
      name,
      telecom: [{ system: 'phone', use: 'mobile', value: phone }],
      addresses,
    }),
  )
}

/** In these records no one under eighteen smokes. */
export function recordSmoking({ subject }: Chart, visit: Visit): void {
  const status = ageAt(subject, visit.date) < 18 ? 'never' : subject.traits.smoking
  const { socialHistory } = terms.observationCategories
  const value = { codings: [terms.smokingStatuses[status]] }
  visit.observe('smoking', socialHistory, surveyCodes.smokingStatus, { value })
}

/** The text of a visit's note, generated from the record. */
function noteText({ physiology, subject, problemText }: Chart, { date }: Visit): string {
  const age = ageAt(subject, date)
  const { systolic, diastolic } = bloodPressure(physiology, date)
  const height = heightCm(physiology, date)
  const weight = weightKg(physiology, date)
  const problems = [...physiology.problems.keys()]
    .filter((key) => hasProblem(physiology, key, date))
    .map(problemText)
  const drugs = physiology.drugs
    .filter(({ from, until }) => from <= date && (until === undefined || until >= date))
    .map(({ key }) => medications[key].coding.display)
  const found = [...physiology.problems].flatMap(([key, { from }]) =>
    from === date ? [problemText(key)] : [],
  )
  const reason =
    found.length > 0
      ? `New: ${found.join('; ')}.`
      : problems.length > 0
        ? 'Follow-up of known problems and routine care.'
        : age < 18
          ? 'Check-up; grows along their own line, no worries of the family.'
          : 'Check-up; no complaints.'
  return [
    reason,
    `Age ${age < 2 ? `${Math.max(0, monthsBetween(subject.traits.birthDay, date))} months` : age}. Weight ${weight} kg, height ${height} cm${age >= 2 ? `, BMI ${bodyMassIndex(height, weight)}` : ''}${age >= 3 ? `, blood pressure ${systolic}/${diastolic}` : ''}.`,
    problems.length > 0 ? `Problems: ${problems.join('; ')}.` : 'No lasting problems.',
    drugs.length > 0 ? `Takes ${drugs.join('; ')}.` : 'Takes no medicines.',
    'Plan: continue as agreed; come back as planned, or sooner if anything changes.',
    'This is a synthetic note about a person who does not exist.',
  ].join('\n')
}

/** By the calendar alone. */
function monthsBetween(from: string, to: string): number {
  const [year = 0, month = 0] = from.split('-').map(Number)
  const [nowYear = 0, nowMonth = 0] = to.split('-').map(Number)
  return (nowYear - year) * 12 + nowMonth - month
}

/** Growth is in the vital signs of every visit; a blood count at one year. */
export const wellChild: Story = {
  name: 'well child',
  share: ({ age }) => (age < 18 ? 1 : 0),
  atVisit: (chart, visit) => {
    const months = ageMonths(chart.subject.traits, visit.date)
    if (months >= 11.5 && months < 13.5) {
      orderPanel(chart, visit, 'cbc', { only: ['hemoglobin', 'hematocrit', 'mcv', 'platelets'] })
    }
  },
}

/** Allergies, or the statement that none are known. */
export const allergy: Story = {
  name: 'allergy',
  share: () => 0.8,
  begin: (chart, chance) => {
    const { subject } = chart
    if (chance.happens(0.65)) {
      chart.add({ kind: 'allergy', at: subject.from, substance: noKnownAllergy, reactions: [] })
      return
    }
    const food = ['peanut', 'eggs', 'milk', 'treeNut'] as const
    const other = ['penicillinV', 'aspirin', 'latex', 'beeVenom', 'grassPollen'] as const
    const allergen = chance.pick(subject.age < 12 ? food : other)
    const reaction = chance.pick(['wheal', 'rash', 'itching'] as const)
    recordAllergy(chart, allergen, reaction, chance.pick(['mild', 'moderate'] as const))
  },
}

export function recordAllergy(
  chart: Chart,
  key: AllergenKey,
  reaction: ReactionKey,
  severity: 'mild' | 'moderate' | 'severe',
): void {
  const { from, traits } = chart.subject
  const { coding, category, criticality } = allergens[key]
  chart.add({
    kind: 'allergy',
    at: from,
    substance: coding,
    category,
    criticality,
    onset: laterOf(addYears(from, -3), traits.birthDay),
    reactions: [{ code: reactions[reaction], severity }],
  })
}

/** Mammogram, colonoscopy or stool test at the ages that call for them. */
export const cancerScreening: Story = {
  name: 'cancer screening',
  share: ({ age }) => (age >= 45 && age <= 76 ? 0.7 : 0),
  tell: (chart, chance) => {
    const { sex } = chart.subject.traits
    const visit = chart.visits.find(({ date }) => ageAt(chart.subject, date) >= 45)
    if (visit === undefined) return
    if (sex === 'female') screen(visit, 'mammography')
    if (chance.happens(0.4)) screen(visit, 'colonoscopy')
    else orderLab(chart, visit, 'fit', { specimen: 'untold' })
    if (sex === 'male' && ageAt(chart.subject, visit.date) >= 55) orderLab(chart, visit, 'psa')
  },
}

/** Orders and performs a procedure on the same day, which keeps the record short. */
export function screen(visit: Visit, key: ProcedureKey): void {
  const code = procedures[key]
  const basedOn = visit.add({ kind: 'order', code, category: terms.orderCategories.evaluation })
  visit.add({ kind: 'procedure', code, basedOn })
}

/** Screening for social needs such as food and transport. A need becomes a health concern. */
export const socialNeeds: Story = {
  name: 'social needs',
  share: ({ age }) => (age >= 18 ? 0.2 : 0.05),
  tell: (chart, chance) => {
    const visit = chart.visits.at(-1)
    if (visit === undefined) return
    const atRisk = chance.happens(0.35)
    askHunger(visit, atRisk)
    if (!atRisk) return
    const condition = chart.problem('food-insecurity', {
      onset: visit.date,
      role: 'concern',
      visit,
      screening: terms.screeningCategories.sdoh,
    })
    visit.add({
      kind: 'order',
      code: procedures.foodPantryHelp,
      category: terms.orderCategories.sdoh,
      reason: { condition },
      status: 'active',
    })
  },
}
