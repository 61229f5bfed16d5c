/**
 * The current Continuity of Care Document of a patient, made from the chart when it is asked for. C-CDA R2.1,
 * https://www.hl7.org/implement/standards/product_brief.cfm?product_id=492
 */
import type * as fhir from 'fhir/r4.js'
import { confidentialityLevels } from '../contract/ccda-values.ts'
import { confidentialitySystem } from '../contract/codes.ts'
import { planRead } from '../search/patient-list.ts'
import { begunWith, type Liveness } from '../store/liveness.ts'
import { type CcdPractice, type ChartStore, createChart } from './chart.ts'
import { writeDocument } from './document.ts'
import { documentId } from './identifiers.ts'
import { writePage } from './page.ts'

export type Ccd = Readonly<{
  patientId: string
  /** A UUID: another one as soon as anything in the chart is another. */
  id: string
  /** The document is as of then. */
  changedAt: Date
  /** The care it tells of. */
  period: Readonly<{ start: Date; end: Date }>
  /** Of the patient, how confidential the chart is among them. */
  labels: readonly fhir.Coding[]
  /** In pieces, as they are taken. Fails with a Problem when the credential ends meanwhile. */
  xml(): AsyncGenerator<string, void>
  /** The same for people: an HTML page without scripts. */
  html(): AsyncGenerator<string, void>
}>

export type CcdService = ReturnType<typeof createCcd>

export function createCcd({ store }: { store: ChartStore }) {
  /**
   * Reads what the header needs; the sections are read as the document is written, out of the data that it began
   * with, whatever the practice has by then.
   * @returns `alive: false` when the credential is not good (any more); `ccd: null` for a patient who is not in the
   * practice
   */
  async function openCcd(
    practice: CcdPractice,
    patientId: string,
    liveness: Liveness,
  ): Promise<{ readonly alive: boolean; readonly ccd: Ccd | null }> {
    const { alive, rows } = await store.find(practice.datasetId, planRead('Patient', patientId), liveness)
    const [row] = rows
    if (!alive || row === undefined) return { alive, ccd: null }
    const begun = begunWith(liveness)
    const state = await store.chartState(practice.datasetId, row.id, begun)
    if (!state.alive || state.changedAt === null) return { alive: state.alive, ccd: null }
    const { changedAt, confidentiality } = state
    const firstAt = state.firstAt !== null && state.firstAt < changedAt ? state.firstAt : changedAt
    const patient = JSON.parse(row.content) as fhir.Patient & { id: string }
    const chart = createChart({
      store,
      liveness: begun,
      practice,
      patient,
      changedAt,
      firstAt,
      confidentiality,
    })
    return {
      alive: true,
      ccd: {
        patientId: row.id,
        id: documentId(chart),
        changedAt,
        labels: labelsOf(patient, confidentiality),
        period: { start: firstAt, end: changedAt },
        xml: () => writeDocument(chart),
        html: () => writePage(chart),
      },
    }
  }

  return { open: openCcd }
}

/** What says that somebody is made up, and what is more confidential than usual. */
function labelsOf({ meta }: fhir.Patient, confidentiality: number): fhir.Coding[] {
  const own = (meta?.security ?? []).filter(({ system }) => system !== confidentialitySystem)
  const level = confidentialityLevels[confidentiality]
  return confidentiality === 0 || level === undefined
    ? own
    : [...own, { system: confidentialitySystem, ...level }]
}

/** The whole of a document: for callers who need it in one piece. */
export async function wholeOf(pieces: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all.join('')
}
