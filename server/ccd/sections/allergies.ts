/** Allergy Concern Act (22.4.30) with an Allergy - Intolerance Observation (22.4.7) for each. */
import type * as fhir from 'fhir/r4.js'
import {
  actCodeSystem,
  allergyStatuses,
  allergyTypes,
  type CdaCode,
  criticalities,
  loincSystem,
  noAllergies,
  observationValueSystem,
  severities,
  snomedSystem,
} from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import {
  actEvent,
  assertion,
  concern,
  type Item,
  inverted,
  observationEvent,
  refOf,
  related,
  type Section,
  status,
  template,
} from '../section.ts'
import { interval, shownTime } from '../times.ts'
import { code, concept, displayText, shownAge, textOf } from '../values.ts'
import { el, type Xml } from '../xml.ts'

type Allergy = fhir.AllergyIntolerance & { id: string }

export const allergies: Section = {
  columns: ['Substance', 'Kind', 'Reaction', 'Criticality', 'Status', 'Since'],
  nothing: 'No information on allergies or intolerances.',
  async *items(chart) {
    for await (const allergy of chart.read<fhir.AllergyIntolerance>('AllergyIntolerance')) {
      yield itemOf(chart, allergy, await findPractitioner(chart, allergy.recorder))
    }
  },
}

type Recorder = Parameters<typeof author>[1]

function itemOf(chart: Chart, allergy: Allergy, recorder: Recorder): Item {
  const ref = refOf('allergies', allergy)
  const reactions = (allergy.reaction ?? []).flatMap(({ manifestation = [], severity }) =>
    manifestation.map((each) => `${displayText(each)}${severity === undefined ? '' : ` (${severity})`}`),
  )
  const cells = [
    displayText(allergy.code),
    typeOf(allergy).display,
    reactions.join('\n'),
    allergy.criticality ?? '',
    displayText(allergy.clinicalStatus),
    shownTime(onsetOf(allergy)) ||
      shownAge(allergy.onsetAge, allergy.onsetRange, allergy.onsetString) ||
      shownTime(allergy.recordedDate),
  ]
  return { rows: [{ ref, cells }], entry: () => concernAct(chart, allergy, recorder, ref) }
}

function concernAct(chart: Chart, allergy: Allergy, recorder: Recorder, ref: string): Xml {
  const over = isOver(allergy)
  return actEvent(
    template('4.30', '2015-08-01'),
    partId(chart, allergy, 'concern'),
    concern,
    status(over ? 'completed' : 'active'),
    interval(
      'effectiveTime',
      { start: allergy.recordedDate ?? onsetOf(allergy), end: over ? allergy.lastOccurrence : undefined },
      { ended: over },
    ),
    author(chart, recorder, allergy.recordedDate),
    related('SUBJ', observation(chart, allergy, ref)),
  )
}

function observation(chart: Chart, allergy: Allergy, ref: string): Xml {
  const none = noneOf(allergy)
  return el(
    'observation',
    { classCode: 'OBS', moodCode: 'EVN', negationInd: none === undefined ? undefined : true },
    template('4.7', '2014-06-09'),
    resourceId(chart, allergy),
    assertion,
    textOf(ref),
    status('completed'),
    interval('effectiveTime', { start: onsetOf(allergy) }),
    code('value', typeOf(allergy), snomedSystem, { typed: true }),
    el(
      'participant',
      { typeCode: 'CSM' },
      el(
        'participantRole',
        { classCode: 'MANU' },
        el(
          'playingEntity',
          { classCode: 'MMAT' },
          none === undefined ? concept('code', allergy.code, { ref }) : el('code', { nullFlavor: 'NA' }),
        ),
      ),
    ),
    statusOf(allergy),
    (allergy.reaction ?? []).flatMap((reaction, index) =>
      (reaction.manifestation ?? []).map((manifestation, place) =>
        inverted(
          'MFST',
          reactionOf(chart, allergy, { manifestation, part: `reaction-${index}-${place}`, reaction }, ref),
        ),
      ),
    ),
    criticalityOf(allergy),
  )
}

function reactionOf(
  chart: Chart,
  allergy: Allergy,
  {
    manifestation,
    part,
    reaction,
  }: {
    manifestation: fhir.CodeableConcept
    part: string
    reaction: fhir.AllergyIntoleranceReaction
  },
  ref: string,
): Xml {
  const severity = severities[reaction.severity ?? '']
  return observationEvent(
    template('4.9', '2014-06-09'),
    partId(chart, allergy, part),
    assertion,
    textOf(ref),
    status('completed'),
    reaction.onset !== undefined && interval('effectiveTime', { start: reaction.onset }),
    concept('value', manifestation, { typed: true, ref, prefer: [snomedSystem] }),
    severity &&
      inverted(
        'SUBJ',
        observationEvent(
          template('4.8', '2014-06-09'),
          code('code', { code: 'SEV', display: 'Severity' }, actCodeSystem),
          status('completed'),
          code('value', severity, snomedSystem, { typed: true }),
        ),
      ),
  )
}

function statusOf({ clinicalStatus }: Allergy): Xml | null {
  const its = allergyStatuses[clinicalStatus?.coding?.[0]?.code ?? '']
  if (its === undefined) return null
  return inverted(
    'SUBJ',
    observationEvent(
      template('4.28', '2019-06-20'),
      code('code', { code: '33999-4', display: 'Status' }, loincSystem),
      status('completed'),
      code('value', its, snomedSystem, { typed: 'CE' }),
    ),
  )
}

function criticalityOf({ criticality }: Allergy): Xml | null {
  const its = criticalities[criticality ?? '']
  if (its === undefined) return null
  return inverted(
    'SUBJ',
    observationEvent(
      template('4.145'),
      code('code', { code: '82606-5', display: 'Criticality' }, loincSystem),
      status('completed'),
      code('value', its, observationValueSystem, { typed: true }),
    ),
  )
}

function typeOf(allergy: Allergy): CdaCode {
  const { type = '', category: [category = ''] = [] } = allergy
  const none = noneOf(allergy)
  const known = none ?? `${type} ${category}`.trim()
  return allergyTypes[known] ?? allergyTypes[type] ?? (allergyTypes[''] as CdaCode)
}

/** What there is no allergy of, where that is what is said. */
function noneOf({ code: its }: Allergy): string | undefined {
  return its?.coding?.flatMap((each) => noAllergies[each.code ?? ''] ?? [])[0]
}

function isOver({ clinicalStatus }: Allergy): boolean {
  return clinicalStatus?.coding?.some(({ code: its }) => its === 'resolved' || its === 'inactive') ?? false
}

function onsetOf({ onsetDateTime, onsetPeriod }: Allergy): string | undefined {
  return onsetDateTime ?? onsetPeriod?.start
}
