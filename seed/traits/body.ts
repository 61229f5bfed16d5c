/** What is measured of a body by age. Values are rounded as a practice writes them down. */

import { daysBetween } from '../people/calendar.ts'
import { curveValue, curveZ, percentile } from './growth.ts'
import { clamp, drugsTaken, hasProblem, type Physiology, round, type Traits, wobble } from './traits.ts'

const monthDays = 30.4375
const adultMonths = 240

export const ageMonths = ({ birthDay }: Traits, date: string): number =>
  daysBetween(birthDay, date) / monthDays

/** cm, to 0.1; never falls while growing. */
export function heightCm({ traits }: Physiology, date: string): number {
  const months = Math.min(ageMonths(traits, date), adultMonths)
  // Below half a month the charts have no row: length grows by about a tenth of a centimetre a day.
  const shown = curveValue('height', traits.sex, Math.max(months, 0.5), traits.heightZ)
  return round(months < 0.5 ? shown - (0.5 - months) * 4 : shown, 1)
}

/** kg, to 0.1; to 0.01 below two years. */
export function weightKg(physiology: Physiology, date: string): number {
  const { traits } = physiology
  const months = ageMonths(traits, date)
  if (months < 24) {
    const z = clamp(traits.weightZ * 0.6 + traits.heightZ * 0.3, -1.8, 1.8)
    const shown = curveValue('weight', traits.sex, Math.max(months, 0.5), z)
    return round(months < 0.5 ? shown * (0.9 + months * 0.2) : shown, 2)
  }
  const metres = heightCm(physiology, date) / 100
  return round(bodyMass(physiology, date, months) * metres * metres, 1)
}

/** kg/m2 before height and weight are rounded. */
function bodyMass(physiology: Physiology, date: string, months: number): number {
  const { traits } = physiology
  const z = traits.weightZ + (physiology.problems.has('obesity') ? 0.5 : 0)
  const young = curveValue('bmi', traits.sex, Math.min(months, adultMonths), Math.min(z, 2))
  if (months <= adultMonths) return young + wobble(traits.noiseSeed, 'bmi', date) * 0.1
  const years = (months - adultMonths) / 12
  // People gain until sixty and lose a little after seventy-five.
  const gained = Math.min(years, 40) * (0.075 + 0.03 * z) - Math.max(0, years - 55) * 0.06
  const floor = hasProblem(physiology, 'obesity', date) ? 30.6 + Math.max(0, z) : 18.6
  const pregnant = physiology.pregnancies.find((each) => each.from <= date && date <= each.until)
  // Little in the first months.
  const carried = pregnant ? (daysBetween(pregnant.from, date) / 280) ** 1.6 * 4.4 : 0
  const ceiling = physiology.problems.has('obesity') ? 44 : 29.6
  return (
    clamp(young + gained, floor, ceiling) +
    carried +
    clamp(wobble(traits.noiseSeed, 'bmi', date), -1, 1) * 0.25
  )
}

/** kg/m2, to 0.1, of the height and weight that are written down. */
export const bodyMassIndex = (heightCmRounded: number, weightKgRounded: number): number =>
  round(weightKgRounded / (heightCmRounded / 100) ** 2, 1)

/** cm, to 0.1; charts end at three years. */
export const headCm = ({ traits }: Physiology, date: string): number =>
  round(curveValue('head', traits.sex, Math.min(ageMonths(traits, date), 36), traits.headZ), 1)

/** Percentile of the same age and sex, whole, 1 to 99. */
export function measuredPercentile(
  curve: 'bmi' | 'head' | 'weightForLength',
  traits: Traits,
  at: number,
  value: number,
): number {
  return clamp(round(percentile(curveZ(curve, traits.sex, at, value))), 1, 99)
}

const pressureDrugs = [
  'lisinopril-10',
  'lisinopril-20',
  'losartan-50',
  'valsartan-80',
  'amlodipine-2.5',
  'amlodipine-5',
  'hydrochlorothiazide-25',
  'metoprolol-succ-50',
] as const

/** mm[Hg]; hypertension adds, each drug takes off, pregnancy takes off a little. */
export function bloodPressure(physiology: Physiology, date: string) {
  const { traits } = physiology
  const years = ageMonths(traits, date) / 12
  const young = years < 20
  const base = young ? 84 + years * 1.6 : 112 + Math.max(0, years - 25) * 0.32
  const hypertensive = hasProblem(physiology, 'hypertension', date)
  const offset = young ? traits.pressureOffset * 0.4 : Math.min(traits.pressureOffset, hypertensive ? 16 : 6)
  const raised = hypertensive ? 28 : 0
  const lowered = hypertensive ? Math.min(drugsTaken(physiology, pressureDrugs, date), 3) * 11 : 0
  const pregnant = physiology.pregnancies.some((each) => each.from <= date && date <= each.until)
  const systolic =
    base + offset + raised - lowered - (pregnant ? 5 : 0) + wobble(traits.noiseSeed, 'sys', date) * 3
  const ratio = young ? 0.6 : 0.64 - Math.max(0, years - 60) * 0.002
  const diastolic = systolic * ratio + wobble(traits.noiseSeed, 'dia', date) * 2
  return { systolic: round(clamp(systolic, 62, 198)), diastolic: round(clamp(diastolic, 36, 112)) }
}

/** Per minute. */
export function heartRate(physiology: Physiology, date: string, feverish = false): number {
  const { traits } = physiology
  const years = ageMonths(traits, date) / 12
  const ofAge = years < 1 ? 128 : years < 5 ? 106 : years < 12 ? 88 : traits.pulse
  const slowed = drugsTaken(physiology, ['metoprolol-succ-50', 'metoprolol-tart-25', 'carvedilol-6.25'], date)
  return round(ofAge - slowed * 8 + (feverish ? 12 : 0) + wobble(traits.noiseSeed, 'pulse', date) * 4)
}

/** Per minute. */
export function respiratoryRate({ traits }: Physiology, date: string, feverish = false): number {
  const years = ageMonths(traits, date) / 12
  const ofAge = years < 1 ? 36 : years < 5 ? 26 : years < 12 ? 20 : 15
  return round(ofAge + (feverish ? 3 : 0) + wobble(traits.noiseSeed, 'breath', date) * 1.2)
}

/** Cel, to 0.1. */
export const temperature = ({ traits }: Physiology, date: string, feverish = false): number =>
  round((feverish ? 38.4 : 36.8) + wobble(traits.noiseSeed, 'heat', date) * 0.2, 1)

/** Per cent. */
export function oxygenSaturation(physiology: Physiology, date: string): number {
  const lungs =
    hasProblem(physiology, 'copd-chronic-bronchitis', date) || hasProblem(physiology, 'emphysema', date)
  return clamp(round((lungs ? 93 : 98) + wobble(physiology.traits.noiseSeed, 'oxygen', date) * 0.9), 86, 100)
}
