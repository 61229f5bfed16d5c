/** Assessment Scale Observation (22.4.69): an answer or a score, with the answers it is made of (22.4.86). */
import type * as fhir from 'fhir/r4.js'
import { loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import type { Observation } from '../observations.ts'
import { status, template } from '../templates.ts'
import { shownTime, spanOf, time } from '../times.ts'
import { codeIn, concept, displayText, foundValue, shownValue, textOf } from '../values.ts'
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
          // The template takes no code of another system.
          isCoded(component.code) && template('4.86'),
          partId(chart, observation, `component-${index}`),
          concept('code', component.code, { ref, prefer: [loincSystem, snomedSystem] }),
          status('completed'),
          foundValue(component, ref),
        ),
      ),
    ),
  )
}

function isCoded(code: fhir.CodeableConcept): boolean {
  return ['http://loinc.org', 'http://snomed.info/sct'].some((system) => codeIn(code, system) !== undefined)
}

/** Question, answer, date. */
export function observationCells(observation: Observation): string[] {
  const parts = (observation.component ?? []).map((each) => `${displayText(each.code)}: ${shownValue(each)}`)
  return [
    displayText(observation.code),
    [shownValue(observation), ...parts].filter((line) => line !== '').join('\n'),
    shownTime(spanOf(observation).start),
  ]
}
