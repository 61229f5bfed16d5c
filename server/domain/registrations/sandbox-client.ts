/** The sandbox client of a draft: as soon as the form can be registered at all it works, under one id for good. */
import type { PrismaClient, Registration } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type { Actor } from '../actor.ts'
import type { OrganizationSandboxes } from '../bound.ts'
import type { Clients } from '../clients/client-types.ts'
import { toClientFields } from './new-client.ts'

type Dependencies = {
  prisma: PrismaClient
  clients: Pick<Clients, 'create' | 'replace'>
  sandboxes: OrganizationSandboxes
  logoAddress: (hash: string) => string
}

type SandboxOutcome = Readonly<{
  sandboxClientId: string | null
  /** Of a new confidential app; in this answer only. */
  secret: string | null
  notRegistered: Readonly<{ field: string; message: string }> | null
}>

export function createSandboxClient({ prisma, clients, sandboxes, logoAddress }: Dependencies) {
  /** Safe to repeat: the registration's own id is the app's. What the form lacks is said, and changes nothing. */
  return async function sync(
    row: Pick<Registration, 'id' | 'organizationId' | 'sandboxClientId'>,
    form: RegistrationForm,
    actor: Actor,
  ): Promise<SandboxOutcome> {
    try {
      const fields = toClientFields(form, logoAddress)
      if (row.sandboxClientId) {
        await clients.replace(row.sandboxClientId, fields, actor)
        return { sandboxClientId: row.sandboxClientId, secret: null, notRegistered: null }
      }
      await sandboxes.ensure(row.organizationId, { writable: false })
      const { client, secret } = await clients.create(
        { ...fields, appId: row.id, organizationId: row.organizationId, environment: 'sandbox' },
        actor,
      )
      await note(row.id, client.clientId)
      return { sandboxClientId: client.clientId, secret, notRegistered: null }
    } catch (thrown) {
      if (thrown instanceof SyntaxError)
        return unregistered(row, { field: 'jwks', message: 'The key set is no JSON.' })
      if (isProblem(thrown) && thrown.kind === 'validation')
        return unregistered(row, { field: formField(thrown.field), message: thrown.message })
      if (isProblem(thrown) && thrown.kind === 'conflict') return adopt(row)
      throw thrown
    }
  }

  async function note(id: string, sandboxClientId: string): Promise<void> {
    await prisma.registration.updateMany({ where: { id, sandboxClientId: null }, data: { sandboxClientId } })
  }

  /** Somebody saved at the same moment, or a process ended between the app and the note. */
  async function adopt(row: Pick<Registration, 'id' | 'sandboxClientId'>): Promise<SandboxOutcome> {
    const client = await prisma.client.findUnique({
      where: { appId_environment: { appId: row.id, environment: 'sandbox' } },
      select: { id: true },
    })
    if (client) await note(row.id, client.id)
    return { sandboxClientId: client?.id ?? row.sandboxClientId, secret: null, notRegistered: null }
  }
}

function unregistered(
  { sandboxClientId }: Pick<Registration, 'sandboxClientId'>,
  notRegistered: { field: string; message: string },
): SandboxOutcome {
  return { sandboxClientId, secret: null, notRegistered }
}

/** The authorization server has names of its own for two fields. */
function formField(field: string | undefined): string {
  const names: Readonly<Record<string, string>> = { homepage: 'website', authentication: 'clientType' }
  return names[field ?? ''] ?? field ?? 'form'
}
