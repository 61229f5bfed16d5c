/** Result Organizer (22.4.1) for each report, or each time at which something was found, with its Result Observations (22.4.2). */
import type * as fhir from 'fhir/r4.js'
import { actStatuses, loincSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import { functional, type Observation, of, social, together, vital } from '../observations.ts'
import { type Item, observationEvent, refOf, type Section, status, template } from '../section.ts'
import { interval, shownTime, spanOf, time } from '../times.ts'
import { concept, displayText, foundValue, quantity, shownQuantity, shownValue, textOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

/** What a report is called, and what its results are found by. */
type Panel = { id: string; code: fhir.CodeableConcept; status: string }

export const results: Section = {
  columns: ['Test', 'Result', 'Interpretation', 'Reference range', 'Date'],
  nothing: 'No results on record.',
  async *items(chart) {
    const panels = await readPanels(chart)
    // Whatever is none of the other sections', categories that no one has heard of among it.
    const others = of([...vital, ...social, ...functional], { negated: true })
    for await (const found of together(chart, [others])) {
      for (const [panel, group] of byPanel(found, panels)) {
        yield itemOf(chart, panel, group, await findPractitioner(chart, group[0].performer?.[0]))
      }
    }
  },
}

/** The report of each result. Only ids and codes are kept in memory. */
async function readPanels(chart: Chart): Promise<ReadonlyMap<string, Panel>> {
  const panels = new Map<string, Panel>()
  for await (const { id, code, status: its, result = [] } of chart.read<fhir.DiagnosticReport>(
    'DiagnosticReport',
  )) {
    const panel = { id, code, status: its }
    for (const { reference } of result) {
      const of = reference?.split('/')[1]
      if (of !== undefined && !panels.has(of)) panels.set(of, panel)
    }
  }
  return panels
}

type Whole = Pick<Observation, 'resourceType' | 'id' | 'code' | 'status'>
type Group = [Observation, ...Observation[]]

function byPanel(found: readonly Observation[], panels: ReadonlyMap<string, Panel>) {
  const groups = new Map<string, [Panel | undefined, Group]>()
  for (const observation of found) {
    const panel = panels.get(observation.id)
    // Without a report each test is by itself.
    const key = panel?.id ?? `alone ${observation.id}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [panel, [observation]])
    else group[1].push(observation)
  }
  return [...groups.values()]
}

function itemOf(
  chart: Chart,
  panel: Panel | undefined,
  group: Group,
  performer: Parameters<typeof author>[1],
): Item {
  const [first] = group
  const { start, end } = spanOf(first)
  return {
    rows: group.map((observation) => ({
      ref: refOf('results', observation),
      cells: [
        displayText(observation.code),
        [shownValue(observation), ...(observation.component ?? []).map(shownComponent)]
          .filter((line) => line !== '')
          .join('\n'),
        (observation.interpretation ?? []).map(displayText).join(', '),
        (observation.referenceRange ?? []).map(shownRange).join('\n'),
        shownTime(spanOf(observation).start),
      ],
    })),
    entry: () =>
      el(
        'organizer',
        { classCode: 'BATTERY', moodCode: 'EVN' },
        template('4.1', '2015-08-01'),
        panel === undefined
          ? partId(chart, first, 'organizer')
          : // A report whose results were found at two times is told twice.
            partId(chart, { resourceType: 'DiagnosticReport', id: panel.id }, first.id),
        concept('code', panel?.code ?? first.code, { prefer: [loincSystem] }),
        status(actStatuses[panel?.status ?? first.status] ?? 'completed'),
        interval('effectiveTime', { start, end: end ?? start }, { ended: true }),
        author(chart, performer, first.issued ?? start),
        group.map((observation) => [
          el('component', {}, resultObservation(chart, observation)),
          (observation.component ?? []).map((part, index) =>
            el(
              'component',
              {},
              resultObservation(chart, { ...observation, ...withoutValues, ...part }, index),
            ),
          ),
        ]),
      ),
  }
}

/** Of a part, nothing of the whole but when and how it was found. */
const withoutValues = {
  valueQuantity: undefined,
  valueCodeableConcept: undefined,
  valueString: undefined,
  interpretation: undefined,
  referenceRange: undefined,
  dataAbsentReason: undefined,
}

/** @param part of an observation that has several, its place */
function resultObservation(chart: Chart, observation: Partial<Observation> & Whole, part?: number): Xml {
  const ref = refOf('results', observation)
  return observationEvent(
    template('4.2', '2015-08-01'),
    part === undefined ? resourceId(chart, observation) : partId(chart, observation, `component-${part}`),
    concept('code', observation.code, { ref, prefer: [loincSystem] }),
    textOf(ref),
    status(actStatuses[observation.status] ?? 'completed'),
    time('effectiveTime', spanOf(observation).start),
    foundValue(observation, ref),
    (observation.interpretation ?? []).map((each) => concept('interpretationCode', each)),
    (observation.referenceRange ?? []).map(referenceRange),
  )
}

function referenceRange(range: fhir.ObservationReferenceRange): Xml {
  const { low, high } = range
  return el(
    'referenceRange',
    {},
    el(
      'observationRange',
      {},
      el('text', {}, text(shownRange(range))),
      low === undefined && high === undefined
        ? el('value', { 'xsi:type': 'ST' }, text(shownRange(range)))
        : el('value', { 'xsi:type': 'IVL_PQ' }, low && quantity('low', low), high && quantity('high', high)),
    ),
  )
}

function shownRange({ text: words, low, high }: fhir.ObservationReferenceRange): string {
  if (words !== undefined) return words
  const [from, to] = [shownQuantity(low), shownQuantity(high)]
  if (to === '') return `from ${from}`
  return from === '' ? `up to ${to}` : `${from} to ${to}`
}

function shownComponent(component: fhir.ObservationComponent): string {
  return `${displayText(component.code)}: ${shownValue(component)}`
}
