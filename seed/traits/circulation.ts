/** Blood pressure, pulse, breathing, temperature and oxygen on a day. */
import { ageMonths } from './body.ts'
import { round, wobble } from './noise.ts'
import { drugsTaken, hasProblem, type Physiology } from './physiology.ts'
import { clamp } from './traits.ts'

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

interface Pressure {
  readonly systolic: number
  readonly diastolic: number
}

/** mm[Hg]; hypertension adds, each drug takes off, pregnancy takes off a little. */
export function bloodPressure(physiology: Physiology, date: string): Pressure {
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
export function temperature({ traits }: Physiology, date: string, feverish = false): number {
  return round((feverish ? 38.4 : 36.8) + wobble(traits.noiseSeed, 'heat', date) * 0.2, 1)
}

/** Per cent. */
export function oxygenSaturation(physiology: Physiology, date: string): number {
  const lungs =
    hasProblem(physiology, 'copd-chronic-bronchitis', date) || hasProblem(physiology, 'emphysema', date)
  return clamp(round((lungs ? 93 : 98) + wobble(physiology.traits.noiseSeed, 'oxygen', date) * 0.9), 86, 100)
}
