/** The launch simulator as one: set up by developers, met by the authorization server, run by the example apps. */
import { exampleApp } from '../../contract/lab/launch-lab.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { run } from './example-run.ts'
import * as people from './people.ts'
import type { NewSimulation, StartedSimulation } from './simulations.ts'
import * as simulations from './simulations.ts'

export { forgetOld, get, list } from './simulations.ts'

/** Sets a launch up; the example app goes through with it at once. @throws Problem as `simulations.start` */
export async function start(core: Core, input: NewSimulation, actor: Actor): Promise<StartedSimulation> {
  const started = await simulations.start(core, input, actor)
  if (input.app === exampleApp) await run(core, started, input.kind)
  return started
}

/** The FHIR base of the organization's sandbox. @throws Problem `not_found` for non-members */
export async function findBase(core: Core, organizationId: string, actor: Actor): Promise<string> {
  return core.addresses.fhirBase((await ensurePractice(core, organizationId, actor)).slug)
}

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
