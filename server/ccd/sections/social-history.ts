/** Smoking (22.4.78), sex at birth (22.4.200), sexual orientation (22.4.501), and what else is told (22.4.38, 22.4.69). */

import type * as fhir from 'fhir/r4.js'
import {
  actCodeSystem,
  birthSexes,
  genderSystem,
  loincSystem,
  smokingStatuses,
  snomedSystem,
} from '../../contract/fhir/ccda-values.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import { functional, type Observation, of, social } from '../observations.ts'
import {
  type Item,
  newTemplate,
  observationEvent,
  oneRow,
  refOf,
  related,
  type Section,
  status,
  template,
} from '../section.ts'
import { interval, shownTime, spanOf, time } from '../times.ts'
import { code, codeIn, concept, displayText, foundValue, shownValue, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

export const socialHistory: Section = {
  columns: ['Observation', 'Value', 'Date'],
  nothing: 'No information on social history.',
  async *items(chart) {
    const sex = birthSex(chart)
    if (sex !== null) yield sex
    for await (const observation of chart.read<Observation>('Observation', [of(social)])) {
      const ref = refOf('socialHistory', observation)
      yield {
        rows: [{ ref, cells: observationCells(observation) }],
        entry: () => entryOf(chart, observation, ref),
      }
    }
  },
}

const loinc = 'http://loinc.org'
const snomed = 'http://snomed.info/sct'

/** What has a template of its own, by its LOINC code. */
const templates: Readonly<Record<string, (chart: Chart, observation: Observation, ref: string) => Xml>> = {
  '72166-2': smokingStatus,
  '76690-7': sexualOrientation,
  '82810-3': pregnancy,
}

function entryOf(chart: Chart, observation: Observation, ref: string): Xml {
  const its = templates[codeIn(observation.code, loinc) ?? '']
  if (its !== undefined) return its(chart, observation, ref)
  const isHistory = observation.category?.some(({ coding }) =>
    coding?.some(({ code: known }) => known === 'social-history'),
  )
  return isHistory ? history(chart, observation, ref) : assessmentScale(chart, observation, ref)
}

function history(chart: Chart, observation: Observation, ref: string): Xml {
  const isLoinc = codeIn(observation.code, loinc) !== undefined
  return observationEvent(
    template('4.38', '2015-08-01'),
    resourceId(chart, observation),
    concept('code', observation.code, {
      ref,
      prefer: [loincSystem],
      // A code of another system is told beside what LOINC calls the whole section.
      more: isLoinc ? [] : [code('translation', { code: '29762-2', display: 'Social history' }, loincSystem)],
    }),
    textOf(ref),
    status('completed'),
    effective(observation),
    foundValue(observation, ref),
    (observation.component ?? []).map((component, index) =>
      related(
        'COMP',
        observationEvent(
          partId(chart, observation, `component-${index}`),
          concept('code', component.code, { ref }),
          status('completed'),
          foundValue(component, ref),
        ),
      ),
    ),
  )
}

function smokingStatus(chart: Chart, observation: Observation, ref: string): Xml {
  const known = codeIn(observation.valueCodeableConcept, snomed) ?? ''
  const its = Object.hasOwn(smokingStatuses, known) ? known : '266927001'
  return observationEvent(
    template('4.78', '2014-06-09'),
    resourceId(chart, observation),
    code('code', { code: '72166-2', display: 'Tobacco smoking status' }, loincSystem),
    textOf(ref),
    status('completed'),
    time('effectiveTime', spanOf(observation).start),
    code('value', { code: its, display: smokingStatuses[its] as string }, snomedSystem, { typed: true }),
  )
}

function sexualOrientation(chart: Chart, observation: Observation, ref: string): Xml {
  return observationEvent(
    newTemplate('4.501', '2023-05-01'),
    newTemplate('4.38', '2022-06-01'),
    resourceId(chart, observation),
    code('code', { code: '76690-7', display: 'Sexual orientation' }, loincSystem),
    textOf(ref),
    status('completed'),
    interval('effectiveTime', { start: spanOf(observation).start }),
    concept('value', observation.valueCodeableConcept, { typed: true, ref, prefer: [snomedSystem] }),
  )
}

function pregnancy(chart: Chart, observation: Observation, ref: string): Xml {
  return observationEvent(
    template('2.16.840.1.113883.10.20.15.3.8'),
    resourceId(chart, observation),
    code('code', { code: 'ASSERTION', display: 'Assertion' }, actCodeSystem),
    textOf(ref),
    status('completed'),
    effective(observation),
    concept('value', observation.valueCodeableConcept, { typed: true, ref, prefer: [snomedSystem] }),
  )
}

function effective(observation: Observation): Xml {
  const { start, end } = spanOf(observation)
  return start === end ? time('effectiveTime', start) : interval('effectiveTime', { start, end })
}

/** Lies in the patient's own record, not among the observations. */
function birthSex(chart: Chart): Item | null {
  const { patient } = chart
  const url = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex'
  const value = patient.extension?.find((each) => each.url === url)?.valueCode
  if (value === undefined) return null
  const its = birthSexes[value]
  const ref = refOf('socialHistory', patient, '-birth-sex')
  return {
    rows: oneRow(ref, ['Sex assigned at birth', its?.display ?? 'Unknown', '']),
    entry: () =>
      observationEvent(
        newTemplate('4.200', '2016-06-01'),
        partId(chart, patient, 'birth-sex'),
        code('code', { code: '76689-9', display: 'Sex assigned at birth' }, loincSystem),
        textOf(ref),
        status('completed'),
        time('effectiveTime', patient.birthDate),
        its === undefined
          ? el('value', { 'xsi:type': 'CD', nullFlavor: 'UNK' })
          : code('value', its, genderSystem, { typed: true }),
      ),
  }
}

// Assessment Scale Observation (22.4.69) for every survey, and for assessments of functional status.

export const functionalStatus: Section = {
  columns: ['Question', 'Answer', 'Date'],
  nothing: 'No information on functional status.',
  async *items(chart) {
    // Surveys of social needs belong to the social history.
    const criteria = [of(functional), of(social, { negated: true })]
    for await (const observation of chart.read<Observation>('Observation', criteria)) {
      const ref = refOf('functionalStatus', observation)
      yield {
        rows: [{ ref, cells: observationCells(observation) }],
        entry: () => assessmentScale(chart, observation, ref),
      }
    }
  },
}

// Assessment Scale Observation (22.4.69): an answer or a score, with the answers behind it (22.4.86).

function assessmentScale(chart: Chart, observation: Observation, ref: string): Xml {
  return observationEvent(
    template('4.69'),
    resourceId(chart, observation),
    concept('code', observation.code, { ref, prefer: [loincSystem] }),
    textOf(ref),
    status('completed'),
    time('effectiveTime', spanOf(observation).start),
    foundValue(observation, ref),
    (observation.component ?? []).map((component, index) =>
      related(
        'COMP',
        observationEvent(
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
function observationCells(observation: Observation): string[] {
  const parts = (observation.component ?? []).map((each) => `${displayText(each.code)}: ${shownValue(each)}`)
  return [
    displayText(observation.code),
    [shownValue(observation), ...parts].filter((line) => line !== '').join('\n'),
    shownTime(spanOf(observation).start),
  ]
}
