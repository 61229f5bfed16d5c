/** Finds the practice of a SMART URL, and checks its FHIR policy. */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { ClientAudience } from '../clients/client-types.ts'

export const smartPracticeFields = {
  id: true,
  slug: true,
  name: true,
  purpose: true,
  environment: true,
  state: true,
  fhirEnabled: true,
  fhirAudiences: true,
  /** Empty if all types are allowed. */
  fhirTypes: true,
  datasetId: true,
} as const
export type SmartPractice = Prisma.PracticeGetPayload<{ select: typeof smartPracticeFields }>

/** Slugs come from URLs. Other text must not reach the database, which rejects some characters. */
export const practiceSlugPattern = /^[a-z0-9-]{1,128}$/

/** @throws Problem `practice_unknown` */
export async function getSmartPractice(
  db: Pick<PrismaClient, 'practice'>,
  slug: string,
): Promise<SmartPractice> {
  const practice = practiceSlugPattern.test(slug)
    ? await db.practice.findUnique({ where: { slug }, select: smartPracticeFields })
    : null
  if (!practice) throw refuse('practice_unknown')
  return practice
}

/** @throws Problem `fhir_not_enabled`, `audience_not_allowed` */
export function checkFhirAccess(practice: SmartPractice, audience: ClientAudience): void {
  if (practice.state !== 'active' || !practice.fhirEnabled) throw refuse('fhir_not_enabled')
  if (!practice.fhirAudiences.includes(audience)) throw refuse('audience_not_allowed')
}

/** The resource types that the policy allows, for `narrowToTypes`; null for all. */
export function typesLetOut({ fhirTypes }: Pick<SmartPractice, 'fhirTypes'>): readonly string[] | null {
  return fhirTypes.length === 0 ? null : fhirTypes
}
