/** An electrocardiogram: its intervals, its impression, and the report that holds them. */
import { clinicalResults, observationCategories } from '../codes/codes.ts'
import { heartRate } from '../traits/circulation.ts'
import { hasProblem } from '../traits/physiology.ts'
import type { Chart, Visit } from './chart.ts'
import { writeStudy } from './notes.ts'

/** @param options.file kind of stored file; the text stands in the document without one */
export function recordElectrocardiogram(
  chart: Chart,
  visit: Visit,
  options: { readonly file?: 'pdf' } = {},
): void {
  const rate = heartRate(chart.physiology, visit.date)
  const irregular = hasProblem(chart.physiology, 'atrial-fibrillation', visit.date)
  const rhythm = irregular ? 'Atrial fibrillation' : 'Sinus rhythm'
  const measured = [
    // Without waves of the atria there is nothing to measure from.
    ...(irregular ? [] : ([[clinicalResults.prInterval, 0.16, 's']] as const)),
    [clinicalResults.qtInterval, 0.4, 's'],
    [clinicalResults.qrsDuration, 92, 'ms'],
  ] as const
  const here = { kind: 'observation', at: visit.at, visit: visit.key, profile: 'clinicalResult' } as const
  const results = measured.map(([code, value, unit]) =>
    chart.add({
      ...here,
      categories: [observationCategories.procedure],
      codes: [code],
      value: { quantity: { value, unit } },
    }),
  )
  results.push(
    chart.add({
      ...here,
      categories: [observationCategories.procedure],
      codes: [clinicalResults.ecgImpression],
      value: { text: irregular ? rhythm : 'Normal sinus rhythm' },
    }),
    chart.add({
      ...here,
      categories: [observationCategories.exam],
      codes: [clinicalResults.jugularDistension],
      value: { codings: [clinicalResults.absent] },
    }),
  )
  writeStudy(chart, visit, {
    type: 'imaging',
    title: 'Electrocardiogram',
    category: 'cardiology',
    code: clinicalResults.ecgPanel,
    results,
    conclusion: irregular ? `${rhythm}, rate controlled.` : 'Normal sinus rhythm.',
    text: `Twelve leads. ${rhythm}, ${rate} a minute. ${irregular ? '' : 'PR 0.16 s, '}QRS 92 ms, QT 0.40 s.\nImpression: ${irregular ? 'atrial fibrillation' : 'normal'}.`,
    ...options,
  })
}
