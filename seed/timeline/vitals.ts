/** The vital signs of a visit, as its patient's age asks for. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  absentReasons,
  type ObservationProfile,
  observationCategories,
  type VitalKey,
  vitals,
} from '../codes/codes.ts'
import { ageMonths, bodyMassIndex, headCm, heightCm, measuredPercentile, weightKg } from '../traits/body.ts'
import {
  bloodPressure,
  heartRate,
  oxygenSaturation,
  respiratoryRate,
  temperature,
} from '../traits/circulation.ts'
import type { Chart, Visit } from './chart.ts'
import type { ObservedComponent } from './events.ts'

interface VitalOptions {
  /** The cuff did not fit: pressure is given as not measured. */
  readonly pressureAbsent?: boolean
  /** Oxygen by mask, L/min and per cent. */
  readonly oxygen?: { readonly flow: number; readonly concentration: number }
}

export function takeVitals(chart: Chart, visit: Visit, options: VitalOptions = {}): void {
  const { physiology } = chart
  const { traits } = physiology
  const { date, feverish } = visit
  const months = ageMonths(traits, date)
  const height = heightCm(physiology, date)
  const weight = weightKg(physiology, date)
  const one = (key: VitalKey & ObservationProfile, value: number) => vital(chart, visit, key, [key], value)
  one('height', height)
  one('weight', weight)
  if (months < 36) one('headCircumference', headCm(physiology, date))
  if (months < 24) {
    vital(
      chart,
      visit,
      'weightForLength',
      ['weightForLength'],
      measuredPercentile('weightForLength', traits, height, weight),
    )
  } else {
    const bmi = bodyMassIndex(height, weight)
    one('bmi', bmi)
    if (months < 240) {
      vital(chart, visit, 'bmiPercentile', ['bmiPercentile'], measuredPercentile('bmi', traits, months, bmi))
    }
  }
  if (months < 36) {
    vital(
      chart,
      visit,
      'headPercentile',
      ['headPercentile'],
      measuredPercentile('head', traits, Math.min(months, 36), headCm(physiology, date)),
    )
  }
  if (months >= 36) pressure(chart, visit, options.pressureAbsent ?? false)
  one('heartRate', heartRate(physiology, date, feverish))
  one('respiratoryRate', respiratoryRate(physiology, date, feverish))
  one('temperature', temperature(physiology, date, feverish))
  if (months >= 12) {
    vital(
      chart,
      visit,
      'oxygenSaturation',
      // The profile wants both codes.
      ['oxygenSaturation', 'oxygenSaturationArterial'],
      oxygenSaturation(physiology, date),
      options.oxygen
        ? [
            reading('oxygenFlow', options.oxygen.flow),
            reading('oxygenConcentration', options.oxygen.concentration),
          ]
        : undefined,
    )
  }
}

function vital(
  chart: Chart,
  visit: Visit,
  profile: ObservationProfile,
  keys: readonly VitalKey[],
  value: number,
  components?: readonly ObservedComponent[],
): string {
  const codes: Coding[] = keys.map((key) => vitals[key].coding)
  const unit = vitals[keys[0] ?? 'height'].unit
  return chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile,
    categories: [observationCategories.vitalSigns],
    codes,
    value: { quantity: { value, unit } },
    ...(components ? { components } : {}),
  })
}

function reading(key: VitalKey, value: number): ObservedComponent {
  return { code: vitals[key].coding, value: { quantity: { value, unit: vitals[key].unit } } }
}

function pressure(chart: Chart, visit: Visit, absent: boolean): void {
  const { systolic, diastolic } = bloodPressure(chart.physiology, visit.date)
  const missing = (key: VitalKey): ObservedComponent => ({
    code: vitals[key].coding,
    absent: absentReasons.notPerformed,
  })
  chart.add({
    kind: 'observation',
    at: visit.at,
    visit: visit.key,
    profile: 'bloodPressure',
    categories: [observationCategories.vitalSigns],
    codes: [vitals.bloodPressure.coding],
    components: absent
      ? [missing('systolic'), missing('diastolic')]
      : [reading('systolic', systolic), reading('diastolic', diastolic)],
  })
}
