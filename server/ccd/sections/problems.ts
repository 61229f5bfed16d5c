/** Problem Concern Act (22.4.3) for every condition that is not a diagnosis of one encounter or a concern. */
import type * as fhir from 'fhir/r4.js'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId } from '../identifiers.ts'
import { type Item, refOf, type Section } from '../section.ts'
import { concern, status, template } from '../templates.ts'
import { interval } from '../times.ts'
import { displayText } from '../values.ts'
import { el } from '../xml.ts'
import {
  type Condition,
  courseOf,
  isOf,
  isOver,
  problemObservation,
  shownCourse,
} from './problem-observation.ts'

export const problems: Section = {
  columns: ['Problem', 'Status', 'Since', 'Until'],
  nothing: 'No information on problems.',
  async *items(chart) {
    for await (const condition of chart.read<fhir.Condition>('Condition')) {
      if (isOf(condition, 'encounter-diagnosis') || isOf(condition, 'health-concern')) continue
      yield itemOf(chart, condition, await findPractitioner(chart, condition.recorder))
    }
  },
}

function itemOf(chart: Chart, condition: Condition, recorder: Parameters<typeof author>[1]): Item {
  const ref = refOf('problems', condition)
  const { start, end } = courseOf(condition)
  const { since, until } = shownCourse(condition)
  const over = isOver(condition)
  return {
    rows: [
      {
        ref,
        cells: [displayText(condition.code), displayText(condition.clinicalStatus), since, until],
      },
    ],
    entry: () =>
      el(
        'act',
        { classCode: 'ACT', moodCode: 'EVN' },
        template('4.3', '2015-08-01'),
        partId(chart, condition, 'concern'),
        concern,
        status(over ? 'completed' : 'active'),
        interval('effectiveTime', { start: condition.recordedDate ?? start, end }, { ended: over }),
        author(chart, recorder, condition.recordedDate),
        el(
          'entryRelationship',
          { typeCode: 'SUBJ' },
          problemObservation(chart, condition, { ref, part: 'problem' }),
        ),
      ),
  }
}
