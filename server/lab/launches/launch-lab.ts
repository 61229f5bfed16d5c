/** The launch simulator as one: set up by developers, met by the authorization server, run by the example apps. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { exampleApp } from '../../contract/lab/launch-lab.ts'
import type { Throttle } from '../../domain/accounts/throttle.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Authorizations } from '../../domain/authorizations/authorization-types.ts'
import type { PendingRequests } from '../../domain/authorizations/pending-requests.ts'
import type { Clients } from '../../domain/clients/client-types.ts'
import type { SmartAddresses } from '../../domain/grants/smart-addresses.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import type { OrganizationSandboxes } from '../../domain/practices/organization-sandbox.ts'
import type { Keyring } from '../../keyring.ts'
import type { Store } from '../../store/store.ts'
import { createApplySimulation } from './apply-simulation.ts'
import { createExampleApps } from './example-apps.ts'
import { createExampleRun } from './example-run.ts'
import { createExchangeLog } from './exchange-log.ts'
import { createLabPeople } from './people.ts'
import { createSimulations, type NewSimulation, type StartedSimulation } from './simulations.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  store: Pick<Store, 'search' | 'read'>
  randomBytes: (size: number) => Uint8Array
  portalAudit: PortalAudit
  addresses: SmartAddresses
  sandboxes: OrganizationSandboxes
  clients: Pick<Clients, 'create'>
  pending: PendingRequests
  authorizations: Authorizations
  env: { PUBLIC_ORIGIN: string; PROBE_ORIGIN?: string | undefined }
  send: (url: string, init: RequestInit) => Promise<Response>
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  throttle: Throttle
}

export function createLaunchLab(dependencies: Dependencies) {
  const note = createExchangeLog(dependencies)
  const people = createLabPeople(dependencies)
  const examples = createExampleApps(dependencies)
  const simulations = createSimulations({ ...dependencies, people, examples, note })
  const run = createExampleRun({ ...dependencies, examples, note })

  /** Sets a launch up; the example app goes through with it at once. @throws Problem as `simulations.start` */
  async function start(input: NewSimulation, actor: Actor): Promise<StartedSimulation> {
    const started = await simulations.start(input, actor)
    if (input.app === exampleApp) await run(started, input.kind)
    return started
  }

  /** Whom the simulator can sign in. @throws Problem `not_found` for non-members */
  async function choices(organizationId: string, actor: Actor) {
    await requireRole(dependencies.prisma, { organizationId, accountId: actor.accountId }, everyMember)
    const practice = await dependencies.sandboxes.ensure(organizationId, { writable: false })
    return {
      iss: dependencies.addresses.fhirBase(practice.slug),
      patients: await people.patients(practice),
      clinicians: await people.clinicians(practice),
    }
  }

  return { ...simulations, examples, start, choices, apply: createApplySimulation({ ...dependencies, note }) }
}

export type LaunchLab = ReturnType<typeof createLaunchLab>
