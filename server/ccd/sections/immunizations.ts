/** Immunization Activity (22.4.52); a vaccine that was not given says why (22.4.53). */
import type * as fhir from 'fhir/r4.js'
import { actReasonSystem, codeSystemOids, refusalReasons } from '../../contract/fhir/ccda-values.ts'
import { findPractitioner, performer } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { partId, resourceId } from '../identifiers.ts'
import { observationEvent, oneRow, refOf, related, type Section, status, template } from '../section.ts'
import { shownTime, time } from '../times.ts'
import { code, concept, displayText, shownQuantity, textOf, unitOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

type Immunization = fhir.Immunization & { id: string }

const cvx = ['http://hl7.org/fhir/sid/cvx'].flatMap((each) => codeSystemOids[each] ?? [])

export const immunizations: Section = {
  columns: ['Vaccine', 'Status', 'Date', 'Dose', 'Lot'],
  nothing: 'No immunizations on record.',
  async *items(chart) {
    for await (const immunization of chart.read<fhir.Immunization>('Immunization')) {
      const ref = refOf('immunizations', immunization)
      const by = await findPractitioner(chart, immunization.performer?.[0]?.actor)
      const {
        vaccineCode,
        status: its,
        statusReason,
        occurrenceDateTime,
        doseQuantity,
        lotNumber,
      } = immunization
      const reason = displayText(statusReason)
      yield {
        rows: oneRow(ref, [
          displayText(vaccineCode),
          reason === '' ? its : `${its}: ${reason}`,
          shownTime(occurrenceDateTime) || (immunization.occurrenceString ?? ''),
          shownQuantity(doseQuantity),
          lotNumber ?? '',
        ]),
        entry: () => activity(chart, immunization, by, ref),
      }
    }
  },
}

function activity(
  chart: Chart,
  immunization: Immunization,
  by: Parameters<typeof performer>[1],
  ref: string,
): Xml {
  const { vaccineCode, status: its, occurrenceDateTime, doseQuantity, lotNumber } = immunization
  const isGiven = its === 'completed'
  const unit = doseQuantity && unitOf(doseQuantity)
  return el(
    'substanceAdministration',
    { classCode: 'SBADM', moodCode: 'EVN', negationInd: !isGiven },
    template('4.52', '2015-08-01'),
    resourceId(chart, immunization),
    textOf(ref),
    status('completed'),
    time('effectiveTime', occurrenceDateTime),
    immunization.route && concept('routeCode', immunization.route, { ref }),
    doseQuantity?.value !== undefined &&
      el('doseQuantity', { value: doseQuantity.value, unit: unit?.startsWith('{') ? undefined : unit }),
    el(
      'consumable',
      {},
      el(
        'manufacturedProduct',
        { classCode: 'MANU' },
        template('4.54', '2014-06-09'),
        el(
          'manufacturedMaterial',
          {},
          concept('code', vaccineCode, { ref, prefer: cvx }),
          lotNumber !== undefined && el('lotNumberText', {}, text(lotNumber)),
        ),
      ),
    ),
    performer(chart, by),
    !isGiven && refusal(chart, immunization),
  )
}

function refusal(chart: Chart, immunization: Immunization): Xml {
  const its = immunization.statusReason?.coding?.find((each) =>
    Object.hasOwn(refusalReasons, each.code ?? ''),
  )?.code
  return related(
    'RSON',
    observationEvent(
      template('4.53'),
      partId(chart, immunization, 'reason'),
      its === undefined
        ? concept('code', immunization.statusReason, { prefer: [] })
        : code('code', { code: its, display: refusalReasons[its] as string }, actReasonSystem),
      status('completed'),
    ),
  )
}
