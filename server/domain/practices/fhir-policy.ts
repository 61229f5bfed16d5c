/** A practice's FHIR policy: whether apps may read, which apps, and which types of records. */
import { isFhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import { cancelShutOut } from '../bulk-exports/cancel-export.ts'
import type { ClientAudience } from '../clients/client-types.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from './practice-role.ts'

export type FhirPolicy = Readonly<{
  enabled: boolean
  /** The audiences whose apps may read. */
  audiences: readonly ClientAudience[]
  /** The resource types that apps may read; null for all. */
  types: readonly string[] | null
}>

/** @throws Problem `not_found` unless the person works at the practice */
export async function get({ prisma }: Core, practiceId: string, actor: Actor): Promise<FhirPolicy> {
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId })
  return toPolicy(await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } }))
}

/**
 * Sets the policy. It applies from the next call on, because the statement that reads checks it. A change that excludes
 * backend systems cancels their running exports.
 * @throws Problem `not_found`, `forbidden` (only admins and signatories), `validation` (an unknown type)
 */
export async function set(
  { prisma, clock, portalAudit }: Core,
  practiceId: string,
  policy: FhirPolicy,
  actor: Actor,
): Promise<void> {
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin', 'signatory'])
  const { types, audiences } = checkFhirPolicy(policy)
  await prisma.$transaction(async (tx) => {
    await tx.practice.update({
      where: { id: practiceId },
      data: {
        fhirEnabled: policy.enabled,
        fhirAudiences: audiences,
        fhirTypes: types,
        version: { increment: 1 },
      },
    })
    const exportsCancelled = await cancelShutOut(tx, { practiceId }, clock())
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.fhir_policy_changed',
      subject: { kind: 'practice', id: practiceId },
      detail: {
        enabled: policy.enabled,
        audiences,
        types: types.length === 0 ? null : types,
        exportsCancelled,
      },
    })
  })
}

/** @throws Problem `validation` (an unknown type, or none) */
function checkFhirPolicy(policy: FhirPolicy): { types: string[]; audiences: ClientAudience[] } {
  const unknown = policy.types?.find((type) => !isFhirType(type))
  if (unknown !== undefined)
    throw new Problem('validation', { field: 'types', message: 'There is no such resource type here.' })
  if (policy.types?.length === 0)
    throw new Problem('validation', {
      field: 'types',
      message: 'Select at least one record type, or turn FHIR access off.',
    })
  return {
    types: [...new Set(policy.types ?? [])].sort(),
    audiences: [...new Set(policy.audiences)].sort(),
  }
}

function toPolicy(row: { fhirEnabled: boolean; fhirAudiences: ClientAudience[]; fhirTypes: string[] }) {
  return {
    enabled: row.fhirEnabled,
    audiences: row.fhirAudiences,
    types: row.fhirTypes.length === 0 ? null : row.fhirTypes,
  }
}
