/** What a laboratory order brings: the order, the specimen, the results and the report. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import {
  findings,
  interpretations,
  type LabKey,
  labs,
  observationCategories,
  orderCategories,
  type PanelKey,
  panels,
  reportCategories,
  specimens,
} from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import { labValue } from '../traits/laboratory.ts'
import type { Chart, Visit } from './chart.ts'
import type { ObservationEvent, Reason } from './events.ts'

interface LabOptions {
  readonly reason?: Reason
  /** Results other than the physiology's: an infection, a pregnancy. */
  readonly words?: Partial<Record<LabKey, 'positive' | 'negative' | 'detected' | 'notDetected'>>
  readonly numbers?: Partial<Record<LabKey, number>>
  /** A result told in a sentence. */
  readonly texts?: Partial<Record<LabKey, string>>
  /** Fewer tests than the panel has. */
  readonly only?: readonly LabKey[]
}

export function orderPanel(chart: Chart, visit: Visit, key: PanelKey, options: LabOptions = {}): void {
  const { coding, text, specimen, members } = panels[key]
  order(chart, visit, coding, text, specimen, options.only ?? members, options)
}

/** One test by itself. @param options.specimen blood when left out; `untold` for what the tables have no code of. @returns key of the result */
export function orderLab(
  chart: Chart,
  visit: Visit,
  key: LabKey,
  options: LabOptions & { readonly specimen?: keyof typeof specimens | 'untold' } = {},
): string {
  const { coding, text } = labs[key]
  return order(chart, visit, coding, text, options.specimen ?? 'blood', [key], options)[0] ?? ''
}

function order(
  chart: Chart,
  visit: Visit,
  code: Coding,
  text: string,
  specimenKind: keyof typeof specimens | 'untold',
  members: readonly LabKey[],
  options: LabOptions,
): string[] {
  const here = { at: visit.at, visit: visit.key }
  const orderKey = chart.add({
    kind: 'order',
    ...here,
    code,
    text,
    category: orderCategories.laboratory,
    ...(options.reason ? { reason: options.reason } : {}),
  })
  const specimen =
    specimenKind === 'untold'
      ? {}
      : { specimen: chart.add({ kind: 'specimen', ...here, type: specimens[specimenKind] }) }
  const results = members.map((key) =>
    chart.add({
      kind: 'observation',
      ...here,
      profile: 'lab',
      categories: [observationCategories.laboratory],
      codes: [labs[key].coding],
      text: labs[key].text,
      ...specimen,
      ...result(chart, key, visit.date, options),
    }),
  )
  chart.add({
    kind: 'report',
    ...here,
    profile: 'lab',
    category: reportCategories.laboratory,
    code,
    text,
    results,
    ...specimen,
    basedOn: orderKey,
    issued: issuedAt(visit.at),
  })
  return results
}

function result(
  chart: Chart,
  key: LabKey,
  date: string,
  { words, numbers, texts }: LabOptions,
): Pick<ObservationEvent, 'value' | 'range' | 'interpretation'> {
  const { unit, low, high } = labs[key]
  const text = texts?.[key]
  if (text !== undefined) return { value: { text } }
  if (unit === undefined) {
    const found = words?.[key] ?? 'negative'
    const is = found === 'positive' || found === 'detected'
    return {
      value: { codings: [findings[found]] },
      interpretation: is ? interpretations.positive : interpretations.negative,
    }
  }
  const value = numbers?.[key] ?? labValue(chart.physiology, key, date)
  const interpretation =
    high !== undefined && value > high
      ? interpretations.high
      : low !== undefined && value < low
        ? interpretations.low
        : interpretations.normal
  return {
    value: { quantity: { value, unit } },
    range: { unit, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) },
    interpretation,
  }
}
