/** The launch simulator as one: set up by developers, met by the authorization server. */
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import * as people from './people.ts'

export { forgetOld, get, list, start } from './simulations.ts'

async function ensurePractice(core: Core, organizationId: string, actor: Actor) {
  await requireRole(core.prisma, { organizationId, accountId: actor.accountId }, everyMember)
  return sandboxes.ensure(core, organizationId, { writable: false })
}

/** Whom the simulator can sign in. @throws Problem `not_found` for non-members */
export async function choices(core: Core, organizationId: string, actor: Actor) {
  const practice = await ensurePractice(core, organizationId, actor)
  return {
    iss: core.addresses.fhirBase(practice.slug),
    patients: await people.patients(core, practice, actor),
    clinicians: await people.clinicians(core, practice),
  }
}
