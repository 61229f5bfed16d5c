/**
 * EHR launches: what a clinician has in front of them, kept ten minutes for the app they open.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch
 */
import { hashToken, randomToken } from '../../auth/random-token.ts'
import type { FhirType } from '../../contract/fhir/registry.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Actor } from '../actor.ts'
import { checkClientAtPractice } from '../clients/client-at-practice.ts'
import type { Core } from '../core.ts'
import { smartPracticeFields } from '../practices/fhir-access.ts'

type NewLaunch = Readonly<{
  practiceId: string
  clientId: string
  patientId: string | null
  encounterId: string | null
  intent?: string | null
  /** The app must show whose record it is itself; false where the EHR's own banner stays in view. */
  needPatientBanner?: boolean
}>

type Launch = Readonly<{
  /** Goes to the app once, as `launch`. */
  launch: string
  iss: string
  /** The app's own launch address with both; null when it registered none. */
  url: string | null
  expiresAt: Date
}>

/**
 * @throws Problem `not_found` (practice, app, patient or visit that the clinician does not have there),
 *   `validation` (an intent of the wrong form, a visit of another patient)
 */
export async function create(core: Core, input: NewLaunch, actor: Actor): Promise<Launch> {
  const { prisma, randomBytes, clock, portalAudit, addresses } = core
  const practice = await prisma.practice.findFirst({
    where: { id: input.practiceId },
    select: smartPracticeFields,
  })
  const clinician = await prisma.practiceMembership.findFirst({
    where: {
      practiceId: input.practiceId,
      accountId: actor.accountId,
      role: 'clinician',
      practitionerId: { not: null },
      account: { disabledAt: null },
    },
  })
  const client = await prisma.client.findFirst({
    where: { id: input.clientId, removedAt: null, suspendedAt: null, audience: 'clinician' },
  })
  if (!practice || !clinician || client?.environment !== practice.environment) throw new Problem('not_found')
  await checkClientAtPractice(prisma, client, practice)
  await checkContext(core, practice.datasetId, input)
  const intent = input.intent ?? null
  if (intent !== null && !/^[\w.:/-]{1,200}$/.test(intent))
    throw new Problem('validation', { field: 'intent', message: 'An intent is a short word or URL.' })
  const launch = randomToken('launch', randomBytes)
  const now = clock()
  const expiresAt = new Date(now.getTime() + smartLifetimes.launchMinutes * 60_000)
  await prisma.$transaction(async (tx) => {
    const { id } = await tx.launchContext.create({
      data: {
        tokenHash: hashToken(launch),
        practiceId: practice.id,
        clientId: client.id,
        patientId: input.patientId,
        encounterId: input.encounterId,
        practitionerId: clinician.practitionerId,
        intent,
        needPatientBanner: input.needPatientBanner ?? true,
        createdAt: now,
        expiresAt,
      },
      select: { id: true },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId: practice.id,
      action: 'launch.created',
      subject: { kind: 'launch', id },
      detail: { clientId: client.id, patientId: input.patientId, encounterId: input.encounterId },
    })
  })
  const iss = addresses.fhirBase(practice.slug)
  return { launch, iss, url: client.launchUrl && launchUrl(client.launchUrl, iss, launch), expiresAt }
}

async function checkContext(
  core: Core,
  datasetId: number,
  { patientId, encounterId }: Pick<NewLaunch, 'patientId' | 'encounterId'>,
): Promise<void> {
  if (patientId !== null && (await read(core, datasetId, 'Patient', patientId)) === null)
    throw new Problem('not_found')
  if (encounterId === null) return
  const text = await read(core, datasetId, 'Encounter', encounterId)
  if (text === null) throw new Problem('not_found')
  const { subject } = JSON.parse(text) as { subject?: { reference?: string } }
  if (subject?.reference !== `Patient/${patientId}`)
    throw new Problem('validation', { field: 'encounterId', message: 'The visit is not of this patient.' })
}

async function read({ store }: Core, datasetId: number, type: FhirType, id: string): Promise<string | null> {
  if (id.length > limits.resourceIdMax || id.includes('\0')) return null
  const { resource } = await store.read(datasetId, planRead(type, id), noLiveness)
  return resource?.content ?? null
}

function launchUrl(address: string, iss: string, launch: string): string {
  const url = new URL(address)
  url.searchParams.set('iss', iss)
  url.searchParams.set('launch', launch)
  return url.href
}
