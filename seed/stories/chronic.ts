/** Chronic conditions: each has an onset, drugs and regular visits. */
import {
  type ConditionKey,
  type LabKey,
  labs,
  type MedicationKey,
  type PanelKey,
  procedures,
  terms,
  vitals,
} from '../codes/codes.ts'
import { addDays, daysBetween, laterOf, weekday } from '../people/calendar.ts'
import type { Chance } from '../randomness.ts'
import { ageAt, type Chart, type Visit } from '../timeline/chart.ts'
import { orderLab, orderPanel } from '../timeline/examinations.ts'
import { askPhq9 } from '../timeline/surveys.ts'
import { ageMonths, bloodPressure } from '../traits/body.ts'
import { labValue } from '../traits/laboratory.ts'
import { hasProblem, treatedSince, wobble } from '../traits/traits.ts'
import { drawOnset, isFirstOfYear, type Story, setGoal, shareOf, shuffledFrom, startDrug } from './story.ts'

interface ChronicPlan {
  readonly name: string
  readonly condition: ConditionKey
  /** The most years since the onset. */
  readonly years?: number
  readonly sensitive?: boolean
  readonly visitsYearly?: number
  /** The patient takes one of them that is suitable. */
  readonly drugs?: readonly MedicationKey[]
  /** The share of patients with the condition who take a drug. */
  readonly treated?: number
  /** Events at the onset, in addition to or instead of drugs. */
  readonly begin?: (chart: Chart, chance: Chance, onset: string, condition: string) => void
  readonly yearlyLabs?: readonly LabKey[]
  readonly yearlyPanel?: PanelKey
  /** Runs at every planned visit after the onset. */
  readonly atVisit?: (chart: Chart, visit: Visit, condition: string) => void
}

function chronic(plan: ChronicPlan): Story {
  const { name, condition: key, visitsYearly, drugs, treated = 0.8 } = plan
  return {
    name,
    share: shareOf(key),
    visitsYearly,
    begin: (chart, chance) => {
      const onset = drawOnset(chart, chance, key, plan.years)
      const condition = chart.problem(key, { onset, sensitive: plan.sensitive })
      if (drugs && chance.happens(treated))
        startDrug(chart, chance, shuffledFrom(chance, drugs), onset, condition)
      plan.begin?.(chart, chance, onset, condition)
    },
    atVisit: (chart, visit) => {
      const condition = chart.problemKey(key)
      if (condition === undefined) return
      plan.atVisit?.(chart, visit, condition)
      if (!isFirstOfYear(chart, visit)) return
      if (plan.yearlyPanel) orderPanel(chart, visit, plan.yearlyPanel, { reason: { condition } })
      for (const lab of plan.yearlyLabs ?? []) orderLab(chart, visit, lab, { reason: { condition } })
    },
  }
}

export const obesity: Story = {
  name: 'obesity',
  share: ({ age, traits }) => (age < 20 ? 0 : traits.weightZ > 0.9 ? 0.95 : 0),
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'obesity', 15)
    if (ageAt(chart.subject, onset) < 20) return
    const condition = chart.problem('obesity', { onset })
    if (!chance.happens(0.5)) return
    setGoal(chart, condition, 365, {
      at: chart.subject.from,
      description: 'Body mass index below 30',
      coding: vitals.bmi.coding,
      target: { value: 30, unit: 'kg/m2' },
    })
  },
}

/** A1c drifts up, metformin brings it down; a second drug when a year on it was not enough. */
export const type2Diabetes = chronic({
  name: 'type 2 diabetes',
  condition: 'type2-diabetes',
  visitsYearly: 3,
  begin: (chart, chance, onset, condition) => {
    startDrug(chart, chance, ['metformin-er-500'], onset, condition)
    const later = weekday(addDays(onset, 420))
    if (later < chart.subject.until && labValue(chart.physiology, 'a1c', later) > 7.2) {
      const second = chance.pick(['canagliflozin-100', 'liraglutide-pen'] as const)
      startDrug(chart, chance, [second], later, condition)
    }
    const at = laterOf(onset, chart.subject.from)
    const goal = setGoal(chart, condition, 120, {
      at,
      description: 'Hemoglobin A1c below 7 %',
      coding: labs.a1c.coding,
      target: { value: 7, unit: '%' },
    })
    chart.add({
      kind: 'carePlan',
      at,
      title: 'Diabetes care plan',
      lines: [
        'Hemoglobin A1c every three to six months; aim below 7 %.',
        'Eyes, feet and urine albumin once a year.',
        'Half an hour of walking on most days.',
      ],
      conditions: [condition],
      goals: [goal],
    })
  },
  atVisit: (chart, visit, condition) => {
    const reason = { condition }
    orderLab(chart, visit, 'a1c', { reason })
    if (!isFirstOfYear(chart, visit)) return
    orderPanel(chart, visit, 'cmp', { reason })
    orderLab(chart, visit, 'albuminCreatinine', { reason, specimen: 'urine' })
  },
})

export const prediabetes = chronic({
  name: 'prediabetes',
  condition: 'prediabetes',
  yearlyLabs: ['a1c'],
  visitsYearly: 1,
})

/** Raised pressure; a second drug where one does not bring it down. */
export const hypertension = chronic({
  name: 'hypertension',
  condition: 'hypertension',
  visitsYearly: 2,
  yearlyPanel: 'bmp',
  begin: (chart, chance, onset, condition) => {
    const first = shuffledFrom(chance, [
      'lisinopril-10',
      'losartan-50',
      'amlodipine-5',
      'hydrochlorothiazide-25',
    ] as const)
    const started = startDrug(chart, chance, first, onset, condition)
    const later = weekday(addDays(onset, 200))
    if (started && later < chart.subject.until && bloodPressure(chart.physiology, later).systolic > 142) {
      const second = ['metoprolol-succ-50', 'amlodipine-2.5', 'hydrochlorothiazide-25'] as const
      startDrug(chart, chance, shuffledFrom(chance, second), later, condition)
    }
    setGoal(chart, condition, 180, {
      at: laterOf(onset, chart.subject.from),
      description: 'Blood pressure below 130/80',
      coding: vitals.bloodPressure.coding,
      measure: vitals.systolic.coding,
      target: { value: 130, unit: 'mm[Hg]' },
    })
  },
})

/** High cholesterol and the statin that takes a third off. */
export const hyperlipidemia = chronic({
  name: 'hyperlipidemia',
  condition: 'hyperlipidemia',
  visitsYearly: 1,
  yearlyPanel: 'lipid',
  begin: (chart, chance, onset, condition) => {
    if (!chance.happens(0.8)) return
    const statin = chance.pick(['atorvastatin-10', 'atorvastatin-40', 'rosuvastatin-10'] as const)
    startDrug(chart, chance, [statin], onset, condition)
  },
})

/** eGFR falls slowly; the stage on the list is that of the number. */
export const chronicKidneyDisease: Story = {
  name: 'chronic kidney disease',
  share: shareOf('ckd-stage-3'),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'ckd-stage-3', 5)
    if (ageMonths(chart.subject.traits, onset) < 480) return
    startDrug(chart, chance, ['losartan-50'], onset, chart.problem('ckd-stage-3', { onset }))
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('ckd-stage-3')
    if (condition === undefined) return
    orderLab(chart, visit, 'creatinine', { reason: { condition } })
    orderLab(chart, visit, 'egfr', { reason: { condition } })
  },
}

/** An inhaler to keep, one for need, and breathing measured. */
export const asthma: Story = {
  name: 'asthma',
  share: ({ age }) => (age < 4 ? 0 : 0.08),
  visitsYearly: 1.5,
  begin: (chart, chance) => {
    const isChild = chart.subject.age < 18
    const key = isChild ? 'childhood-asthma' : 'asthma'
    const onset = drawOnset(chart, chance, key, isChild ? 6 : 20)
    const condition = chart.problem(key, { onset })
    startDrug(chart, chance, ['albuterol-mdi'], onset, condition)
    if (chance.happens(0.6)) startDrug(chart, chance, ['fluticasone-mdi-44'], onset, condition)
  },
  atVisit: (chart, visit) => {
    const condition = chart.problemKey('asthma') ?? chart.problemKey('childhood-asthma')
    if (condition === undefined || !isFirstOfYear(chart, visit)) return
    visit.add({ kind: 'procedure', code: procedures.spirometry, reason: { condition } })
  },
}

/** Chronic bronchitis of people who smoke or have smoked. */
export const copd: Story = {
  name: 'COPD',
  share: ({ age, traits }) => (age >= 50 && traits.smoking !== 'never' ? 0.14 : 0),
  visitsYearly: 2,
  begin: (chart, chance) => {
    const onset = drawOnset(chart, chance, 'copd-chronic-bronchitis', 8)
    const condition = chart.problem('copd-chronic-bronchitis', { onset })
    startDrug(chart, chance, ['fluticasone-salmeterol'], onset, condition)
    startDrug(chart, chance, ['albuterol-mdi'], onset, condition)
  },
}

/** PHQ-9 high at first, and falling over the months after treatment began. */
export const depression = chronic({
  name: 'depression',
  condition: 'major-depression',
  years: 3,
  sensitive: true,
  visitsYearly: 3,
  begin: (chart, chance, onset, condition) => {
    const drug = chance.pick(['sertraline-100', 'fluoxetine-20'] as const)
    startDrug(chart, chance, [drug], onset, condition, true)
  },
  atVisit: (chart, visit) => {
    if (!hasProblem(chart.physiology, 'major-depression', visit.date)) return
    const screening = terms.screeningCategories.disability
    askPhq9(chart, visit, phq9Score(chart, visit), { screening, sensitive: true })
  },
})

/** 0 to 27: from about 16 to about 5 within nine months of treatment. */
function phq9Score(chart: Chart, visit: Visit): number {
  const since = treatedSince(chart.physiology, ['sertraline-100', 'fluoxetine-20'])
  const eased = since && since <= visit.date ? Math.min(1, daysBetween(since, visit.date) / 270) : 0
  const score = 16 - 11 * eased + wobble(chart.subject.traits.noiseSeed, 'phq9', visit.date)
  return Math.max(1, Math.min(24, Math.round(score)))
}

export const anxiety = chronic({
  name: 'anxiety',
  condition: 'generalized-anxiety',
  drugs: ['sertraline-100', 'duloxetine-20'],
  treated: 0.6,
  visitsYearly: 2,
})

export const hypothyroidism = chronic({
  name: 'hypothyroidism',
  condition: 'hypothyroidism',
  drugs: ['levothyroxine-75mcg'],
  treated: 1,
  yearlyLabs: ['tsh'],
  visitsYearly: 1,
})

export const osteoarthritis = chronic({
  name: 'osteoarthritis',
  condition: 'osteoarthritis-knee',
  drugs: ['naproxen-500', 'acetaminophen-325'],
  treated: 0.7,
  visitsYearly: 1,
})

export const osteoporosis = chronic({
  name: 'osteoporosis',
  condition: 'osteoporosis',
  drugs: ['alendronate-10'],
  visitsYearly: 1,
})

export const gout = chronic({
  name: 'gout',
  condition: 'gout',
  drugs: ['allopurinol-100'],
  visitsYearly: 1,
})

export const migraine = chronic({
  name: 'migraine',
  condition: 'migraine',
  drugs: ['ibuprofen-200', 'acetaminophen-325'],
  treated: 0.9,
  visitsYearly: 1,
})

/** An irregular pulse and a thinner of blood, watched by the INR. */
export const atrialFibrillation = chronic({
  name: 'atrial fibrillation',
  condition: 'atrial-fibrillation',
  drugs: ['warfarin-5'],
  treated: 0.9,
  yearlyLabs: ['inr'],
  visitsYearly: 3,
})

export const ironDeficiency = chronic({
  name: 'iron deficiency',
  condition: 'iron-deficiency-anemia',
  drugs: ['ferrous-sulfate-325'],
  treated: 0.9,
  yearlyLabs: ['hemoglobin', 'ferritin'],
  visitsYearly: 1,
})

export const allergicRhinitis = chronic({
  name: 'allergic rhinitis',
  condition: 'seasonal-allergic-rhinitis',
  drugs: ['loratadine-10'],
  visitsYearly: 0.5,
})
