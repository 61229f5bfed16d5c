/** The document in pieces: header, then section by section, so that no chart is too long to be sent. */
import { type CcdaSectionKey, ccdaSections } from '../contract/fhir/ccda-sections.ts'
import { loincSystem } from '../contract/fhir/ccda-values.ts'
import { ccdaSectionClass } from '../contract/keys/class-coverage.ts'
import { mayRead } from '../contract/keys/key-access.ts'
import type { Chart } from './chart.ts'
import { writeHeader } from './header.ts'
import { newTemplate, type Row, type Section, template } from './section.ts'
import { allergies } from './sections/allergies.ts'
import { careTeams } from './sections/care-teams.ts'
import { encounters } from './sections/encounters.ts'
import { immunizations } from './sections/immunizations.ts'
import { medications } from './sections/medications.ts'
import { notes } from './sections/notes.ts'
import { payers } from './sections/payers.ts'
import { goals, planOfTreatment } from './sections/plan-of-treatment.ts'
import { healthConcerns, problems } from './sections/problems.ts'
import { medicalEquipment, procedures } from './sections/procedures.ts'
import { results } from './sections/results.ts'
import { functionalStatus, socialHistory } from './sections/social-history.ts'
import { vitalSigns } from './sections/vital-signs.ts'
import { createSpool } from './spool.ts'
import { code } from './values.ts'
import { type Child, close, el, join, open, text, type Xml } from './xml.ts'

export async function* writeDocument(chart: Chart): AsyncGenerator<string, void> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield open('ClinicalDocument', {
    xmlns: 'urn:hl7-org:v3',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xmlns:sdtc': 'urn:hl7-org:sdtc',
  })
  yield await writeHeader(chart)
  yield join([open('component', {}), open('structuredBody', {})])
  for (const key of Object.keys(ccdaSections) as CcdaSectionKey[]) yield* writeSection(chart, key)
  yield join([close('structuredBody'), close('component'), close('ClinicalDocument')])
  yield '\n'
}

/** In place of what its reader may not have. */
export const withheldSection =
  'Left out: the practice does not allow this data class. There may be entries or none.'

/** Of a narrative, in one piece. */
const chunkCharacters = 16 * 1024

/** The narrative stands before the entries, and the chart is read once: entries wait until it is written. */
async function* writeSection(chart: Chart, key: CcdaSectionKey): AsyncGenerator<Xml, void> {
  if (!mayRead(chart.access ?? null, ccdaSectionClass[key])) {
    // https://hl7.org/fhir/R4/v3/NullFlavor/cs.html: there may be something, and it is not given.
    yield join([openSection(key, { nullFlavor: 'MSK' }), el('text', {}, text(withheldSection))])
    yield join([close('section'), close('component')])
    return
  }
  const section = sections[key]
  const entries = createSpool()
  let isEmpty = true
  let chunk = ''
  for await (const { rows, entry } of section.items(chart)) {
    if (isEmpty) chunk = join([openSection(key, {}), openTable(section)])
    isEmpty = false
    for (const row of rows) chunk += tableRow(row)
    if (chunk.length >= chunkCharacters) {
      yield chunk as Xml
      chunk = ''
    }
    const written = entry()
    if (written === null) continue
    entries.add(el('entry', { typeCode: 'DRIV' }, written))
    if (entries.isFull()) await entries.pack()
  }
  if (isEmpty) {
    yield join([openSection(key, { nullFlavor: 'NI' }), el('text', {}, text(section.nothing))])
  } else {
    yield join([chunk as Xml, closeTable])
    for await (const piece of entries.pieces()) {
      if (entries.isLong()) await chart.confirm()
      yield piece as Xml
    }
  }
  yield join([close('section'), close('component')])
}

function openSection(key: CcdaSectionKey, attributes: { nullFlavor?: string }): Xml {
  const { root, extension, title, code: its, display } = ccdaSections[key]
  return join([
    open('component', {}),
    open('section', attributes),
    // Sections newer than R1.1 are of one version alone.
    extension !== null && extension > '2016' ? newTemplate(root, extension) : template(root, extension),
    code('code', { code: its, display }, loincSystem),
    el('title', {}, text(title)),
  ])
}

function openTable({ columns }: Section): Xml {
  const heads = columns.map((column) => el('th', {}, text(column)))
  return join([
    open('text', {}),
    open('table', { border: '1', width: '100%' }),
    el('thead', {}, el('tr', {}, heads)),
    open('tbody', {}),
  ])
}

const closeTable = join([close('tbody'), close('table'), close('text')])

function tableRow({ ref, cells }: Row): Xml {
  return el(
    'tr',
    { ID: ref },
    cells.map((cell) => el('td', {}, lines(cell))),
  )
}

function lines(cell: string): Child {
  if (!/[\r\n]/.test(cell)) return text(cell)
  return cell
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => (index === 0 ? [text(line)] : [el('br', {}), text(line)]))
}

// The sections of the document; a row of the contract without one does not compile.

export const sections: Readonly<Record<CcdaSectionKey, Section>> = {
  allergies,
  medications,
  problems,
  results,
  socialHistory,
  vitalSigns,
  procedures,
  immunizations,
  encounters,
  planOfTreatment,
  goals,
  healthConcerns,
  careTeams,
  medicalEquipment,
  functionalStatus,
  payers,
  notes,
}
