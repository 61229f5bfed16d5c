/** The fixed parts of the cast's records, with stories that only one member has. */
import { conformancePersonId } from '../../server/contract/lab/conformance-person.ts'
import {
  type ConditionKey,
  type MedicationKey,
  procedures,
  surveyCodes,
  terms,
  vitals,
} from '../codes/codes.ts'
import { addDays, addMonths, easternTime, weekday } from '../people/calendar.ts'
import { acuteRespiratoryInfection, acuteVisit, injury, urinaryTractInfection } from '../stories/acute.ts'
import { allergy, baseCare, cancerScreening, recordAllergy, wellChild } from '../stories/care.ts'
import { askAboutChildren, birth, tellPregnancy } from '../stories/childbirth.ts'
import * as chronic from '../stories/chronic.ts'
import { isFirstOfYear, type Story } from '../stories/story.ts'
import { vaccinations } from '../stories/vaccinations.ts'
import { orderLab, orderPanel, takeVitals } from '../timeline/examinations.ts'
import { writeNote } from '../timeline/notes.ts'
import type { RecordPlan } from '../timeline/tell.ts'
import { uniform } from '../traits/traits.ts'
import { showcaseCare, showcaseDocuments, showcaseScreenings } from './showcase.ts'

/** The number of observations of the longest chart in practices that must stay small. */
export const shortChartObservations = 520

/** @param observations the number of observations of the longest chart */
export function castPlans(observations: number): Readonly<Record<string, RecordPlan>> {
  return {
    'pt-wren-testwell': {
      years: 4,
      traits: { weightZ: 0.9, pressureOffset: 5, a1cDrift: 0.2, lipidZ: 0.8, smoking: 'former' },
      stories: [
        chronic.type2Diabetes,
        chronic.hypertension,
        chronic.hyperlipidemia,
        penicillinAllergy,
        baseCare,
        cancerScreening,
        vaccinations,
      ],
    },
    'pt-juno-testwell': {
      years: 7,
      traits: { heightZ: 0.4, weightZ: 0.2 },
      stories: [chronic.asthma, peanutAllergy, baseCare, wellChild, acuteRespiratoryInfection, vaccinations],
    },
    'pt-pip-testwell': { stories: [baseCare, wellChild, birth, vaccinations] },
    'pt-marlo-testwell': {
      traits: { smoking: 'never' },
      stories: [chronic.allergicRhinitis, allergy, baseCare, injury, vaccinations],
    },
    'pt-otis-samplewood': {
      traits: { smoking: 'former', weightZ: 0.4 },
      stories: [
        chronic.hypertension,
        chronic.chronicKidneyDisease,
        chronic.osteoarthritis,
        allergy,
        baseCare,
        vaccinations,
        showcaseDocuments,
        showcaseScreenings,
        showcaseCare,
      ],
    },
    'pt-edda-nonesuch': {
      stories: [chronic.hypertension, chronic.atrialFibrillation, hospice, baseCare, vaccinations],
    },
    'pt-zoe-munoz': {
      traits: { sex: 'female' },
      stories: [chronic.hypothyroidism, allergy, baseCare, motherOfNewborn, vaccinations],
    },
    'pt-hanako-shiken': {
      stories: [chronic.migraine, allergy, baseCare, urinaryTractInfection, vaccinations],
    },
    'pt-maximiliana-placeholder': {
      traits: { smoking: 'daily' },
      stories: [chronic.copd, chronic.osteoporosis, baseCare, cancerScreening, vaccinations],
    },
    'pt-ash-mockley': { stories: [baseCare, notTold] },
    'pt-lee-fauxworth': {
      traits: { weightZ: 1.6 },
      stories: [chronic.obesity, chronic.hyperlipidemia, baseCare, cancerScreening, vaccinations],
    },
    'pt-hester-placewright': { years: 3, stories: [polypharmacy, allergy, baseCare, vaccinations] },
    'pt-cal-notareal': { stories: [chronic.hypertension, baseCare, longChart(observations)] },
    'pt-nil-stubwell': { empty: true },
    'pt-leigh-fauxworth': { empty: true },
    'pt-quinn-draftworth': { stories: [chronic.depression, baseCare, sensitiveNotes, vaccinations] },
    [conformancePersonId]: {
      years: 1,
      traits: { smoking: 'former', weightZ: 0.6 },
      stories: [
        chronic.type2Diabetes,
        penicillinAllergy,
        baseCare,
        vaccinations,
        wholeLife,
        showcaseDocuments,
        showcaseScreenings,
        showcaseCare,
      ],
    },
  }
}

const penicillinAllergy: Story = {
  name: 'penicillin allergy',
  begin: (chart) => recordAllergy(chart, 'penicillinV', 'rash', 'moderate'),
}

const peanutAllergy: Story = {
  name: 'peanut allergy',
  begin: (chart) => recordAllergy(chart, 'peanut', 'anaphylaxis', 'severe'),
}

/** The age of the cast's newborn on the reference date. */
export const newbornDays = 9

const motherOfNewborn: Story = {
  name: 'mother of a newborn',
  tell: (chart) => {
    const { until, asOf } = chart.subject
    const text = 'Not sure yet whether she wishes for a child. Knows how to get advice.'
    askAboutChildren(chart, weekday(addDays(until, -400)), 'Asked about children', text)
    const born = addDays(asOf, -newbornDays)
    tellPregnancy(chart, addDays(born, -276), born)
  },
}

/** The last months of life, at home. */
const hospice: Story = {
  name: 'hospice',
  begin: (chart) => {
    const { until } = chart.subject
    const condition = chart.problem('heart-failure', { onset: addDays(until, -900) })
    chart.drug('furosemide-40', { from: addDays(until, -890), reason: { condition } })
  },
  tell: (chart) => {
    const date = weekday(addDays(chart.subject.until, -35))
    const visit = chart.visit({ date, class: terms.encounterClasses.virtual })
    visit.add({ kind: 'procedure', code: procedures.hospiceCare })
    writeNote(visit, {
      type: 'progress',
      title: 'Visit by telephone',
      text: 'At home with family, comfortable. Wishes no hospital. Hospice comes daily.',
    })
  },
}

const drugsOfProblems: readonly (readonly [ConditionKey, daysAgo: number, readonly MedicationKey[]])[] = [
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

/** Fifteen drugs for nine problems. */
const polypharmacy: Story = {
  name: 'polypharmacy',
  visitsYearly: 3,
  begin: (chart) => {
    const since = (days: number) => addDays(chart.subject.until, -days)
    for (const [key, days, drugs] of drugsOfProblems) {
      const condition = chart.problem(key, { onset: since(days), sensitive: key === 'major-depression' })
      for (const [index, drug] of drugs.entries())
        chart.drug(drug, { from: since(days - 20 - index * 90), reason: { condition }, fills: 3 })
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

/** Notes with restricted confidentiality. */
const sensitiveNotes: Story = {
  name: 'sensitive notes',
  begin: (chart) => {
    const since = (days: number) => addDays(chart.subject.until, -days)
    chart.problem('ptsd', { onset: since(1400), sensitive: true })
    const condition = chart.problem('alcohol-dependence', { onset: since(800), sensitive: true })
    chart.drug('naltrexone-50', { from: since(700), reason: { condition }, sensitive: true })
  },
  tell: (chart) => {
    for (const [days, title, text] of [
      [200, 'Therapy note', 'Spoke of the accident for the first time. Sleeps better.'],
      [100, 'Substance use note', 'Ninety days without a drink. Goes to the group on Tuesdays.'],
      [40, 'Therapy note', 'Nightmares less often. Wishes that the family does not see these notes.'],
    ] as const) {
      const date = weekday(addDays(chart.subject.until, -days))
      const visit = chart.visit({ date, sensitive: true, minutes: 50 })
      writeNote(visit, { type: 'progress', title, text, sensitive: true })
    }
  },
}

/** Questions that the patient did not answer. */
const notTold: Story = {
  name: 'not told',
  tell: (chart) => {
    const visit = chart.visit({ date: weekday(addDays(chart.subject.until, -120)) })
    const { survey } = terms.observationCategories
    takeVitals(chart, visit, { pressureAbsent: true })
    visit.observe('screening', survey, surveyCodes.phq2Score, { absent: terms.absentReasons.declined })
    visit.observe('screening', survey, surveyCodes.auditCScore, { absent: terms.absentReasons.unknown })
    chart.add({ kind: 'immunization', at: '2015', vaccine: 'tdAdult', seen: false })
  },
}

/** Readings of a pulse monitor at home, with a log of five million bytes. @param count the number of readings */
function longChart(count: number): Story {
  return {
    name: 'long chart',
    tell: (chart) => {
      const { traits, until } = chart.subject
      for (let index = 0; index < count; index++) {
        const date = addDays(until, -Math.floor(index / 8))
        const value = 58 + Math.floor(uniform(traits.noiseSeed, `pulse ${index}`) * 30)
        chart.add({
          kind: 'observation',
          at: easternTime(date, 360 + (index % 8) * 120),
          profile: 'heartRate',
          categories: [terms.observationCategories.vitalSigns],
          codes: [vitals.heartRate.coding],
          value: { quantity: { value, unit: vitals.heartRate.unit } },
        })
      }
      const visit = chart.visit({ date: weekday(addDays(until, -12)) })
      writeNote(visit, {
        type: 'summary',
        title: 'Log of the pulse monitor',
        text: 'Readings every two hours.',
        file: count < 1_000 ? 'text' : 'large',
      })
    },
  }
}

const childhoodMonths = [9, 120]

/** A whole life in one chart, from measurements of a small child to questions about having children. */
const wholeLife: Story = {
  name: 'whole life',
  tell: (chart) => {
    const { traits, until } = chart.subject
    for (const months of childhoodMonths) {
      const visit = chart.visit({ date: weekday(addMonths(traits.birthDay, months)) })
      takeVitals(chart, visit)
      writeNote(visit, {
        type: 'progress',
        title: 'Check-up of a child',
        text: 'Grows along her own line. Copied from the paper chart.',
      })
    }
    const at38 = weekday(addMonths(traits.birthDay, 38 * 12))
    const text = 'Is not sure whether she wants a child. Knows whom to ask.'
    askAboutChildren(chart, at38, 'Family planning', text)
    const illness = {
      condition: 'acute-bronchitis',
      complaint: 'Has coughed for a week. No fever.',
      advice: 'Rest and fluids; come back if the cough lasts.',
    } as const
    acuteVisit(chart, illness, weekday(addDays(until, -200)), 12)
  },
}
