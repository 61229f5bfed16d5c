/** Stories that are one cast member's alone. */

import {
  absentReasons,
  type ConditionKey,
  encounterClasses,
  type MedicationKey,
  observationCategories,
  pregnancyFindings,
  procedures,
  surveyCodes,
  vitals,
} from '../codes/codes.ts'
import { addDays, easternTime, weekday } from '../people/calendar.ts'
import { recordAllergy } from '../stories/allergy.ts'
import { isFirstOfYear } from '../stories/base-care.ts'
import { recordPregnancyStatus, tellPregnancy } from '../stories/pregnancy.ts'
import type { Story } from '../stories/story.ts'
import { orderLab, orderPanel } from '../timeline/laboratory.ts'
import { writeNote } from '../timeline/notes.ts'
import { takeVitals } from '../timeline/vitals.ts'
import { uniform } from '../traits/noise.ts'

const only = { share: () => 0 } as const

/** Age of the cast's newborn on the reference date. */
export const newbornDays = 9

export const penicillinAllergy: Story = {
  ...only,
  name: 'penicillin allergy',
  begin: (chart) => void recordAllergy(chart, 'penicillinV', { code: 'rash', severity: 'moderate' }),
}

export const peanutAllergy: Story = {
  ...only,
  name: 'peanut allergy',
  begin: (chart) => void recordAllergy(chart, 'peanut', { code: 'anaphylaxis', severity: 'severe' }),
}

/** Asked about children, then a mother: of the cast's newborn. */
export const motherOfNewborn: Story = {
  ...only,
  name: 'mother of a newborn',
  tell: (chart) => {
    const asked = chart.visit({ date: weekday(addDays(chart.subject.until, -400)), by: 'obstetrics' })
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
      title: 'Asked about children',
      text: 'Not sure yet whether she wishes for a child. Knows how to get advice.',
    })
    const born = addDays(chart.subject.asOf, -newbornDays)
    tellPregnancy(chart, addDays(born, -276), born)
  },
}

/** The last months, at home. */
export const hospice: Story = {
  ...only,
  name: 'hospice',
  begin: (chart) => {
    const condition = chart.problem('heart-failure', { onset: addDays(chart.subject.until, -900) })
    chart.drug('furosemide-40', { from: addDays(chart.subject.until, -890), reason: { condition } })
  },
  tell: (chart) => {
    const visit = chart.visit({
      date: weekday(addDays(chart.subject.until, -35)),
      class: encounterClasses.virtual,
    })
    chart.add({
      kind: 'procedure',
      at: visit.at,
      visit: visit.key,
      code: procedures.hospiceCare,
      clinicianId: visit.clinicianId,
    })
    writeNote(chart, visit, {
      type: 'progress',
      title: 'Visit by telephone',
      text: 'At home with family, comfortable. Wishes no hospital. Hospice comes daily.',
    })
  },
}

/** Fourteen drugs for nine problems. */
export const polypharmacy: Story = {
  ...only,
  name: 'polypharmacy',
  visitsYearly: 3,
  begin: (chart) => {
    const since = (days: number) => addDays(chart.subject.until, -days)
    const problems: readonly (readonly [ConditionKey, number, readonly MedicationKey[]])[] = [
      ['hypertension', 5200, ['lisinopril-20', 'amlodipine-5']],
      ['type2-diabetes', 3900, ['metformin-er-500', 'insulin-7030']],
      ['hyperlipidemia', 3600, ['atorvastatin-40']],
      ['heart-failure', 1900, ['carvedilol-6.25', 'furosemide-40', 'spironolactone-25']],
      ['atrial-fibrillation', 1500, ['warfarin-5', 'digoxin-0.125']],
      ['copd-chronic-bronchitis', 2800, ['fluticasone-salmeterol', 'albuterol-mdi']],
      ['gout', 1200, ['allopurinol-100']],
      ['major-depression', 900, ['sertraline-100']],
      ['chronic-low-back-pain', 700, ['tramadol-50']],
    ]
    for (const [key, days, drugs] of problems) {
      const condition = chart.problem(key, { onset: since(days), sensitive: key === 'major-depression' })
      for (const [index, drug] of drugs.entries()) {
        chart.drug(drug, { from: since(days - 20 - index * 90), reason: { condition }, fills: 3 })
      }
    }
  },
  atVisit: (chart, visit) => {
    const about = (key: ConditionKey) => {
      const condition = chart.problemKey(key)
      return condition ? { reason: { condition } } : {}
    }
    orderLab(chart, visit, 'inr', about('atrial-fibrillation'))
    if (!isFirstOfYear(chart, visit)) return
    orderLab(chart, visit, 'a1c', about('type2-diabetes'))
    orderPanel(chart, visit, 'bmp', about('heart-failure'))
  },
}

/** Notes that the person asked to be kept apart. */
export const sensitiveNotes: Story = {
  ...only,
  name: 'sensitive notes',
  begin: (chart) => {
    chart.problem('ptsd', { onset: addDays(chart.subject.until, -1400), sensitive: true })
    const condition = chart.problem('alcohol-dependence', {
      onset: addDays(chart.subject.until, -800),
      sensitive: true,
    })
    chart.drug('naltrexone-50', {
      from: addDays(chart.subject.until, -700),
      reason: { condition },
      sensitive: true,
    })
  },
  tell: (chart) => {
    for (const [days, title, text] of [
      [200, 'Therapy note', 'Spoke of the accident for the first time. Sleeps better.'],
      [100, 'Substance use note', 'Ninety days without a drink. Goes to the group on Tuesdays.'],
      [40, 'Therapy note', 'Nightmares less often. Wishes that the family does not see these notes.'],
    ] as const) {
      const visit = chart.visit({
        date: weekday(addDays(chart.subject.until, -days)),
        sensitive: true,
        minutes: 50,
      })
      writeNote(chart, visit, { type: 'progress', title, text, sensitive: true })
    }
  },
}

/** What was asked and not told. */
export const notTold: Story = {
  ...only,
  name: 'not told',
  tell: (chart) => {
    const visit = chart.visit({ date: weekday(addDays(chart.subject.until, -120)) })
    takeVitals(chart, visit, { pressureAbsent: true })
    chart.add({
      kind: 'observation',
      at: visit.at,
      visit: visit.key,
      profile: 'screening',
      categories: [observationCategories.survey],
      codes: [surveyCodes.phq2Score],
      absent: absentReasons.declined,
    })
    chart.add({
      kind: 'observation',
      at: visit.at,
      visit: visit.key,
      profile: 'screening',
      categories: [observationCategories.survey],
      codes: [surveyCodes.auditCScore],
      absent: absentReasons.unknown,
    })
    chart.add({ kind: 'immunization', at: '2015', vaccine: 'tdAdult', seen: false })
  },
}

/** A pulse monitor worn at home, and its log of five million bytes. @param count readings */
export function longChart(count: number): Story {
  return {
    ...only,
    name: 'long chart',
    tell: (chart) => {
      const { traits, until } = chart.subject
      for (let index = 0; index < count; index++) {
        const date = addDays(until, -Math.floor(index / 8))
        chart.add({
          kind: 'observation',
          at: easternTime(date, 360 + (index % 8) * 120),
          profile: 'heartRate',
          categories: [observationCategories.vitalSigns],
          codes: [vitals.heartRate.coding],
          value: {
            quantity: {
              value: 58 + Math.floor(uniform(traits.noiseSeed, `pulse ${index}`) * 30),
              unit: '/min',
            },
          },
        })
      }
      const visit = chart.visit({ date: weekday(addDays(until, -12)) })
      writeNote(chart, visit, {
        type: 'summary',
        title: 'Log of the pulse monitor',
        text: 'Readings every two hours.',
        file: count < 1_000 ? 'text' : 'large',
      })
    },
  }
}
