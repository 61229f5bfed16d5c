/**
 * Reading the people of an organization's sandbox, for the pages of its laboratory: by the list of the REST operation
 * and by FHIR searches, out of one dataset. Nothing leaves before the practice's record of access says who looked.
 */
import type { AccessRow } from '../../audit/log-rows.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import type { Access } from '../../search/access.ts'
import { compileSearch, type Parameter } from '../../search/compile.ts'
import { planRead } from '../../search/lists.ts'
import type { NamePlan } from '../../search/plan.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { FoundText } from '../../store/search.ts'
import { getOwnSandbox, type OwnSandbox } from './changes.ts'

export type Found = Readonly<{ matches: readonly FoundText[]; included: readonly FoundText[]; total: number }>

/** https://hl7.org/fhir/R4/datatypes.html#id */
const idPattern = /^[A-Za-z0-9\-.]{1,64}$/

/** What was shown. */
type Shown = Pick<AccessRow, 'action' | 'patientId' | 'patientIds' | 'count'> &
  Readonly<{ resourceType: FhirType }>

/** @throws Problem `not_found`, `forbidden`: who is no member, a viewer, an organization without a sandbox */
export const getSandbox = ({ prisma }: Core, organizationId: string, { accountId }: Actor) =>
  getOwnSandbox(prisma, { organizationId, accountId })

/** A FHIR search in one chart, the newest first. */
export async function search(
  { clock, store }: Core,
  { datasetId }: Pick<OwnSandbox, 'datasetId'>,
  type: FhirType,
  patientId: string,
  parameters: readonly Parameter[],
): Promise<Found> {
  const { plan } = compileSearch({
    access: accessTo(type, patientId),
    parameters: [[type === 'Patient' ? '_id' : 'patient', patientId], ...parameters],
    handling: 'strict',
    base: '',
    now: clock(),
    after: null,
    accessTo: (included) => accessTo(included, null),
    rowOf: await store.offeredRows(),
  })
  const { matches, included, total } = await store.search(datasetId, plan, noLiveness)
  return { matches, included, total: total ?? matches.length }
}

/** The text of a patient. @throws Problem `not_found` */
export async function getPatient(core: Core, sandbox: OwnSandbox, patientId: string): Promise<Buffer> {
  if (!idPattern.test(patientId)) throw new Problem('not_found')
  const plan = planRead('Patient', patientId)
  const { resource } = await core.store.read(sandbox.datasetId, plan, noLiveness)
  if (resource === null) throw new Problem('not_found')
  return resource.content
}

export const list = ({ store }: Core, sandbox: OwnSandbox, plan: NamePlan) =>
  store.search(sandbox.datasetId, plan, noLiveness)

/** @throws Problem `unavailable`: nothing may be shown then */
export async function record({ recorder, clock }: Core, sandbox: OwnSandbox, actor: Actor, shown: Shown) {
  await recorder.commit({
    access: {
      ...shown,
      at: clock(),
      practiceId: sandbox.id,
      principalKind: 'session',
      principalId: actor.accountId,
      purpose: 'operations',
      outcome: 'served',
      correlationId: actor.correlationId,
    },
  })
}

/** Who builds sees all of the organization's sandbox, one chart at a time. */
function accessTo(type: FhirType, patientId: string | null): Access {
  return { type, grants: [{ patientId, filter: null }], patientId, needsPatient: false }
}
