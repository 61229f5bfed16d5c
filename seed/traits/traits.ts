/**
 * The lifelong traits, conditions and drugs of a person. Every measurement is a function of these and the date. Daily
 * variation is a hash, so that the same person, name and day always give the same number.
 */
import type { ConditionKey, MedicationKey } from '../codes/codes.ts'
import type { Person } from '../people/person.ts'
import type { Chance } from '../randomness.ts'

export interface Traits {
  /** Sex that the curves and ranges go by, also for those whose sex is not recorded. */
  readonly sex: 'female' | 'male'
  /** First day of life; the middle of the month or year where only those are known. */
  readonly birthDay: string
  readonly noiseSeed: number
  /** Standard deviations from the mean of the same sex and age. */
  readonly heightZ: number
  readonly weightZ: number
  readonly headZ: number
  /** Added to the systolic pressure of the age, mm[Hg]. */
  readonly pressureOffset: number
  readonly pulse: number
  /** Untreated A1c gain per year of type 2 diabetes, %. */
  readonly a1cDrift: number
  /** eGFR lost per year beyond what age takes, mL/min/1.73 m². */
  readonly egfrLoss: number
  /** Standard deviations of cholesterol. */
  readonly lipidZ: number
  readonly smoking: 'never' | 'former' | 'occasional' | 'daily'
}

/** @param pinned traits of cast members that are not left to chance. */
export function drawTraits(chance: Chance, person: Person, pinned: Partial<Traits> = {}): Traits {
  const normal = () => (chance.next() + chance.next() + chance.next() + chance.next() - 2) * 1.732
  const noiseSeed = chance.integer(1, 2_000_000_000)
  const drawnSex = chance.happens(0.5) ? 'female' : 'male'
  const drawn: Traits = {
    sex: person.sex === 'unknown' ? drawnSex : person.sex,
    birthDay: firstDay(person.birthDate),
    noiseSeed,
    heightZ: clamp(normal(), -2, 2),
    weightZ: clamp(normal() * 0.9 + 0.3, -1.8, 2.4),
    headZ: clamp(normal() * 0.8, -1.8, 1.8),
    pressureOffset: clamp(normal() * 7, -14, 16),
    pulse: Math.round(clamp(72 + normal() * 7, 56, 92)),
    a1cDrift: 0.15 + chance.next() * 0.25,
    egfrLoss: 1.2 + chance.next() * 1.6,
    lipidZ: clamp(normal(), -1.8, 2),
    smoking: drawSmoking(chance),
  }
  return { ...drawn, ...pinned }
}

function drawSmoking(chance: Chance): Traits['smoking'] {
  const draw = chance.next()
  if (draw < 0.58) return 'never'
  if (draw < 0.83) return 'former'
  return draw < 0.88 ? 'occasional' : 'daily'
}

function firstDay(birthDate: string): string {
  if (birthDate.length === 4) return `${birthDate}-07-01`
  return birthDate.length === 7 ? `${birthDate}-15` : birthDate
}

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

export interface TakenDrug {
  readonly key: MedicationKey
  readonly from: string
  readonly until?: string
}

export interface Physiology {
  readonly traits: Traits
  /** First and last day; a problem without a last day goes on. */
  readonly problems: ReadonlyMap<ConditionKey, { readonly from: string; readonly until?: string }>
  readonly drugs: readonly TakenDrug[]
  readonly pregnancies: readonly { readonly from: string; readonly until: string }[]
}

export function hasProblem({ problems }: Physiology, key: ConditionKey, date: string): boolean {
  const problem = problems.get(key)
  return (
    problem !== undefined && problem.from <= date && (problem.until === undefined || date <= problem.until)
  )
}

/** Counts the drugs that are taken on that day. */
export function drugsTaken({ drugs }: Physiology, keys: readonly MedicationKey[], date: string): number {
  return drugs.filter(
    (drug) =>
      keys.includes(drug.key) && drug.from <= date && (drug.until === undefined || date <= drug.until),
  ).length
}

/** First day on any of the drugs. */
export function treatedSince({ drugs }: Physiology, keys: readonly MedicationKey[]): string | undefined {
  return drugs
    .filter((drug) => keys.includes(drug.key))
    .map((drug) => drug.from)
    .sort()[0]
}

/** About normal (sum of four), mean 0, deviation 1, never beyond ±3.5. */
export function wobble(seed: number, ...name: readonly (string | number)[]): number {
  const text = name.join('|')
  let sum = 0
  for (let round = 0; round < 4; round++) sum += uniform(seed + round * 0x9e3779b9, text)
  return (sum - 2) * 1.732
}

/** In [0, 1). */
export function uniform(seed: number, text: string): number {
  let value = (seed ^ 0x811c9dc5) | 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 4_294_967_296
}

/** @param decimals places kept; a value such as 1.005 is moved by less than a unit of its last place. */
export function round(value: number, decimals = 0): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}
