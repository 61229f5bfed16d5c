/** Vital Signs Organizer (22.4.26) for what was measured at one time, with a Vital Sign Observation (22.4.27) for each. */
import type * as fhir from 'fhir/r4.js'
import { loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId } from '../identifiers.ts'
import { type Observation, of, together, vital } from '../observations.ts'
import { type Item, observationEvent, refOf, type Section, status, template } from '../section.ts'
import { interval, shownTime, spanOf, time } from '../times.ts'
import { code, concept, displayText, quantity, shownValue, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

export const vitalSigns: Section = {
  columns: ['Vital sign', 'Value', 'Date'],
  nothing: 'No vital signs on record.',
  async *items(chart) {
    for await (const group of together(chart, [of(vital)])) {
      const signs = group.flatMap(signsOf)
      if (signs.length === 0) continue
      yield itemOf(chart, group[0], signs, await findPractitioner(chart, group[0].performer?.[0]))
    }
  },
}

const panel = code('code', { code: '46680005', display: 'Vital signs' }, snomedSystem, {
  children: [
    code(
      'translation',
      {
        code: '74728-7',
        display: 'Vital signs, weight, height, head circumference, oxygen saturation and BMI panel',
      },
      loincSystem,
    ),
  ],
})

type Sign = {
  observation: Observation
  code: fhir.CodeableConcept | undefined
  value: Pick<fhir.Observation, 'valueQuantity' | 'dataAbsentReason'>
  part: string
}

/** A panel, as blood pressure is, is the signs that it consists of. */
function signsOf(observation: Observation): Sign[] {
  const { component = [] } = observation
  const parts = component.map(
    (each, index): Sign => ({ observation, code: each.code, value: each, part: `-${index}` }),
  )
  const itself: Sign = { observation, code: observation.code, value: observation, part: '' }
  return observation.valueQuantity === undefined && parts.length > 0 ? parts : [itself, ...parts]
}

function itemOf(
  chart: Chart,
  first: Observation,
  signs: readonly Sign[],
  performer: Parameters<typeof author>[1],
): Item {
  const { start, end } = spanOf(first)
  return {
    rows: signs.map((sign) => ({
      ref: refOfSign(sign),
      cells: [displayText(sign.code), shownValue(sign.value), shownTime(start)],
    })),
    entry: () =>
      el(
        'organizer',
        { classCode: 'CLUSTER', moodCode: 'EVN' },
        template('4.26', '2015-08-01'),
        partId(chart, first, 'vital-signs'),
        panel,
        status('completed'),
        interval('effectiveTime', { start, end: end ?? start }, { ended: true }),
        author(chart, performer, start),
        signs.map((sign) => el('component', {}, observationOf(chart, sign))),
      ),
  }
}

function observationOf(chart: Chart, sign: Sign): Xml {
  const { observation, value, part } = sign
  const ref = refOfSign(sign)
  const [interpretation] = part === '' ? (observation.interpretation ?? []) : []
  return observationEvent(
    template('4.27', '2014-06-09'),
    partId(chart, observation, `sign${part}`),
    concept('code', sign.code, { ref, prefer: [loincSystem] }),
    textOf(ref),
    status('completed'),
    time('effectiveTime', spanOf(observation).start),
    quantity('value', value.valueQuantity, { typed: true, unit: true }),
    interpretation && concept('interpretationCode', interpretation),
  )
}

function refOfSign({ observation, part }: Sign): string {
  return refOf('vitalSigns', observation, part)
}
