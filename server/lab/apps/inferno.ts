/** The apps of the Inferno test kits at an organization's sandbox, and the values that a kit asks for. */
import {
  type InfernoKit,
  type InfernoRole,
  infernoApp,
  infernoClientId,
  infernoKits,
} from '../../contract/lab/inferno-kits.ts'
import { labRoles } from '../../contract/lab/sandbox-changes.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { populationGroupId } from '../../domain/practices/population-group.ts'
import { noLiveness } from '../../store/liveness.ts'
import { letInOnce, registerButtonApp } from './sample-apps.ts'

type Registration = Readonly<{ organizationId: string; kit: InfernoKit; inferno: string }>
type Secrets = Partial<Record<InfernoRole, string>>

/** Values of the sandbox that a kit asks for. @throws Problem `not_found` for who is no member */
export async function describe(core: Core, organizationId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requireRole(core.prisma, { organizationId, accountId }, everyMember)
  const { slug, datasetId } = await sandboxes.ensure(core, organizationId, { writable: false })
  const { population } = await core.store.findPopulation(datasetId, populationGroupId, [], noLiveness)
  return {
    organizationId,
    practice: slug,
    base: core.addresses.fhirBase(slug),
    groupId: populationGroupId,
    patientIds: population?.memberIds ?? [],
  }
}

/**
 * Registers what is missing of a kit's apps, and gives those that are there the addresses of this Inferno. The backend
 * system is let in if an owner or admin presses the button.
 * @returns the secrets of the apps made now; they exist in this response only
 * @throws Problem `not_found` for who is no member, `forbidden` for a viewer
 */
export async function register(core: Core, input: Registration, actor: Actor): Promise<Secrets> {
  const { organizationId, kit, inferno } = input
  await requireRole(core.prisma, { organizationId, accountId: actor.accountId }, labRoles)
  await sandboxes.ensure(core, organizationId, { writable: false })
  const secrets: Secrets = {}
  for (const role of infernoKits[kit].roles) {
    const clientId = infernoClientId(kit, role, organizationId)
    const app = { ...infernoApp(kit, role, inferno), clientId, organizationId }
    const secret = await registerButtonApp(core, app, actor)
    if (secret) secrets[role] = secret
    if (role === 'backend') await letInOnce(core, app, actor)
  }
  return secrets
}
