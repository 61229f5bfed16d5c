/** What is measured at a visit: vital signs, laboratory tests, an electrocardiogram. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  findings,
  type LabKey,
  labs,
  type ObservationProfile,
  type PanelKey,
  panels,
  specimens,
  terms,
  type VitalKey,
  vitals,
} from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import * as body from '../traits/body.ts'
import { labValue } from '../traits/laboratory.ts'
import type { Chart, Visit } from './chart.ts'
import type { ObservedComponent, Reason } from './events.ts'
import { writeStudy } from './notes.ts'

interface VitalOptions {
  /** The cuff did not fit: pressure is given as not measured. */
  readonly pressureAbsent?: boolean
  /** Oxygen by mask, L/min and per cent. */
  readonly oxygen?: { readonly flow: number; readonly concentration: number }
}

/** As the patient's age asks for. */
export function takeVitals({ physiology }: Chart, visit: Visit, options: VitalOptions = {}): void {
  const { traits } = physiology
  const { date, feverish } = visit
  const months = body.ageMonths(traits, date)
  const height = body.heightCm(physiology, date)
  const weight = body.weightKg(physiology, date)
  const head = body.headCm(physiology, date)
  const record = (key: VitalKey & ObservationProfile, value: number) =>
    visit.observe(key, terms.observationCategories.vitalSigns, vitals[key].coding, reading(key, value))
  record('height', height)
  record('weight', weight)
  if (months < 36) record('headCircumference', head)
  if (months < 24) {
    record('weightForLength', body.measuredPercentile('weightForLength', traits, height, weight))
  } else {
    const bmi = body.bodyMassIndex(height, weight)
    record('bmi', bmi)
    if (months < 240) record('bmiPercentile', body.measuredPercentile('bmi', traits, months, bmi))
  }
  if (months < 36)
    record('headPercentile', body.measuredPercentile('head', traits, Math.min(months, 36), head))
  if (months >= 36) {
    const pressure = body.bloodPressure(physiology, date)
    const absent = options.pressureAbsent ? terms.absentReasons.notPerformed : undefined
    visit.observe('bloodPressure', terms.observationCategories.vitalSigns, vitals.bloodPressure.coding, {
      components: (['systolic', 'diastolic'] as const).map((key) =>
        absent ? { code: vitals[key].coding, absent } : component(key, pressure[key]),
      ),
    })
  }
  record('heartRate', body.heartRate(physiology, date, feverish))
  record('respiratoryRate', body.respiratoryRate(physiology, date, feverish))
  record('temperature', body.temperature(physiology, date, feverish))
  if (months < 12) return
  const { oxygen } = options
  // The profile wants both codes.
  const codes = [vitals.oxygenSaturation.coding, vitals.oxygenSaturationArterial.coding]
  visit.observe('oxygenSaturation', terms.observationCategories.vitalSigns, codes, {
    ...reading('oxygenSaturation', body.oxygenSaturation(physiology, date)),
    components: oxygen && [
      component('oxygenFlow', oxygen.flow),
      component('oxygenConcentration', oxygen.concentration),
    ],
  })
}

const reading = (key: VitalKey, value: number) => ({ value: { quantity: { value, unit: vitals[key].unit } } })

function component(key: VitalKey, value: number): ObservedComponent {
  return { code: vitals[key].coding, ...reading(key, value) }
}

interface LabOptions {
  readonly reason?: Reason
  /** Results other than the physiology's: an infection, a pregnancy. */
  readonly words?: Partial<Record<LabKey, 'positive' | 'negative' | 'detected' | 'notDetected'>>
  /** A result told in a sentence. */
  readonly texts?: Partial<Record<LabKey, string>>
}

type Specimen = keyof typeof specimens | 'untold'

/** @param options.only fewer tests than the panel has */
export function orderPanel(
  chart: Chart,
  visit: Visit,
  key: PanelKey,
  options: LabOptions & { readonly only?: readonly LabKey[] } = {},
): void {
  const { specimen, members } = panels[key]
  order(chart, visit, panels[key], specimen, options.only ?? members, options)
}

/**
 * One test by itself.
 * @param options.specimen blood when left out; `untold` for what the tables have no code of
 */
export function orderLab(
  chart: Chart,
  visit: Visit,
  key: LabKey,
  options: LabOptions & { readonly specimen?: Specimen } = {},
): void {
  order(chart, visit, labs[key], options.specimen ?? 'blood', [key], options)
}

/** The order, the specimen, the results and the report. */
function order(
  chart: Chart,
  visit: Visit,
  { coding: code, text }: { readonly coding: Coding; readonly text: string },
  specimenKind: Specimen,
  members: readonly LabKey[],
  options: LabOptions,
): void {
  const category = terms.orderCategories.laboratory
  const basedOn = visit.add({ kind: 'order', code, text, category, reason: options.reason })
  const specimen =
    specimenKind === 'untold' ? undefined : visit.add({ kind: 'specimen', type: specimens[specimenKind] })
  const results = members.map((key) =>
    visit.observe('lab', terms.observationCategories.laboratory, labs[key].coding, {
      text: labs[key].text,
      specimen,
      ...result(chart, key, visit.date, options),
    }),
  )
  visit.add({
    kind: 'report',
    profile: 'lab',
    category: terms.reportCategories.laboratory,
    ...{ code, text, results, specimen, basedOn },
    issued: issuedAt(visit.at),
  })
}

function result(chart: Chart, key: LabKey, date: string, { words, texts }: LabOptions) {
  const { unit, low, high } = labs[key]
  const text = texts?.[key]
  if (text !== undefined) return { value: { text } }
  const { positive, negative, normal } = terms.interpretations
  if (unit === undefined) {
    const found = words?.[key] ?? 'negative'
    const isFound = found === 'positive' || found === 'detected'
    return { value: { codings: [findings[found]] }, interpretation: isFound ? positive : negative }
  }
  const value = labValue(chart.physiology, key, date)
  const isHigh = high !== undefined && value > high
  const isLow = low !== undefined && value < low
  return {
    value: { quantity: { value, unit } },
    range: { unit, low, high },
    interpretation: isHigh ? terms.interpretations.high : isLow ? terms.interpretations.low : normal,
  }
}

/** Its intervals, its impression, and the report that holds them. */
export function recordElectrocardiogram({ physiology }: Chart, visit: Visit): void {
  const rate = body.heartRate(physiology, visit.date)
  const { prInterval, qtInterval, qrsDuration, ecgImpression, jugularDistension, absent } =
    terms.clinicalResults
  const { procedure, exam } = terms.observationCategories
  const measure = (code: Coding, value: number, unit: string) =>
    visit.observe('clinicalResult', procedure, code, { value: { quantity: { value, unit } } })
  const results = [
    measure(prInterval, 0.16, 's'),
    measure(qtInterval, 0.4, 's'),
    measure(qrsDuration, 92, 'ms'),
    visit.observe('clinicalResult', procedure, ecgImpression, { value: { text: 'Normal sinus rhythm' } }),
    visit.observe('clinicalResult', exam, jugularDistension, { value: { codings: [absent] } }),
  ]
  writeStudy(visit, {
    type: 'imaging',
    title: 'Electrocardiogram',
    category: 'cardiology',
    code: terms.clinicalResults.ecgPanel,
    results,
    conclusion: 'Normal sinus rhythm.',
    text: `Twelve leads. Sinus rhythm, ${rate} a minute. PR 0.16 s, QRS 92 ms, QT 0.40 s.\nImpression: normal.`,
    file: 'pdf',
  })
}
