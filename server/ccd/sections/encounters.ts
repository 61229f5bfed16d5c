/** Encounter Activity (22.4.49) with its place (22.4.32) and its diagnoses (22.4.80). */
import type * as fhir from 'fhir/r4.js'
import { loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import { findPractitioner, performer } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { addresses, telecoms } from '../people.ts'
import { actEvent, observationEvent, oneRow, refOf, related, type Section, template } from '../section.ts'
import { interval, shownSpan } from '../times.ts'
import { code, concept, displayText, textOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'
import { type Condition, isOf, problemObservation, shownCourse } from './problems.ts'

type Encounter = fhir.Encounter & { id: string }
type Known = {
  by: Parameters<typeof performer>[1]
  place: (fhir.Location & { id: string }) | null
  diagnoses: readonly Condition[]
}

export const encounters: Section = {
  columns: ['Encounter', 'Reason', 'Diagnoses', 'Date', 'With', 'Place'],
  nothing: 'No encounters on record.',
  async *items(chart) {
    const diagnoses = await readDiagnoses(chart)
    for await (const encounter of chart.read<fhir.Encounter>('Encounter')) {
      const ref = refOf('encounters', encounter)
      const known: Known = {
        by: await findPractitioner(
          chart,
          encounter.participant?.find(({ individual }) => individual)?.individual,
        ),
        place: await chart.find<fhir.Location>(encounter.location?.[0]?.location, 'Location'),
        diagnoses: diagnoses.get(`Encounter/${encounter.id}`) ?? [],
      }
      yield {
        rows: oneRow(ref, [
          displayText(typeOf(encounter)),
          (encounter.reasonCode ?? []).map(displayText).join('\n'),
          known.diagnoses.map(shownDiagnosis).join('\n'),
          shownSpan(encounter.period ?? {}),
          known.by?.name?.[0]?.text ?? '',
          known.place?.name ?? '',
        ]),
        entry: () => activity(chart, encounter, known, ref),
      }
    }
  },
}

/** Conditions that were found at one encounter, by its reference. */
async function readDiagnoses(chart: Chart): Promise<ReadonlyMap<string, readonly Condition[]>> {
  const diagnoses = new Map<string, Condition[]>()
  for await (const condition of chart.read<fhir.Condition>('Condition')) {
    const at = condition.encounter?.reference
    if (at === undefined || !isOf(condition, 'encounter-diagnosis')) continue
    diagnoses.set(at, [...(diagnoses.get(at) ?? []), condition])
  }
  return diagnoses
}

function shownDiagnosis(condition: Condition): string {
  const { since, until } = shownCourse(condition)
  const course = [since && `since ${since}`, until && `until ${until}`].filter((each) => each !== '')
  return displayText(condition.code) + (course.length > 0 ? ` (${course.join(', ')})` : '')
}

/** Its kind; without one, whether it was ambulatory, an emergency, a stay. */
function typeOf({ type, class: its }: Encounter): fhir.CodeableConcept {
  return type?.[0] ?? { coding: [its] }
}

function activity(chart: Chart, encounter: Encounter, { by, place, diagnoses }: Known, ref: string): Xml {
  const disposition = encounter.hospitalization?.dischargeDisposition
  return el(
    'encounter',
    { classCode: 'ENC', moodCode: 'EVN' },
    template('4.49', '2015-08-01'),
    resourceId(chart, encounter),
    concept('code', typeOf(encounter), { ref }),
    textOf(ref),
    interval('effectiveTime', encounter.period ?? {}),
    disposition && concept('sdtc:dischargeDispositionCode', disposition),
    performer(chart, by),
    place && location(place),
    (encounter.reasonCode ?? []).map((reason) => indication(chart, encounter, reason, ref)),
    diagnoses.map((condition) => diagnosis(chart, condition, ref)),
  )
}

/** https://terminology.hl7.org/ template 22.4.32; the kind of place is not said in FHIR's codes. */
function location(place: fhir.Location): Xml {
  return el(
    'participant',
    { typeCode: 'LOC' },
    el(
      'participantRole',
      { classCode: 'SDLOC' },
      template('4.32'),
      el('code', { nullFlavor: 'UNK' }),
      place.address && addresses([place.address]),
      telecoms(place.telecom),
      el('playingEntity', { classCode: 'PLC' }, el('name', {}, text(place.name ?? ''))),
    ),
  )
}

/** Indication (22.4.19): why a person came. */
function indication(chart: Chart, encounter: Encounter, reason: fhir.CodeableConcept, ref: string): Xml {
  return related(
    'RSON',
    observationEvent(
      template('4.19', '2014-06-09'),
      resourceId(chart, encounter),
      code('code', { code: '404684003', display: 'Clinical finding (finding)' }, snomedSystem, {
        children: [code('translation', { code: '75321-0', display: 'Clinical finding' }, loincSystem)],
      }),
      el('statusCode', { code: 'completed' }),
      concept('value', reason, { typed: true, ref, prefer: [snomedSystem] }),
    ),
  )
}

function diagnosis(chart: Chart, condition: Condition, ref: string): Xml {
  return related(
    'COMP',
    actEvent(
      template('4.80', '2015-08-01'),
      code('code', { code: '29308-4', display: 'Diagnosis' }, loincSystem),
      related('SUBJ', problemObservation(chart, condition, { ref, part: 'diagnosis' })),
    ),
  )
}
