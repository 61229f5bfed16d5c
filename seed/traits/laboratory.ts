/** What a laboratory finds on a day. Related tests agree: A1c and glucose, eGFR and creatinine, the blood indices. */
import { type LabKey, labs } from '../codes/codes.ts'
import { daysBetween } from '../people/calendar.ts'
import { ageMonths } from './body.ts'
import { clamp, drugsTaken, hasProblem, type Physiology, round, treatedSince, wobble } from './traits.ts'

const glucoseDrugs = [
  'metformin-er-500',
  'liraglutide-pen',
  'canagliflozin-100',
  'insulin-7030',
  'insulin-lispro',
] as const
const statins = ['atorvastatin-10', 'atorvastatin-40', 'simvastatin-20', 'rosuvastatin-10'] as const

/** @throws for tests whose results are words. */
export function labValue(physiology: Physiology, key: LabKey, date: string): number {
  const { decimals = 0, mean } = labs[key]
  const special = values[key]
  if (special === undefined && mean === undefined) throw new Error(`${key} is not a number`)
  return round(special ? special(physiology, date) : usual(physiology, key, date), decimals)
}

/** A level of one's own, and a little to and fro. */
function usual({ traits }: Physiology, key: LabKey, date: string): number {
  const { mean = 0, deviation = 0, low = 0, high = Number.POSITIVE_INFINITY } = labs[key]
  const own = clamp(wobble(traits.noiseSeed, key), -1.3, 1.3)
  const today = clamp(wobble(traits.noiseSeed, key, date), -1.5, 1.5)
  return clamp(mean + deviation * (own * 0.8 + today * 0.35), Math.max(0, low * 0.97), high * 1.03)
}

const years = (from: string, to: string) => daysBetween(from, to) / 365.25

/** %: rises while untreated, falls within half a year of each drug, then rises slowly. */
function a1c(physiology: Physiology, date: string): number {
  const { traits } = physiology
  const today = wobble(traits.noiseSeed, 'a1c', date) * 0.12
  const diabetes = physiology.problems.get('type2-diabetes') ?? physiology.problems.get('type1-diabetes')
  if (diabetes === undefined || date < diabetes.from) {
    return clamp((hasProblem(physiology, 'prediabetes', date) ? 6 : 5.35) + today, 4.7, 6.4)
  }
  const drifted = 6.9 + traits.a1cDrift * Math.max(0, years(diabetes.from, date))
  const eased = physiology.drugs
    .filter((drug) => glucoseDrugs.some((key) => key === drug.key) && drug.from <= date)
    .reduce((sum, drug) => sum + 1.1 * Math.min(1, years(drug.from, date) / 0.5), 0)
  return clamp(drifted - Math.min(eased, 3) + today, 5.9, 12.5)
}

/** mL/min/1.73 m²: what age leaves, less the loss by kidney disease. */
function egfr(physiology: Physiology, date: string): number {
  const { traits, problems } = physiology
  const age = ageMonths(traits, date) / 12
  const ofAge = 118 - Math.max(0, age - 20) * 0.72
  const disease = (['ckd-stage-4', 'ckd-stage-3', 'ckd-stage-2', 'diabetic-nephropathy'] as const).find(
    (key) => problems.has(key),
  )
  const starts = { 'ckd-stage-4': 32, 'ckd-stage-3': 57, 'ckd-stage-2': 80, 'diabetic-nephropathy': 72 }
  const since = disease === undefined ? undefined : problems.get(disease)?.from
  const today = wobble(traits.noiseSeed, 'egfr', date) * 1.5
  if (disease === undefined || since === undefined || date < since) return clamp(ofAge + today, 62, 125)
  return clamp(
    Math.min(ofAge, starts[disease]) - traits.egfrLoss * years(since, date) + today,
    16,
    disease === 'ckd-stage-3' ? 59 : 89,
  )
}

/** mg/dL, from the eGFR by the MDRD formula turned round. */
function creatinine(physiology: Physiology, date: string): number {
  const age = Math.max(18, ageMonths(physiology.traits, date) / 12)
  if (ageMonths(physiology.traits, date) < 216) return usual(physiology, 'creatinine', date) * 0.7
  const factor = 175 * age ** -0.203 * (physiology.traits.sex === 'female' ? 0.742 : 1)
  return (factor / round(egfr(physiology, date))) ** (1 / 1.154)
}

/** mg/dL without drugs; a statin takes off a third within two months. */
function ldl(physiology: Physiology, date: string): number {
  const { traits } = physiology
  const raised = hasProblem(physiology, 'hyperlipidemia', date)
  const base = (raised ? 158 : 104) + traits.lipidZ * (raised ? 14 : 18)
  const since = treatedSince(physiology, statins)
  const treated = drugsTaken(physiology, statins, date) > 0 && since !== undefined && since <= date
  const eased = treated ? 0.36 * Math.min(1, daysBetween(since, date) / 60) : 0
  return clamp(base * (1 - eased) + wobble(traits.noiseSeed, 'ldl', date) * 5, 42, 235)
}

function triglycerides(physiology: Physiology, date: string): number {
  const raised =
    (hasProblem(physiology, 'hypertriglyceridemia', date) ? 90 : 0) + (a1c(physiology, date) - 5.4) * 12
  return clamp(usual(physiology, 'triglycerides', date) * 0.9 + raised, 45, 390)
}

const whole = (value: number) => round(value)

/** Time on iron: stores fill in about a year, the blood count in months. */
function ironYears(physiology: Physiology, date: string): number {
  const since = treatedSince(physiology, ['ferrous-sulfate-325'])
  const takes = drugsTaken(physiology, ['ferrous-sulfate-325'], date) > 0
  return takes && since !== undefined && since <= date ? years(since, date) : 0
}

function hemoglobin(physiology: Physiology, date: string): number {
  const { traits } = physiology
  const base = traits.sex === 'female' ? 13.4 : 14.9
  const anemic =
    hasProblem(physiology, 'iron-deficiency-anemia', date) || hasProblem(physiology, 'anemia', date)
  const gained = ironYears(physiology, date)
  const pregnant = physiology.pregnancies.some((each) => each.from <= date && date <= each.until)
  return clamp(
    base -
      (anemic ? 3.1 - 2.7 * Math.min(1, gained / 0.4) : 0) -
      (pregnant ? 1.3 : 0) +
      wobble(traits.noiseSeed, 'hb', date) * 0.4,
    7.8,
    17.4,
  )
}

const hematocrit = (physiology: Physiology, date: string) => round(hemoglobin(physiology, date), 1) * 2.97
const redCells = (physiology: Physiology, date: string) =>
  (round(hematocrit(physiology, date), 1) * 10) / cellVolume(physiology, date)

function cellVolume(physiology: Physiology, date: string): number {
  const small =
    hasProblem(physiology, 'iron-deficiency-anemia', date) && ironYears(physiology, date) < 0.4 ? 12 : 0
  return clamp(90 - small + wobble(physiology.traits.noiseSeed, 'mcv') * 2, 70, 98)
}

/** m[IU]/L: high while an underactive thyroid is untreated. */
function tsh(physiology: Physiology, date: string): number {
  if (!hasProblem(physiology, 'hypothyroidism', date)) return clamp(usual(physiology, 'tsh', date), 0.5, 4.3)
  const since = treatedSince(physiology, ['levothyroxine-75mcg'])
  const eased = since !== undefined && since <= date ? Math.min(1, daysBetween(since, date) / 90) : 0
  return clamp(9.4 - 6.9 * eased + wobble(physiology.traits.noiseSeed, 'tsh', date) * 0.3, 0.5, 14)
}

const values: Partial<Record<LabKey, (physiology: Physiology, date: string) => number>> = {
  a1c,
  egfr,
  creatinine,
  tsh,
  hemoglobin,
  hematocrit,
  rbc: redCells,
  mcv: cellVolume,
  mch: (physiology, date) =>
    (round(hemoglobin(physiology, date), 1) * 10) / round(redCells(physiology, date), 2),
  mchc: (physiology, date) =>
    (round(hemoglobin(physiology, date), 1) * 100) / round(hematocrit(physiology, date), 1),
  // Fasting glucose goes with the mean that the A1c stands for (28.7 × A1c − 46.7), a tenth lower.
  glucose: (physiology, date) =>
    clamp(
      (28.7 * round(a1c(physiology, date), 1) - 46.7) * 0.85 +
        wobble(physiology.traits.noiseSeed, 'glucose', date) * 4,
      68,
      310,
    ),
  ureaNitrogen: (physiology, date) =>
    clamp(usual(physiology, 'ureaNitrogen', date) + Math.max(0, 60 - egfr(physiology, date)) * 0.5, 6, 60),
  triglycerides,
  ldlCalculated: (physiology, date) =>
    labValue(physiology, 'cholesterol', date) -
    labValue(physiology, 'hdl', date) -
    whole(labValue(physiology, 'triglycerides', date) / 5),
  cholesterol: (physiology, date) =>
    whole(ldl(physiology, date)) +
    labValue(physiology, 'hdl', date) +
    whole(labValue(physiology, 'triglycerides', date) / 5),
  albuminCreatinine: (physiology, date) =>
    hasProblem(physiology, 'diabetic-nephropathy', date) || hasProblem(physiology, 'ckd-stage-3', date)
      ? clamp(110 + wobble(physiology.traits.noiseSeed, 'acr', date) * 25, 32, 260)
      : clamp(usual(physiology, 'albuminCreatinine', date), 2, 29),
  inr: (physiology, date) =>
    drugsTaken(physiology, ['warfarin-5'], date) > 0
      ? clamp(2.5 + wobble(physiology.traits.noiseSeed, 'inr', date) * 0.3, 1.6, 3.8)
      : usual(physiology, 'inr', date),
  psa: (physiology, date) =>
    hasProblem(physiology, 'prostate-cancer', date) ? 9.4 : clamp(usual(physiology, 'psa', date), 0.2, 3.9),
  ferritin: (physiology, date) =>
    hasProblem(physiology, 'iron-deficiency-anemia', date)
      ? clamp(7 + 34 * Math.min(1, ironYears(physiology, date)), 7, usual(physiology, 'ferritin', date))
      : usual(physiology, 'ferritin', date),
}
