/** The sandbox client of a draft: as soon as the form can be registered at all it works, under one id for good. */
import type { Registration } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type { Actor } from '../actor.ts'
import * as clients from '../clients/clients.ts'
import type { Core } from '../core.ts'
import * as sandboxes from '../practices/organization-sandbox.ts'
import { toClientFields } from './new-client.ts'
import { findSandboxFaults } from './sandbox-faults.ts'

type SandboxOutcome = Readonly<{
  sandboxClientId: string | null
  /** Of a new confidential app; in this answer only. */
  secret: string | null
  notRegistered: Readonly<{ field: string; message: string }> | null
}>

/** Safe to repeat: the registration's own id is the app's. What the form lacks is said, and changes nothing. */
export async function syncSandboxClient(
  core: Core,
  row: Pick<Registration, 'id' | 'organizationId' | 'sandboxClientId'>,
  form: RegistrationForm,
  actor: Actor,
): Promise<SandboxOutcome> {
  const [fault] = findSandboxFaults(form)
  if (fault) return { sandboxClientId: row.sandboxClientId, secret: null, notRegistered: fault }
  try {
    const fields = toClientFields(core, form)
    if (row.sandboxClientId) {
      await clients.replace(core, row.sandboxClientId, fields, actor)
      return { sandboxClientId: row.sandboxClientId, secret: null, notRegistered: null }
    }
    await sandboxes.ensure(core, row.organizationId, { writable: false })
    const { client, secret } = await clients.create(
      core,
      { ...fields, appId: row.id, organizationId: row.organizationId, environment: 'sandbox' },
      actor,
    )
    await note(core, row.id, client.clientId)
    return { sandboxClientId: client.clientId, secret, notRegistered: null }
  } catch (thrown) {
    if (isProblem(thrown) && thrown.kind === 'conflict') return adopt(core, row)
    throw thrown
  }
}

async function note({ prisma }: Core, id: string, sandboxClientId: string): Promise<void> {
  await prisma.registration.updateMany({ where: { id, sandboxClientId: null }, data: { sandboxClientId } })
}

/** Somebody saved at the same moment, or a process ended between the app and the note. */
async function adopt(core: Core, row: Pick<Registration, 'id' | 'sandboxClientId'>): Promise<SandboxOutcome> {
  const { prisma } = core
  const client = await prisma.client.findUnique({
    where: { appId_environment: { appId: row.id, environment: 'sandbox' } },
    select: { id: true },
  })
  if (client) await note(core, row.id, client.id)
  return { sandboxClientId: client?.id ?? row.sandboxClientId, secret: null, notRegistered: null }
}
