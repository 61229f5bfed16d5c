/**
 * The current Continuity of Care Document of a patient, made from the chart when it is asked for. C-CDA R2.1,
 * https://www.hl7.org/implement/standards/product_brief.cfm?product_id=492
 */
import type * as fhir from 'fhir/r4.js'
import { confidentialityLevels } from '../contract/fhir/ccda-values.ts'
import { confidentialitySystem } from '../contract/fhir/codes.ts'
import { type KeyAccess, mayRead } from '../contract/keys/key-access.ts'
import { planRead } from '../search/lists.ts'
import { createSingleFlight } from '../store/batch-read.ts'
import { begunWith, type Liveness, noLiveness } from '../store/liveness.ts'
import type { CcdPractice, ChartOptions, ChartStore } from './chart.ts'
import { documentId } from './identifiers.ts'
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
   * In pieces, as they are taken. They fail with a Problem when the credential ends meanwhile. Pieces that no one
   * takes are to be given up with `return`.
   */
  xml(): Pieces
  /** The same for people: an HTML page without scripts. */
  html(): Pieces
}>

/** What is known of the document before it is written. */
export type CcdDescription = Omit<Ccd, 'xml' | 'html'>

export type CcdService = ReturnType<typeof createCcd>

type Dependencies = {
  store: Pick<ChartStore, 'read' | 'chartState'>
  writers: Pick<CcdWriters, 'takePlace'>
  /** Counts a document against its credential. @throws Problem `rate_limited` */
  takeWindow(credential: string): Promise<void>
}

export function createCcd({ store, writers, takeWindow }: Dependencies) {
  const readStateOnce = createSingleFlight<ChartState>()

  /**
   * What is known of the document without writing it.
   * @returns `alive: false` when the credential is not good (any more); `ccd: null` for a patient who is not in the
   * practice
   */
  async function describe(practice: CcdPractice, patientId: string, liveness: Liveness) {
    const { alive, chart } = await readHeader(practice, patientId, liveness)
    return { alive, ccd: chart && describeChart(chart) }
  }

  /**
   * Reads what the header needs; the sections are read as the document is written, out of the data that it began
   * with, whatever the practice has by then. Takes a place for it before anything is read, so that a request without
   * one costs next to nothing; without a document it is given back.
   * @param access what the document is limited to; null: nothing
   * @returns as {@link describe}
   * @throws Problem `rate_limited` or `unavailable` when too many documents are written already
   */
  async function open(
    practice: CcdPractice,
    patientId: string,
    liveness: Liveness,
    access: KeyAccess | null = null,
  ): Promise<{ readonly alive: boolean; readonly ccd: Ccd | null }> {
    const credential = credentialOf(liveness, practice)
    if (liveness.kind !== 'none') await takeWindow(credential)
    const place = writers.takePlace(credential)
    const { alive, chart: whole } = await readHeader(practice, patientId, liveness).catch(
      (thrown: unknown) => {
        place.giveBack()
        throw thrown
      },
    )
    if (whole === null) {
      place.giveBack()
      return { alive, ccd: null }
    }
    const chart =
      access === null || liveness.kind === 'none' ? whole : narrowChart(whole, access, liveness.now)
    const ccd = {
      ...describeChart(chart),
      xml: () => place.write({ format: 'xml', chart }),
      html: () => place.write({ format: 'html', chart }),
    }
    return { alive, ccd }
  }

  async function readHeader(practice: CcdPractice, patientId: string, liveness: Liveness) {
    const { datasetId } = practice
    const { alive, resource: row } = await store.read(datasetId, planRead('Patient', patientId), liveness)
    if (!alive || row === null) return { alive, chart: null }
    const begun = begunWith(liveness)
    const state = await readState(datasetId, row.id, begun)
    if (!state.alive || state.changedAt === null) return { alive: state.alive, chart: null }
    const { changedAt, confidentiality } = state
    const firstAt = state.firstAt !== null && state.firstAt < changedAt ? state.firstAt : changedAt
    const patient = JSON.parse(row.content.toString()) as fhir.Patient & { id: string }
    return { alive, chart: { liveness: begun, practice, patient, changedAt, firstAt, confidentiality } }
  }

  /**
   * It is read once for all who ask for a chart at the same time: a long one takes 40 ms. Each credential was good a
   * statement ago; when the data has gone meanwhile, the question is whether it still is.
   */
  async function readState(datasetId: number, patientId: string, liveness: Liveness): Promise<ChartState> {
    const ask = () => store.chartState(datasetId, patientId, noLiveness)
    const state = await readStateOnce(`${datasetId} ${patientId}`, ask)
    return state.changedAt === null ? store.chartState(datasetId, patientId, liveness) : state
  }

  return { describe, open }
}

/**
 * Dates and label of a chart tell of all that is in it. A document of a part of it has the time at which it was asked
 * for, and an id of its own.
 */
function narrowChart(chart: OpenChart, access: KeyAccess, now: Date): OpenChart {
  const { patient } = chart
  const confidentiality = mayRead(access, 'specially_protected') ? chart.confidentiality : 0
  const { id, resourceType, meta, identifier, generalPractitioner, managingOrganization } = patient
  const stub = { id, resourceType, generalPractitioner, managingOrganization, ...(meta && { meta }) }
  const shown = mayRead(access, 'demographics') ? { ...patient, identifier: undefined } : stub
  return {
    ...chart,
    access,
    patient: { ...shown, ...(mayRead(access, 'identifiers') && { identifier }) } as OpenChart['patient'],
    changedAt: now,
    firstAt: now,
    confidentiality,
  }
}

type ChartState = Awaited<ReturnType<ChartStore['chartState']>>
type OpenChart = Omit<ChartOptions, 'store'>

function describeChart(chart: OpenChart): CcdDescription {
  const { patient, changedAt, firstAt, confidentiality } = chart
  return {
    patientId: patient.id,
    id: documentId(chart),
    changedAt,
    labels: labelsOf(patient, confidentiality),
    period: { start: firstAt, end: changedAt },
  }
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

/** What says that a person is made up, and what is more confidential than usual. */
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
