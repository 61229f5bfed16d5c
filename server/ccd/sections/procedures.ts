/** Procedure Activity Procedure (22.4.14). */
import type * as fhir from 'fhir/r4.js'
import { codeSystemOids, loincSystem, snomedSystem } from '../../contract/fhir/ccda-values.ts'
import { findPractitioner, performer } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { oneRow, refOf, type Section, status, template } from '../section.ts'
import { interval, shownSpan, shownTime, spanOf, time } from '../times.ts'
import { concept, displayText, textOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

const systems = [
  snomedSystem,
  ...['http://www.ama-assn.org/go/cpt', 'http://www.cms.gov/Medicare/Coding/ICD10'].flatMap(
    (each) => codeSystemOids[each] ?? [],
  ),
  loincSystem,
]

/** The words of CDA for these acts. */
const statuses: Readonly<Record<string, string>> = {
  completed: 'completed',
  'not-done': 'cancelled',
  stopped: 'aborted',
}

export const procedures: Section = {
  columns: ['Procedure', 'Status', 'Date', 'By'],
  nothing: 'No procedures on record.',
  async *items(chart) {
    for await (const procedure of chart.read<fhir.Procedure>('Procedure')) {
      const ref = refOf('procedures', procedure)
      const by = await findPractitioner(chart, procedure.performer?.[0]?.actor)
      const { start, end } = spanOf(procedure)
      const notDone = procedure.status === 'not-done'
      yield {
        rows: oneRow(ref, [
          displayText(procedure.code),
          procedure.status,
          start === end ? shownTime(start) : shownSpan({ start, end }),
          by?.name?.[0]?.text ?? '',
        ]),
        entry: () =>
          el(
            'procedure',
            { classCode: 'PROC', moodCode: 'EVN', negationInd: notDone ? true : undefined },
            template('4.14', '2014-06-09'),
            resourceId(chart, procedure),
            concept('code', procedure.code, { ref, prefer: systems }),
            textOf(ref),
            status(statuses[procedure.status] ?? 'active'),
            start === end ? time('effectiveTime', start) : interval('effectiveTime', { start, end }),
            (procedure.bodySite ?? []).map((site) => concept('targetSiteCode', site, { ref })),
            performer(chart, by),
          ),
      }
    }
  },
}

// Non-Medicinal Supply Activity (22.4.50) with a Product Instance (22.4.37) for each device.

type Device = fhir.Device & { id: string }

/** The authority that issues unique device identifiers in the US. */
const foodAndDrugAdministration = '2.16.840.1.113883.3.3719'

export const medicalEquipment: Section = {
  columns: ['Device', 'Identifier', 'Lot', 'Serial number', 'Status', 'Made', 'Expires'],
  nothing: 'No devices on record.',
  async *items(chart) {
    for await (const device of chart.read<fhir.Device>('Device')) {
      const ref = refOf('medicalEquipment', device)
      yield {
        rows: oneRow(ref, [
          nameOf(device),
          carrierOf(device) ?? device.distinctIdentifier ?? '',
          device.lotNumber ?? '',
          device.serialNumber ?? '',
          device.status ?? '',
          shownTime(device.manufactureDate),
          shownTime(device.expirationDate),
        ]),
        entry: () => supply(chart, device, ref),
      }
    }
  },
}

function supply(chart: Chart, device: Device, ref: string): Xml {
  const carrier = carrierOf(device)
  return el(
    'supply',
    { classCode: 'SPLY', moodCode: 'EVN' },
    template('4.50', '2014-06-09'),
    resourceId(chart, device),
    textOf(ref),
    status(device.status === 'active' ? 'active' : 'completed'),
    interval('effectiveTime', {}, { typed: true }),
    el('quantity', { value: 1 }),
    el(
      'participant',
      { typeCode: 'PRD' },
      el(
        'participantRole',
        { classCode: 'MANU' },
        template('4.37'),
        carrier === undefined
          ? resourceId(chart, device)
          : el('id', {
              root: foodAndDrugAdministration,
              extension: carrier,
              assigningAuthorityName: 'FDA',
            }),
        el(
          'playingDevice',
          {},
          concept('code', device.type, { ref, prefer: [snomedSystem] }),
          device.modelNumber !== undefined && el('manufacturerModelName', {}, text(device.modelNumber)),
        ),
        el(
          'scopingEntity',
          {},
          el('id', { root: foodAndDrugAdministration }),
          device.manufacturer !== undefined && el('desc', {}, text(device.manufacturer)),
        ),
      ),
    ),
  )
}

function nameOf({ deviceName, type }: Device): string {
  return deviceName?.[0]?.name ?? displayText(type)
}

function carrierOf({ udiCarrier }: Device): string | undefined {
  return udiCarrier?.[0]?.carrierHRF ?? udiCarrier?.[0]?.deviceIdentifier
}
