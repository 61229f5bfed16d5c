/**
 * Launch values: what a person has open in the EHR, kept ten minutes for the app that they open.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#launch-app-ehr-launch
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken, randomToken } from '../../auth/random-token.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import type { Core } from '../core.ts'

type NewLaunch = Readonly<{
  practiceId: string
  /** Only this app may use it. */
  clientId: string
  patientId: string | null
  encounterId: string | null
  /** Who must sign in; null: anybody who may decide. */
  practitionerId: string | null
  intent?: string | null
  /** The app must show whose record it is itself; false where the EHR's own banner stays in view. */
  needPatientBanner?: boolean
}>

/** The caller has checked that the practice has all of it. @returns what goes to the app once, as `launch` */
export async function createLaunch(
  core: Pick<Core, 'clock' | 'randomBytes'>,
  tx: Prisma.TransactionClient,
  input: NewLaunch,
): Promise<string> {
  const launch = randomToken('launch', core.randomBytes)
  const now = core.clock()
  await tx.launchContext.create({
    data: { ...input, tokenHash: hashToken(launch), createdAt: now, expiresAt: launchEnd(now) },
    select: { id: true },
  })
  return launch
}

export const launchEnd = (now: Date): Date => new Date(now.getTime() + smartLifetimes.launchMinutes * 60_000)

/** The app's own launch address with what it is opened with. */
export function launchUrl(address: string, iss: string, launch: string | null): string {
  const url = new URL(address)
  url.searchParams.set('iss', iss)
  if (launch !== null) url.searchParams.set('launch', launch)
  return url.href
}
