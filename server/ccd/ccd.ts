/**
 * The current Continuity of Care Document of a patient, made from the chart when it is asked for. C-CDA R2.1,
 * https://www.hl7.org/implement/standards/product_brief.cfm?product_id=492
 */
import type * as fhir from 'fhir/r4.js'
import { confidentialityLevels } from '../contract/fhir/ccda-values.ts'
import { confidentialitySystem } from '../contract/fhir/codes.ts'
import { planRead } from '../search/lists.ts'
import { begunWith, type Liveness } from '../store/liveness.ts'
import type { CcdPractice, ChartStore } from './chart.ts'
import { documentId } from './identifiers.ts'
import type { CcdFormat } from './writer-messages.ts'
import type { CcdWriters, Pieces } from './writers.ts'

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
  /**
   * In pieces, as they are taken. They fail with a Problem when the credential ends meanwhile. Pieces that nobody
   * takes are to be given up with `return`.
   * @throws Problem `rate_limited` or `unavailable` when too many documents are written already
   */
  xml(): Promise<Pieces>
  /** The same for people: an HTML page without scripts. */
  html(): Promise<Pieces>
}>

export type CcdService = ReturnType<typeof createCcd>

type Dependencies = {
  store: Pick<ChartStore, 'read' | 'chartState'>
  writers: Pick<CcdWriters, 'write'>
  /** Counts a document against its credential. @throws Problem `rate_limited` */
  takeWindow(credential: string): Promise<void>
}

export function createCcd({ store, writers, takeWindow }: Dependencies) {
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
    const plan = planRead('Patient', patientId)
    const { alive, resource: row } = await store.read(practice.datasetId, plan, liveness)
    if (!alive || row === null) return { alive, ccd: null }
    const begun = begunWith(liveness)
    const state = await store.chartState(practice.datasetId, row.id, begun)
    if (!state.alive || state.changedAt === null) return { alive: state.alive, ccd: null }
    const { changedAt, confidentiality } = state
    const firstAt = state.firstAt !== null && state.firstAt < changedAt ? state.firstAt : changedAt
    const patient = JSON.parse(row.content) as fhir.Patient & { id: string }
    const chart = { liveness: begun, practice, patient, changedAt, firstAt, confidentiality }
    const credential = credentialOf(liveness, practice)
    const write = async (format: CcdFormat) => {
      if (liveness.kind !== 'none') await takeWindow(credential)
      return writers.write({ format, chart }, credential)
    }
    return {
      alive: true,
      ccd: {
        patientId: row.id,
        id: documentId(chart),
        changedAt,
        labels: labelsOf(patient, confidentiality),
        period: { start: firstAt, end: changedAt },
        xml: () => write('xml'),
        html: () => write('html'),
      },
    }
  }

  return { open: openCcd }
}

/** Whose documents are counted together. */
function credentialOf(liveness: Liveness, practice: CcdPractice): string {
  switch (liveness.kind) {
    case 'api_key':
      return liveness.keyId
    case 'smart_token':
      return liveness.tokenId
    case 'none':
      return `practice ${practice.slug}`
  }
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
