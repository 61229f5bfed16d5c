/**
 * Launch values. Each stands for the context that a person has open in the EHR, for ten minutes.
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
  /** The clinician who must sign in; null for any eligible person. */
  practitionerId: string | null
  intent?: string | null
  /** Whether the app must show a patient banner; false if the EHR's own banner stays visible. */
  needPatientBanner?: boolean
}>

/** The caller must check that the practice has the patient and the encounter. @returns the single-use `launch` value */
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

/** The app's launch URL with the parameters of the launch. */
export function launchUrl(address: string, iss: string, launch: string | null): string {
  const url = new URL(address)
  url.searchParams.set('iss', iss)
  if (launch !== null) url.searchParams.set('launch', launch)
  return url.href
}
