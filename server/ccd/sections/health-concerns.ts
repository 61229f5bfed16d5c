/** Health Concern Act (22.4.132) for every condition that is kept as a concern, social needs among them. */
import type * as fhir from 'fhir/r4.js'
import { loincSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import { partId } from '../identifiers.ts'
import { refOf, type Section } from '../section.ts'
import { status, template } from '../templates.ts'
import { interval } from '../times.ts'
import { code, displayText } from '../values.ts'
import { el } from '../xml.ts'
import { courseOf, isOf, isOver, problemObservation, shownCourse } from './problem-observation.ts'

export const healthConcerns: Section = {
  columns: ['Concern', 'Status', 'Since', 'Until'],
  nothing: 'No health concerns on record.',
  async *items(chart) {
    for await (const condition of chart.read<fhir.Condition>('Condition')) {
      if (!isOf(condition, 'health-concern')) continue
      const ref = refOf('healthConcerns', condition)
      const { start, end } = courseOf(condition)
      const over = isOver(condition)
      const recorder = await findPractitioner(chart, condition.recorder)
      const { since, until } = shownCourse(condition)
      yield {
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
            template('4.132', '2015-08-01'),
            partId(chart, condition, 'concern'),
            code('code', { code: '75310-3', display: 'Health Concern' }, loincSystem),
            status(over ? 'completed' : 'active'),
            interval('effectiveTime', { start: condition.recordedDate ?? start, end }, { ended: over }),
            author(chart, recorder, condition.recordedDate),
            el(
              'entryRelationship',
              { typeCode: 'REFR' },
              problemObservation(chart, condition, { ref, part: 'health-concern' }),
            ),
          ),
      }
    }
  },
}
