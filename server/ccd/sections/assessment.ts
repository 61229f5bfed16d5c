/** Assessment Scale Observation (22.4.69): an answer or a score, with the answers it is made of (22.4.86). */
import { loincSystem } from '../../contract/ccda-values.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import type { Observation } from '../observations.ts'
import { status, template } from '../templates.ts'
import { shownTime, spanOf, time } from '../times.ts'
import { concept, foundValue, shown, shownValue, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

export function assessmentScale(chart: Chart, observation: Observation, ref: string): Xml {
  return el(
    'observation',
    { classCode: 'OBS', moodCode: 'EVN' },
    template('4.69'),
    resourceId(chart, observation),
    concept('code', observation.code, { ref, prefer: [loincSystem] }),
    textOf(ref),
    status('completed'),
    time('effectiveTime', spanOf(observation).start),
    foundValue(observation, ref),
    (observation.component ?? []).map((component, index) =>
      el(
        'entryRelationship',
        { typeCode: 'COMP' },
        el(
          'observation',
          { classCode: 'OBS', moodCode: 'EVN' },
          template('4.86'),
          partId(chart, observation, `component-${index}`),
          concept('code', component.code, { ref }),
          status('completed'),
          foundValue(component, ref),
        ),
      ),
    ),
  )
}

/** Question, answer, date. */
export function observationCells(observation: Observation): string[] {
  const parts = (observation.component ?? []).map((each) => `${shown(each.code)}: ${shownValue(each)}`)
  return [
    shown(observation.code),
    [shownValue(observation), ...parts].filter((line) => line !== '').join('\n'),
    shownTime(spanOf(observation).start),
  ]
}
