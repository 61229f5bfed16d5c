/** Problem Concern Act (22.4.3) for every condition that is not a diagnosis of one encounter or a concern. */
import type * as fhir from 'fhir/r4.js'
import {
  codeSystemOids,
  loincSystem,
  problemStatuses,
  snomedSystem,
} from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId } from '../identifiers.ts'
import {
  actEvent,
  concern,
  type Item,
  observationEvent,
  oneRow,
  refOf,
  related,
  type Section,
  status,
  template,
} from '../section.ts'
import { interval, type Span, shownTime } from '../times.ts'
import { code, concept, displayText, shownAge, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

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
    rows: oneRow(ref, [displayText(condition.code), displayText(condition.clinicalStatus), since, until]),
    entry: () =>
      actEvent(
        template('4.3', '2015-08-01'),
        partId(chart, condition, 'concern'),
        concern,
        status(over ? 'completed' : 'active'),
        interval('effectiveTime', { start: condition.recordedDate ?? start, end }, { ended: over }),
        author(chart, recorder, condition.recordedDate),
        related('SUBJ', problemObservation(chart, condition, { ref, part: 'problem' })),
      ),
  }
}

// Health Concern Act (22.4.132) for every condition recorded as a concern, social needs included.

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
        rows: oneRow(ref, [displayText(condition.code), displayText(condition.clinicalStatus), since, until]),
        entry: () =>
          actEvent(
            template('4.132', '2015-08-01'),
            partId(chart, condition, 'concern'),
            code('code', { code: '75310-3', display: 'Health Concern' }, loincSystem),
            status(over ? 'completed' : 'active'),
            interval('effectiveTime', { start: condition.recordedDate ?? start, end }, { ended: over }),
            author(chart, recorder, condition.recordedDate),
            related('REFR', problemObservation(chart, condition, { ref, part: 'health-concern' })),
          ),
      }
    }
  },
}

// Problem Observation (22.4.4): a condition in the problem list, in a concern or as a diagnosis.

export type Condition = fhir.Condition & { id: string }

/** The template takes SNOMED CT. ICD-10-CM is used if there is no SNOMED CT code. */
const systems = [
  snomedSystem,
  ...['http://hl7.org/fhir/sid/icd-10-cm'].flatMap((each) => codeSystemOids[each] ?? []),
]

/** @param part distinguishes the places where one condition appears */
export function problemObservation(
  chart: Chart,
  condition: Condition,
  { ref, part }: { ref: string; part: string },
): Xml {
  const its = problemStatuses[condition.clinicalStatus?.coding?.[0]?.code ?? '']
  const refuted = condition.verificationStatus?.coding?.some(({ code: known }) => known === 'refuted')
  return el(
    'observation',
    { classCode: 'OBS', moodCode: 'EVN', negationInd: refuted ? true : undefined },
    template('4.4', '2015-08-01'),
    partId(chart, condition, part),
    code('code', { code: '55607006', display: 'Problem (finding)' }, snomedSystem, {
      children: [code('translation', { code: '75326-9', display: 'Problem' }, loincSystem)],
    }),
    textOf(ref),
    status('completed'),
    interval('effectiveTime', courseOf(condition), { ended: isOver(condition) }),
    concept('value', condition.code, { typed: true, ref, prefer: systems }),
    its &&
      related(
        'REFR',
        observationEvent(
          template('4.6', '2019-06-20'),
          code('code', { code: '33999-4', display: 'Status' }, loincSystem),
          status('completed'),
          code('value', its, snomedSystem, { typed: true }),
        ),
      ),
  )
}

/** When it began and ended, as far as it is known. */
function courseOf(condition: Condition): Span {
  const { onsetDateTime, onsetPeriod, abatementDateTime, abatementPeriod } = condition
  return {
    start: onsetDateTime ?? onsetPeriod?.start,
    end: abatementDateTime ?? abatementPeriod?.end ?? abatementPeriod?.start,
  }
}

/** The same for people, to whom an age or words say something as well. */
export function shownCourse(condition: Condition): { since: string; until: string } {
  const { start, end } = courseOf(condition)
  const { onsetAge, onsetRange, onsetString } = condition
  const { abatementAge, abatementRange, abatementString } = condition
  return {
    since: shownTime(start) || shownAge(onsetAge, onsetRange, onsetString),
    until: shownTime(end) || shownAge(abatementAge, abatementRange, abatementString),
  }
}

function isOver({ clinicalStatus, abatementDateTime }: Condition): boolean {
  const over = ['resolved', 'inactive', 'remission']
  return (
    abatementDateTime !== undefined ||
    (clinicalStatus?.coding?.some(({ code: its }) => over.includes(its ?? '')) ?? false)
  )
}

/** Whether a condition is of a category, whatever the system that says so. */
export function isOf({ category }: Condition, wanted: string): boolean {
  return category?.some(({ coding }) => coding?.some(({ code: its }) => its === wanted)) ?? false
}
