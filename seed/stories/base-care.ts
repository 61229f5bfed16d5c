/** What every visit holds, whatever it is for: vital signs, the note, smoking, who pays and who cares. */

import {
  careTeamRoles,
  medications,
  observationCategories,
  relationships,
  smokingStatuses,
  surveyCodes,
} from '../codes/codes.ts'
import { addYears, laterOf, yearsBetween } from '../people/calendar.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { writeNote } from '../timeline/notes.ts'
import { ageAt } from '../timeline/subject.ts'
import { takeVitals } from '../timeline/vitals.ts'
import { bodyMassIndex, heightCm, weightKg } from '../traits/body.ts'
import { bloodPressure } from '../traits/circulation.ts'
import { hasProblem } from '../traits/physiology.ts'
import type { Story } from './story.ts'

export const baseCare: Story = {
  name: 'base care',
  share: () => 1,
  begin: (chart, chance) => {
    const { subject } = chart
    const { person } = subject
    const age = ageAt(subject, subject.until)
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
        { role: careTeamRoles.primaryCare, clinicianId: subject.clinicianId },
        { role: careTeamRoles.patient, person: 'patient' },
        ...parents.map((related) => ({ role: careTeamRoles.caregiver, related })),
      ],
    })
  },
  atVisit: (chart, visit) => {
    takeVitals(chart, visit)
    if (isFirstOfYear(chart, visit) && ageAt(chart.subject, visit.date) >= 13) recordSmoking(chart, visit)
    writeNote(chart, visit, { type: 'progress', title: 'Progress note', text: noteText(chart, visit) })
  },
}

/** @returns keys of the related persons, the next of kin first */
function recordParents(chart: Chart): string[] {
  const { person, traits } = chart.subject
  const { nextOfKin, mother, addresses } = person
  const parents = [
    ...(nextOfKin ? [{ ...nextOfKin, relationship: nextOfKin.relationship ?? ('mother' as const) }] : []),
    ...(mother ? [{ ...mother, relationship: 'mother' as const }] : []),
  ]
  return parents.map(({ name, phone, relationship }) =>
    chart.add({
      kind: 'relatedPerson',
      at: traits.birthDay,
      relationship: relationships[relationship],
      name,
      telecom: [{ system: 'phone', use: 'mobile', value: phone }],
      addresses: addresses.filter((address) => address.use === 'home'),
    }),
  )
}

export function isFirstOfYear(chart: Chart, visit: Visit): boolean {
  return !chart.visits.some(
    (each) => each.date < visit.date && each.date.slice(0, 4) === visit.date.slice(0, 4),
  )
}

/** People below eighteen have not begun yet in these records. */
export function recordSmoking(chart: Chart, visit: Visit): void {
  const { traits } = chart.subject
  const status = ageAt(chart.subject, visit.date) < 18 ? 'never' : traits.smoking
  chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'smoking',
    categories: [observationCategories.socialHistory],
    codes: [surveyCodes.smokingStatus],
    value: { codings: [smokingStatuses[status]] },
  })
}

/** What a clinician would write down of the visit, from the record itself. */
function noteText(chart: Chart, visit: Visit): string {
  const { physiology, subject } = chart
  const age = yearsBetween(subject.traits.birthDay, visit.date)
  const { systolic, diastolic } = bloodPressure(physiology, visit.date)
  const height = heightCm(physiology, visit.date)
  const weight = weightKg(physiology, visit.date)
  const problems = [...physiology.problems.keys()]
    .filter((key) => hasProblem(physiology, key, visit.date))
    .map(chart.problemText)
  const drugs = physiology.drugs.filter(
    (drug) => drug.from <= visit.date && (drug.until === undefined || drug.until >= visit.date),
  )
  const found = [...physiology.problems].filter(([, { from }]) => from === visit.date).map(([key]) => key)
  const reason =
    found.length > 0
      ? `New: ${found.map(chart.problemText).join('; ')}.`
      : problems.length > 0
        ? 'Follow-up of known problems and routine care.'
        : age < 18
          ? 'Check-up; grows along their own line, no worries of the family.'
          : 'Check-up; no complaints.'
  return [
    reason,
    `Age ${age < 2 ? `${Math.max(0, monthsOf(chart, visit))} months` : age}. Weight ${weight} kg, height ${height} cm${age >= 2 ? `, BMI ${bodyMassIndex(height, weight)}` : ''}${age >= 3 ? `, blood pressure ${systolic}/${diastolic}` : ''}.`,
    problems.length > 0 ? `Problems: ${problems.join('; ')}.` : 'No lasting problems.',
    drugs.length > 0
      ? `Takes ${drugs.map((drug) => medications[drug.key].coding.display).join('; ')}.`
      : 'Takes no medicines.',
    'Plan: continue as agreed; come back as planned, or sooner if anything changes.',
    'This is a synthetic note about a person who does not exist.',
  ].join('\n')
}

function monthsOf(chart: Chart, visit: Visit): number {
  const [year = 0, month = 0] = chart.subject.traits.birthDay.split('-').map(Number)
  const [nowYear = 0, nowMonth = 0] = visit.date.split('-').map(Number)
  return (nowYear - year) * 12 + nowMonth - month
}
