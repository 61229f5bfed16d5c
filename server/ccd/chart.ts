/**
 * A chart as its document reads it: type by type, newest first, a page at a time, so that no chart is too long. Every
 * statement asks whether the credential is good; a stream whose credential dies ends there.
 */
import type * as fhir from 'fhir/r4.js'
import { type FhirType, isFhirType, registryRow } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import { classesOf } from '../contract/keys/class-coverage.ts'
import { type KeyAccess, mayRead } from '../contract/keys/key-access.ts'
import { criteriaOfClasses } from '../search/access.ts'
import { planRead } from '../search/lists.ts'
import type { Criterion, Position } from '../search/plan.ts'
import type { Liveness } from '../store/liveness.ts'
import type { Store } from '../store/store.ts'

/** Whose chart it is. */
export interface CcdPractice {
  readonly slug: string
  readonly name: string
  readonly datasetId: number
}

export interface Chart {
  readonly practice: CcdPractice
  readonly patient: fhir.Patient & { id: string }
  /** When anything in it last changed: the document is as of then. */
  readonly changedAt: Date
  /** The earliest care in it. */
  readonly firstAt: Date
  /** A place in the list of the contract. */
  readonly confidentiality: number
  /** What it is limited to; null or left out: nothing. */
  readonly access?: KeyAccess | null
  /** Everything of a type that is not entered in error; `criteria` all hold. */
  read<Resource extends fhir.FhirResource>(
    type: Resource['resourceType'] & FhirType,
    criteria?: readonly Criterion[],
  ): AsyncGenerator<Resource & { id: string }, void>
  /** The same by the page, for what there may be very much of. */
  readPages<Resource extends fhir.FhirResource>(
    type: Resource['resourceType'] & FhirType,
    criteria?: readonly Criterion[],
  ): AsyncGenerator<(Resource & { id: string })[], void>
  /** Asks again whether the credential is good, where text that was read before is sent. */
  confirm(): Promise<void>
  /** What a reference leads to: in this chart or outside of all; null for anything else. */
  find<Resource extends fhir.FhirResource>(
    reference: fhir.Reference | undefined,
    type: Resource['resourceType'] & FhirType,
  ): Promise<(Resource & { id: string }) | null>
}

const pageRows = 500

export type ChartStore = Pick<Store, 'search' | 'read' | 'chartState' | 'isAlive'>

export type ChartOptions = Pick<
  Chart,
  'practice' | 'patient' | 'changedAt' | 'firstAt' | 'confidentiality' | 'access'
> & {
  readonly store: ChartStore
  readonly liveness: Liveness
}

type FoundPage = Awaited<ReturnType<ChartStore['search']>>
type AnyResource = fhir.FhirResource & { id: string }

export function createChart({ store, liveness, ...known }: ChartOptions): Chart {
  const { practice, patient, access = null } = known
  const { datasetId } = practice
  const found = new Map<string, Promise<AnyResource | null>>()

  async function* read(type: FhirType, criteria?: readonly Criterion[]): AsyncGenerator<AnyResource, void> {
    for await (const page of readPages(type, criteria)) yield* page
  }

  /** The database reads the next page while this one is written. */
  async function* readPages(
    type: FhirType,
    criteria: readonly Criterion[] = [],
  ): AsyncGenerator<AnyResource[], void> {
    const ofClasses = criteriaOfClasses(type, access?.classes ?? null)
    if (ofClasses === null) return
    const all = [...criteria, ...ofClasses]
    let coming: Promise<FoundPage> | null = readPage(type, all, null)
    while (coming !== null) {
      const { alive, matches, next }: FoundPage = await coming
      if (!alive) throw ended()
      coming = next === null ? null : readPage(type, all, next)
      // A caller that stops reading early never waits for it.
      coming?.catch(() => {})
      yield matches
        .map(({ content }) => JSON.parse(content.toString()) as AnyResource)
        .filter((resource) => !isWrong(resource))
    }
  }

  function readPage(type: FhirType, criteria: readonly Criterion[], after: Position | null) {
    return store.search(
      datasetId,
      {
        visible: { type, patientId: patient.id, codes: null },
        criteria,
        sort: { by: 'date', descending: true },
        count: pageRows,
        after,
        includes: [],
      },
      liveness,
    )
  }

  async function confirm(): Promise<void> {
    if (!(await store.isAlive(datasetId, liveness))) throw ended()
  }

  async function find(reference: fhir.Reference | undefined, wanted: FhirType): Promise<AnyResource | null> {
    const [type = '', id, ...more] = reference?.reference?.split('/') ?? []
    if (type !== wanted || id === undefined || more.length > 0 || !isFhirType(type)) return null
    if (type === 'Patient') return id === patient.id ? patient : null
    const key = `${type}/${id}`
    const known = found.get(key)
    if (known !== undefined) return known
    const reading = readOne(type, id)
    found.set(key, reading)
    return reading
  }

  async function readOne(type: FhirType, id: string): Promise<AnyResource | null> {
    const { alive, resource: row } = await store.read(datasetId, planRead(type, id), liveness)
    if (!alive) throw ended()
    const resource = row && (JSON.parse(row.content.toString()) as AnyResource)
    return resource !== null && isVisible(resource) ? resource : null
  }

  /** A chart may refer into another one, which stays closed. */
  function isVisible(resource: AnyResource): boolean {
    if (!classesOf(resource).every((each) => mayRead(access, each))) return false
    const { compartment } = registryRow(resource.resourceType as FhirType)
    if (compartment === null) return true
    const { patient: of, subject } = resource as { patient?: fhir.Reference; subject?: fhir.Reference }
    return (of ?? subject)?.reference === `Patient/${patient.id}`
  }

  return {
    ...known,
    read: read as Chart['read'],
    readPages: readPages as Chart['readPages'],
    confirm,
    find: find as Chart['find'],
  }
}

/** The answer has begun: all that is left is to break it off. */
function ended(): Problem {
  return new Problem('unavailable', {
    detail: 'the credential ended while the document was written',
    retryAfterSeconds: 1,
  })
}

const wrong = 'entered-in-error'

/** https://hl7.org/fhir/R4/codesystem-observation-status.html and its like: not to be relied on. */
function isWrong(resource: AnyResource): boolean {
  const { status, docStatus, lifecycleStatus, verificationStatus } = resource as {
    status?: unknown
    docStatus?: unknown
    lifecycleStatus?: unknown
    verificationStatus?: fhir.CodeableConcept
  }
  return (
    status === wrong ||
    docStatus === wrong ||
    lifecycleStatus === wrong ||
    (verificationStatus?.coding?.some(({ code }) => code === wrong) ?? false)
  )
}
