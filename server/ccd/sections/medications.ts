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
    for (const [last, ...earlier] of fills.values()) if (last) yield itemOfFills(chart, [last, ...earlier])
  },
}

/**
 * Dispenses by the reference of their prescription, newest first. Dispenses without a prescription in the chart are
 * grouped by medicine and directions.
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
    const codes = codesOf(await medicineOf(chart, request))
    requests.push({ address: addressOf(request), authoredOn: request.authoredOn ?? '', codes })
  }
  const addresses = new Set(requests.map(({ address }) => address))
  for (const fill of all.sort((a, b) => timestampOf(b) - timestampOf(a))) {
    const named = fill.dispense.authorizingPrescription?.find((each) => addresses.has(each.reference ?? ''))
    const key = named?.reference ?? prescriptionOf(fill, requests)?.address ?? groupOf(fill)
    const group = fills.get(key)
    if (group === undefined) fills.set(key, [fill])
    else group.push(fill)
  }
  return fills
}

/** What a dispense is compared with to find its prescription. */
type Prescribed = { address: string; authoredOn: string; codes: readonly string[] }

function addressOf({ id }: Request): string {
  return `MedicationRequest/${id}`
}

/** The newest prescription of the same medicine that is not later than the dispense; without one, the oldest. */
function prescriptionOf(fill: Fill, requests: readonly Prescribed[]): Prescribed | undefined {
  const codes = new Set(codesOf(fill.medicine))
  const matches = requests.filter((request) => request.codes.some((code) => codes.has(code)))
  return matches.find(({ authoredOn }) => isNotAfter(authoredOn, whenOf(fill) ?? '')) ?? matches.at(-1)
}

/** Compares only the parts that both dates have, because a FHIR date may be a year alone. */
function isNotAfter(date: string, limit: string): boolean {
  const known = Math.min(date.length, limit.length, '2026-01-01'.length)
  return known > 0 && date.slice(0, known) <= limit.slice(0, known)
}

/** The medicine's codes, or its text if it has none. */
function codesOf(medicine: Medicine): readonly string[] {
  const codes = (medicine?.coding ?? []).flatMap(({ system = '', code }) =>
    code ? [`${system}|${code}`] : [],
  )
  return codes.length > 0 || !medicine?.text ? codes : [medicine.text]
}

/** Two unknown medicines never count as the same one. */
function groupOf({ dispense, medicine }: Fill): string {
  const codes = codesOf(medicine)
  return codes.length === 0 ? dispense.id : JSON.stringify([codes, dispense.dosageInstruction?.[0]?.text])
}

function whenOf({ dispense }: Fill): string | undefined {
  return dispense.whenHandedOver ?? dispense.whenPrepared
}

function timestampOf(fill: Fill): number {
  return Date.parse(whenOf(fill) ?? '') || 0
}

/** The last completed dispense; without one, the last dispense and its status. */
function shownFill(fills: readonly Fill[], medicine: Medicine): string {
  const last = fills.find(({ dispense }) => dispense.status === 'completed') ?? fills[0]
  if (last === undefined) return ''
  const { status: fillStatus, quantity: filled } = last.dispense
  return [
    shownTime(whenOf(last)),
    shownQuantity(filled),
    fillStatus === 'completed' ? '' : fillStatus,
    displayText(last.medicine) === displayText(medicine) ? '' : displayText(last.medicine),
  ]
    .filter((each) => each !== '')
    .join(', ')
}

type RequestDetails = { medicine: Medicine; requester: Parameters<typeof author>[1]; fills: readonly Fill[] }

function itemOf(chart: Chart, request: Request, { medicine, requester, fills }: RequestDetails): Item {
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
        interval('effectiveTime', therapyPeriod(request), { typed: true }),
        frequency(dosage?.timing?.repeat),
        dosage?.route && concept('routeCode', dosage.route, { ref }),
        dose(dosage?.doseAndRate?.[0]?.doseQuantity),
        consumable(medicine, ref),
        author(chart, requester, request.authoredOn),
        freeTextSig(request, ref),
        fills.map((fill) => supply(chart, fill, ref)),
      ),
  }
}

/** The Medication Activity of dispenses without a prescription in the chart. */
function itemOfFills(chart: Chart, fills: readonly [Fill, ...Fill[]]): Item {
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
  const code = fillStatuses[dispense.status]
  return related(
    'REFR',
    el(
      'supply',
      { classCode: 'SPLY', moodCode: 'EVN' },
      template('4.18', '2014-06-09'),
      resourceId(chart, dispense),
      code === undefined ? el('statusCode', { nullFlavor: 'UNK' }) : status(code),
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

/** When the patient takes the medicine. The period has an end only if the prescription is no longer active. */
function therapyPeriod({ authoredOn, dispenseRequest, status: requestStatus }: Request): Span {
  const { start, end } = dispenseRequest?.validityPeriod ?? {}
  return { start: start ?? authoredOn, end: requestStatus === 'active' ? undefined : end }
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

/** A dose that is counted, in tablets for example, has no unit. */
function dose(quantity: fhir.Quantity | undefined): Xml {
  if (quantity?.value === undefined) return el('doseQuantity', { nullFlavor: 'UNK' })
  const unit = unitOf(quantity)
  return el('doseQuantity', { value: quantity.value, unit: unit?.startsWith('{') ? undefined : unit })
}

/** Medication Free Text Sig (22.4.147): the directions as the prescriber wrote them. */
function freeTextSig({ dosageInstruction }: Request, ref: string): Xml | null {
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
