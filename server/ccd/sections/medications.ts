/** Medication Activity (22.4.16) for every prescription and report, with what was dispensed (22.4.18) of it. */
import type * as fhir from 'fhir/r4.js'
import { actStatuses, codeSystemOids } from '../../contract/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { type Item, refOf, type Section } from '../section.ts'
import { status, template } from '../templates.ts'
import { interval, type Span, shownTime, time } from '../times.ts'
import { concept, quantity, reference, shown, shownQuantity, textOf, unitOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

type Request = fhir.MedicationRequest & { id: string }
type Dispense = fhir.MedicationDispense & { id: string }
type Medicine = fhir.CodeableConcept | undefined

const rxnorm = ['http://www.nlm.nih.gov/research/umls/rxnorm'].flatMap((each) => codeSystemOids[each] ?? [])

export const medications: Section = {
  columns: ['Medication', 'Directions', 'Quantity', 'Status', 'Date'],
  nothing: 'Nothing is known of medications.',
  async *items(chart) {
    for await (const request of chart.read<fhir.MedicationRequest>('MedicationRequest')) {
      yield itemOf(chart, request, {
        medicine: await medicineOf(chart, request),
        requester: await findPractitioner(chart, request.requester),
      })
    }
    for await (const dispense of chart.read<fhir.MedicationDispense>('MedicationDispense')) {
      yield dispensed(chart, dispense, await medicineOf(chart, dispense))
    }
  },
}

type Known = { medicine: Medicine; requester: Parameters<typeof author>[1] }

function itemOf(chart: Chart, request: Request, { medicine, requester }: Known): Item {
  const ref = refOf('medications', request, '-mr')
  const [dosage] = request.dosageInstruction ?? []
  const cells = [
    shown(medicine),
    (request.dosageInstruction ?? []).map(({ text: words }) => words ?? '').join('\n'),
    shownQuantity(request.dispenseRequest?.quantity),
    request.status,
    shownTime(request.authoredOn),
  ]
  const planned = request.intent !== 'order' || request.status === 'draft'
  return {
    rows: [{ ref, cells }],
    entry: () =>
      el(
        'substanceAdministration',
        { classCode: 'SBADM', moodCode: planned ? 'INT' : 'EVN' },
        template('4.16', '2014-06-09'),
        resourceId(chart, request),
        textOf(ref),
        status(actStatuses[request.status] ?? 'completed'),
        interval('effectiveTime', takenOf(request), { typed: true }),
        frequency(dosage?.timing?.repeat),
        dosage?.route && concept('routeCode', dosage.route, { ref }),
        dose(dosage?.doseAndRate?.[0]?.doseQuantity),
        consumable(medicine, ref),
        author(chart, requester, request.authoredOn),
        instructions(request, ref),
      ),
  }
}

/** A dispense stands in an activity of its own: its prescription may be of elsewhere. */
function dispensed(chart: Chart, dispense: Dispense, medicine: Medicine): Item {
  const ref = refOf('medications', dispense, '-md')
  const when = dispense.whenHandedOver ?? dispense.whenPrepared
  const [dosage] = dispense.dosageInstruction ?? []
  const cells = [
    shown(medicine),
    dosage?.text ?? '',
    shownQuantity(dispense.quantity),
    `dispensed, ${dispense.status}`,
    shownTime(when),
  ]
  return {
    rows: [{ ref, cells }],
    entry: () =>
      el(
        'substanceAdministration',
        { classCode: 'SBADM', moodCode: 'EVN' },
        template('4.16', '2014-06-09'),
        el('id', { nullFlavor: 'NI' }),
        textOf(ref),
        status('completed'),
        interval('effectiveTime', { start: when }, { typed: true }),
        frequency(dosage?.timing?.repeat),
        dose(dosage?.doseAndRate?.[0]?.doseQuantity),
        consumable(medicine, ref),
        el(
          'entryRelationship',
          { typeCode: 'REFR' },
          el(
            'supply',
            { classCode: 'SPLY', moodCode: 'EVN' },
            template('4.18', '2014-06-09'),
            resourceId(chart, dispense),
            status(dispense.status === 'completed' ? 'completed' : 'aborted'),
            time('effectiveTime', when),
            dispense.quantity && quantity('quantity', dispense.quantity),
            el('product', {}, product(medicine, ref)),
          ),
        ),
      ),
  }
}

function consumable(medicine: Medicine, ref: string): Xml {
  return el('consumable', {}, product(medicine, ref))
}

function product(medicine: Medicine, ref: string): Xml {
  return el(
    'manufacturedProduct',
    { classCode: 'MANU' },
    template('4.23', '2014-06-09'),
    el('manufacturedMaterial', {}, concept('code', medicine, { ref, prefer: rxnorm })),
  )
}

/** From when it is to be taken, and until when where it has ended. */
function takenOf({ authoredOn, dispenseRequest, status: its }: Request): Span {
  const { start, end } = dispenseRequest?.validityPeriod ?? {}
  return { start: start ?? authoredOn, end: its === 'active' ? undefined : end }
}

/** Hours, days, weeks and the like are UCUM already. https://hl7.org/fhir/R4/valueset-units-of-time.html */
function frequency(repeat: fhir.TimingRepeat | undefined): Xml | null {
  const { frequency: times, period, periodUnit } = repeat ?? {}
  if (times === undefined || times <= 0 || period === undefined || periodUnit === undefined) return null
  const value = Number((period / times).toPrecision(6))
  return el(
    'effectiveTime',
    { 'xsi:type': 'PIVL_TS', institutionSpecified: true, operator: 'A' },
    el('period', { value, unit: periodUnit }),
  )
}

/** What is counted, as tablets are, has no unit. */
function dose(given: fhir.Quantity | undefined): Xml {
  if (given?.value === undefined) return el('doseQuantity', { nullFlavor: 'UNK' })
  const unit = unitOf(given)
  return el('doseQuantity', { value: given.value, unit: unit?.startsWith('{') ? undefined : unit })
}

/** Patient instruction, as it was written. */
function instructions({ dosageInstruction }: Request, ref: string): Xml | null {
  const words = (dosageInstruction ?? []).flatMap(
    ({ text: each, patientInstruction }) => each ?? patientInstruction ?? [],
  )
  if (words.length === 0) return null
  return el(
    'entryRelationship',
    { typeCode: 'COMP' },
    el(
      'substanceAdministration',
      { classCode: 'SBADM', moodCode: 'EVN' },
      template('4.147'),
      el('code', {
        code: '76662-6',
        codeSystem: '2.16.840.1.113883.6.1',
        codeSystemName: 'LOINC',
        displayName: 'Instructions Medication',
      }),
      el('text', {}, text(words.join('; ')), reference(ref)),
      el(
        'consumable',
        {},
        el('manufacturedProduct', {}, el('manufacturedLabeledDrug', { nullFlavor: 'NA' })),
      ),
    ),
  )
}

async function medicineOf(chart: Chart, given: Request | Dispense): Promise<Medicine> {
  const { medicationCodeableConcept, medicationReference } = given
  if (medicationCodeableConcept !== undefined) return medicationCodeableConcept
  const medicine = await chart.find<fhir.Medication>(medicationReference, 'Medication')
  return medicine?.code ?? (medicationReference?.display ? { text: medicationReference.display } : undefined)
}
