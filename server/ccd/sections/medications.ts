/** Medication Activity (22.4.16) for every prescription and report, with its dispenses (22.4.18) inside it. */
import type * as fhir from 'fhir/r4.js'
import { actStatuses, codeSystemOids, fillStatuses, loincSystem } from '../../contract/fhir/ccda-values.ts'
import { author, findPractitioner } from '../authors.ts'
import type { Chart } from '../chart.ts'
import { resourceId } from '../identifiers.ts'
import { type Item, refOf, related, type Section, status, template } from '../section.ts'
import { interval, type Span, shownTime, time } from '../times.ts'
import { code, concept, displayText, quantity, reference, shownQuantity, textOf, unitOf } from '../values.ts'
import { el, text, type Xml } from '../xml.ts'

type Request = fhir.MedicationRequest & { id: string }
type Dispense = fhir.MedicationDispense & { id: string }
type Medicine = fhir.CodeableConcept | undefined
type Fill = { readonly dispense: Dispense; readonly medicine: Medicine }

const rxnorm = ['http://www.nlm.nih.gov/research/umls/rxnorm'].flatMap((each) => codeSystemOids[each] ?? [])

export const medications: Section = {
  columns: ['Medication', 'Directions', 'Quantity', 'Status', 'Date', 'Last fill'],
  nothing: 'No information on medications.',
  async *items(chart) {
    const fills = await readFills(chart)
    for await (const request of chart.read<fhir.MedicationRequest>('MedicationRequest')) {
      const key = addressOf(request)
      yield itemOf(chart, request, {
        medicine: await medicineOf(chart, request),
        requester: await findPractitioner(chart, request.requester),
        fills: fills.get(key) ?? [],
      })
      fills.delete(key)
    }
    for (const [last, ...earlier] of fills.values()) if (last) yield dispensed(chart, [last, ...earlier])
  },
}

/**
 * The dispenses of each prescription, newest first, by its address. Those of no prescription in the chart are
 * together when they have the same medicine and the same directions.
 */
async function readFills(chart: Chart): Promise<Map<string, Fill[]>> {
  const all: Fill[] = []
  for await (const dispense of chart.read<fhir.MedicationDispense>('MedicationDispense')) {
    all.push({ dispense, medicine: await medicineOf(chart, dispense) })
  }
  const fills = new Map<string, Fill[]>()
  if (all.length === 0) return fills
  const requests: Prescribed[] = []
  for await (const request of chart.read<fhir.MedicationRequest>('MedicationRequest')) {
    const names = namesOf(await medicineOf(chart, request))
    requests.push({ address: addressOf(request), authoredOn: request.authoredOn ?? '', names })
  }
  const addresses = new Set(requests.map(({ address }) => address))
  for (const fill of all.sort((a, b) => momentOf(b) - momentOf(a))) {
    const named = fill.dispense.authorizingPrescription?.find((each) => addresses.has(each.reference ?? ''))
    const key = named?.reference ?? prescriptionOf(fill, requests)?.address ?? groupOf(fill)
    const together = fills.get(key)
    if (together === undefined) fills.set(key, [fill])
    else together.push(fill)
  }
  return fills
}

/** As much of a prescription as its dispenses are matched by. */
type Prescribed = { address: string; authoredOn: string; names: readonly string[] }

function addressOf({ id }: Request): string {
  return `MedicationRequest/${id}`
}

/** The newest prescription of the same medicine that was written by then; else the first one. */
function prescriptionOf(fill: Fill, requests: readonly Prescribed[]): Prescribed | undefined {
  const names = new Set(namesOf(fill.medicine))
  const same = requests.filter((request) => request.names.some((name) => names.has(name)))
  return same.find(({ authoredOn }) => isBy(authoredOn, whenOf(fill) ?? '')) ?? same.at(-1)
}

/** Compared by what both say of the day: a date may be a year alone. */
function isBy(date: string, limit: string): boolean {
  const known = Math.min(date.length, limit.length, '2026-01-01'.length)
  return known > 0 && date.slice(0, known) <= limit.slice(0, known)
}

/** The codes of a medicine; its text when it has none. */
function namesOf(medicine: Medicine): readonly string[] {
  const codes = (medicine?.coding ?? []).flatMap(({ system = '', code }) =>
    code ? [`${system}|${code}`] : [],
  )
  return codes.length > 0 || !medicine?.text ? codes : [medicine.text]
}

/** A medicine that is not known is not the same as another one. */
function groupOf({ dispense, medicine }: Fill): string {
  const names = namesOf(medicine)
  return names.length === 0 ? dispense.id : JSON.stringify([names, dispense.dosageInstruction?.[0]?.text])
}

function whenOf({ dispense }: Fill): string | undefined {
  return dispense.whenHandedOver ?? dispense.whenPrepared
}

function momentOf(fill: Fill): number {
  return Date.parse(whenOf(fill) ?? '') || 0
}

/** The last one that was handed over; else the last that was to be, and what became of it. */
function shownFill(fills: readonly Fill[], medicine: Medicine): string {
  const last = fills.find(({ dispense }) => dispense.status === 'completed') ?? fills[0]
  if (last === undefined) return ''
  const { status: its, quantity: dispensed } = last.dispense
  return [
    shownTime(whenOf(last)),
    shownQuantity(dispensed),
    its === 'completed' ? '' : its,
    displayText(last.medicine) === displayText(medicine) ? '' : displayText(last.medicine),
  ]
    .filter((each) => each !== '')
    .join(', ')
}

type Known = { medicine: Medicine; requester: Parameters<typeof author>[1]; fills: readonly Fill[] }

function itemOf(chart: Chart, request: Request, { medicine, requester, fills }: Known): Item {
  const ref = refOf('medications', request, '-mr')
  const [dosage] = request.dosageInstruction ?? []
  const cells = [
    displayText(medicine),
    (request.dosageInstruction ?? []).map(({ text: words }) => words ?? '').join('\n'),
    shownQuantity(request.dispenseRequest?.quantity),
    request.status,
    shownTime(request.authoredOn),
    shownFill(fills, medicine),
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
        fills.map((fill) => supply(chart, fill, ref)),
      ),
  }
}

/** What was dispensed without a prescription in the chart has an activity of its own. */
function dispensed(chart: Chart, fills: readonly [Fill, ...Fill[]]): Item {
  const [last] = fills
  const { dispense, medicine } = last
  const ref = refOf('medications', dispense, '-md')
  const first = whenOf(fills.at(-1) ?? last)
  const [dosage] = dispense.dosageInstruction ?? []
  const cells = [
    displayText(medicine),
    dosage?.text ?? '',
    shownQuantity(dispense.quantity),
    `dispensed, ${dispense.status}`,
    shownTime(first),
    shownFill(fills, medicine),
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
        interval('effectiveTime', { start: first }, { typed: true }),
        frequency(dosage?.timing?.repeat),
        dose(dosage?.doseAndRate?.[0]?.doseQuantity),
        consumable(medicine, ref),
        fills.map((fill) => supply(chart, fill, ref)),
      ),
  }
}

/** Medication Dispense (22.4.18). */
function supply(chart: Chart, fill: Fill, ref: string): Xml {
  const { dispense, medicine } = fill
  const its = fillStatuses[dispense.status]
  return related(
    'REFR',
    el(
      'supply',
      { classCode: 'SPLY', moodCode: 'EVN' },
      template('4.18', '2014-06-09'),
      resourceId(chart, dispense),
      its === undefined ? el('statusCode', { nullFlavor: 'UNK' }) : status(its),
      time('effectiveTime', whenOf(fill)),
      dispense.quantity && quantity('quantity', dispense.quantity),
      el('product', {}, product(medicine, ref)),
    ),
  )
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
function dose(quantity: fhir.Quantity | undefined): Xml {
  if (quantity?.value === undefined) return el('doseQuantity', { nullFlavor: 'UNK' })
  const unit = unitOf(quantity)
  return el('doseQuantity', { value: quantity.value, unit: unit?.startsWith('{') ? undefined : unit })
}

/** Patient instruction, as it was written. */
function instructions({ dosageInstruction }: Request, ref: string): Xml | null {
  const words = (dosageInstruction ?? []).flatMap(
    ({ text: each, patientInstruction }) => each ?? patientInstruction ?? [],
  )
  if (words.length === 0) return null
  return related(
    'COMP',
    el(
      'substanceAdministration',
      { classCode: 'SBADM', moodCode: 'EVN' },
      template('4.147'),
      code('code', { code: '76662-6', display: 'Instructions Medication' }, loincSystem),
      el('text', {}, text(words.join('; ')), reference(ref)),
      el(
        'consumable',
        {},
        el('manufacturedProduct', {}, el('manufacturedLabeledDrug', { nullFlavor: 'NA' })),
      ),
    ),
  )
}

async function medicineOf(chart: Chart, order: Request | Dispense): Promise<Medicine> {
  const { medicationCodeableConcept, medicationReference } = order
  if (medicationCodeableConcept !== undefined) return medicationCodeableConcept
  const medicine = await chart.find<fhir.Medication>(medicationReference, 'Medication')
  return medicine?.code ?? (medicationReference?.display ? { text: medicationReference.display } : undefined)
}
