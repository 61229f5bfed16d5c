/**
 * Simulated launches: what a developer sets up, and what the authorization server then does for it. A simulation is
 * bound to one sandbox app at the organization's own sandbox and is good for one authorize request, or one token of a
 * backend system, within ten minutes. The chosen person is signed in and agrees at once, or signs in on the page.
 */
import type { LaunchSimulation, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { isLaunchFault, type LaunchFault, launchFaultRow } from '../../contract/lab/launch-faults.ts'
import {
  type LaunchKind,
  type LaunchSignIn,
  launchesPerHour,
  launchKindRow,
  launchKinds,
  launchSignIns,
} from '../../contract/lab/launch-lab.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import * as throttle from '../../domain/accounts/throttle.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { createLaunch, launchEnd, launchUrl } from '../../domain/grants/launches.ts'
import { requireRole } from '../../domain/organizations/membership.ts'
import type { SandboxPractice } from '../../domain/practices/organization-sandbox.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { noteStep, type ShownStep, toShownStep } from './exchange-log.ts'
import * as people from './people.ts'

export type NewSimulation = Readonly<{
  organizationId: string
  kind: LaunchKind
  /** Its client ID. */
  app: string
  signIn: LaunchSignIn
  patientId: string | null
  practitionerId: string | null
  encounterId: string | null
  intent: string | null
  needPatientBanner: boolean
  fault: LaunchFault | null
}>

const mayLook = ['viewer', 'developer', 'admin', 'owner'] as const satisfies readonly OrganizationRole[]
const mayStart = ['developer', 'admin', 'owner'] as const satisfies readonly OrganizationRole[]

/** @throws Problem `not_found`, `forbidden`, `validation` naming the field at fault, `rate_limited` */
export async function start(core: Core, input: NewSimulation, actor: Actor) {
  const { prisma, clock, portalAudit, addresses } = core
  const { organizationId, kind, fault } = input
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, mayStart)
  if (!Object.hasOwn(launchKinds, kind)) throw new Problem('validation', { field: 'kind' })
  if (fault !== null && !(isLaunchFault(fault) && launchFaultRow(fault).kinds.includes(kind)))
    throw new Problem('validation', {
      field: 'fault',
      message: 'This fault can’t happen in this kind of launch.',
    })
  const { audience, launched } = launchKindRow(kind)
  const signIn = checkSignIn(input)
  const practice = await sandboxes.ensure(core, organizationId, { writable: false })
  const client = await findApp(core, input, audience)
  const accountId = await findPerson(core, { ...input, signIn }, practice)
  await throttle.takeOrRefuse(
    core,
    [{ rule: 'launchSimulation', subject: [organizationId] }],
    `An organization can start ${launchesPerHour} launches per hour.`,
  )
  const byClinician = audience === 'clinician' && signIn === 'at_once'
  // Anyone who signs in for an app that opens by itself chooses there.
  const patientId = launched || signIn === 'at_once' ? input.patientId : null
  const context = {
    practiceId: practice.id,
    clientId: client.id,
    patientId,
    encounterId: input.encounterId,
    practitionerId: byClinician ? input.practitionerId : null,
    intent: input.intent,
    needPatientBanner: input.needPatientBanner,
  }
  const { id, launch } = await prisma.$transaction(async (tx) => {
    const launch = launched ? await createLaunch(core, tx, context) : null
    const row = await tx.launchSimulation.create({
      data: {
        organizationId,
        practiceId: practice.id,
        clientId: client.id,
        kind,
        fault,
        signIn,
        accountId,
        patientId,
        launchHash: launch === null ? null : hashToken(launch),
        // Anybody knows a public app’s id: only the network of who started it opens its simulation.
        openedFrom: launch !== null ? null : hashToken(actor.ip),
        createdById: actor.accountId,
        createdAt: clock(),
        expiresAt: launchEnd(clock()),
      },
    })
    if (audience === 'backend') await authorizeBackend(core, tx, practice.id, client)
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      practiceId: practice.id,
      action: 'launch_simulation.started',
      subject: { kind: 'launch_simulation', id: row.id },
      detail: { clientId: client.id, kind, fault, signIn, patientId },
    })
    return { id: row.id, launch }
  })
  const iss = addresses.fhirBase(practice.slug)
  if (launch !== null)
    await noteStep(core, id, {
      step: 'launched',
      ok: true,
      sent: { iss, launch },
      came: { patient: patientId, encounter: input.encounterId, intent: input.intent },
    })
  const url = launch !== null && client.launchUrl ? launchUrl(client.launchUrl, iss, launch) : null
  return {
    id,
    clientId: client.id,
    iss,
    launch,
    /** The app's own launch address with both; null where it has none, or begins by itself. */
    url,
  }
}

async function findApp(
  { prisma }: Core,
  { organizationId, app }: NewSimulation,
  audience: 'patient' | 'clinician' | 'backend',
) {
  const client = await prisma.client.findFirst({
    where: { id: app, organizationId, environment: 'sandbox', removedAt: null, suspendedAt: null },
  })
  if (client === null) throw new Problem('not_found')
  if (client.audience !== audience)
    throw new Problem('validation', {
      field: 'app',
      message: `This app is registered for another audience. This launch is for ${audience} apps.`,
    })
  return client
}

/** Systems have no sign-in, whatever the form says. */
function checkSignIn({ kind, signIn }: NewSimulation): LaunchSignIn {
  if (!Object.hasOwn(launchSignIns, signIn)) throw new Problem('validation', { field: 'signIn' })
  return launchKindRow(kind).audience === 'backend' ? 'at_once' : signIn
}

/** @returns the account that signs in at once; null where a person signs in on the page, and for systems */
async function findPerson(core: Core, input: NewSimulation, practice: SandboxPractice) {
  const { kind, signIn, patientId, practitionerId, encounterId, intent } = input
  const { audience, launched } = launchKindRow(kind)
  if (intent !== null && !/^[\w.:/-]{1,200}$/.test(intent))
    throw new Problem('validation', { field: 'intent', message: 'An intent must be a short word or a URL.' })
  if (encounterId !== null) await people.checkEncounter(core, practice, encounterId, patientId)
  if (audience === 'backend') return null
  if (signIn === 'on_page' && !launched) return null
  if (patientId === null) throw new Problem('validation', { field: 'patient', message: 'Choose a patient.' })
  if (signIn === 'on_page') {
    await people.checkPatient(core, practice, patientId)
    return null
  }
  if (audience === 'clinician') {
    if (practitionerId === null)
      throw new Problem('validation', { field: 'clinician', message: 'Choose a person to sign in.' })
    await people.checkPatient(core, practice, patientId)
    return people.loginOfClinician(core, practice, practitionerId)
  }
  return people.loginOfPatient(core, practice, patientId)
}

/**
 * The organization answers for its own sandbox: a system that no one has decided on is allowed there. No one else could
 * answer its request.
 */
async function authorizeBackend(
  { clock }: Core,
  tx: Prisma.TransactionClient,
  practiceId: string,
  { id: clientId, scope }: { id: string; scope: string },
): Promise<void> {
  // Two launches at once create one authorization. Both have inserted a row that refers to the client, so FOR UPDATE
  // would deadlock.
  await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${clientId} FOR NO KEY UPDATE`
  const known = await tx.practiceSystemAuthorization.findUnique({
    where: { practiceId_clientId: { practiceId, clientId } },
  })
  if (known !== null && known.state !== 'requested') return
  const now = clock()
  const grant = await tx.grant.create({
    data: { clientId, practiceId, audience: 'backend', scope, createdAt: now },
  })
  const granted = { state: 'granted', scope, decidedAt: now, grantId: grant.id }
  if (known !== null) {
    await tx.practiceSystemAuthorization.update({
      where: { id: known.id },
      data: { ...granted, version: { increment: 1 } },
    })
    return
  }
  await tx.practiceSystemAuthorization.create({
    data: {
      ...granted,
      practiceId,
      clientId,
      purpose: 'Started by the launch simulator in the organization’s own sandbox.',
      requestedAt: now,
    },
  })
}

/** The newest first, without their steps. @throws Problem `not_found` */
export async function list(core: Core, organizationId: string, actor: Actor, ask: PageAsk = firstPage) {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, mayLook)
  const where: Prisma.LaunchSimulationWhereInput = {
    organizationId,
    ...searchWhere<Prisma.LaunchSimulationWhereInput>(ask.q, (like) => [{ client: { name: like } }]),
  }
  const listed = await readPage(
    ask,
    () => prisma.launchSimulation.count({ where }),
    (window) =>
      prisma.launchSimulation.findMany({
        where,
        include: { client: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        ...window,
      }),
  )
  return { ...listed, rows: listed.rows.map((row) => present(core, row, [])) }
}

/** @throws Problem `not_found` */
export async function get(
  core: Core,
  { organizationId, id }: { organizationId: string; id: string },
  actor: Actor,
) {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, mayLook)
  const row = await prisma.launchSimulation.findFirst({
    where: { id: rowId(id), organizationId },
    include: { client: { select: { name: true } }, steps: { orderBy: { id: 'asc' } } },
  })
  if (row === null) throw new Problem('not_found')
  return present(core, row, row.steps.map(toShownStep))
}

function present(
  { clock }: Core,
  row: LaunchSimulation & { client: { name: string } },
  steps: readonly ShownStep[],
) {
  return {
    id: row.id,
    kind: row.kind as LaunchKind,
    fault: row.fault as LaunchFault | null,
    appName: row.client.name,
    clientId: row.clientId,
    startedAt: row.createdAt,
    // Waits for its app.
    open: row.usedAt === null && row.expiresAt > clock(),
    steps,
  }
}

/** Tick: those that were over by then, with their logs. */
export async function forgetOld({ prisma }: Core, before: Date): Promise<void> {
  const where = { expiresAt: { lte: before } }
  await deleteInBatches((limit) => prisma.launchSimulation.deleteMany({ where, limit }))
}
