/** Keys as their claim leaves them, in organizations of their own, and our own people who look after keys. */
import type { Actor } from '../../server/domain/actor.ts'
import { addAccount, signedIn } from './people.ts'
import type { RestStack } from './rest.ts'
import type { createTeams } from './team.ts'

/** @param stack asked for when needed: tests make it before they run */
export function createKeyOwners(stack: () => RestStack, teams: ReturnType<typeof createTeams>) {
  /** A sandbox key of an organization of its own, as a claim leaves it. */
  async function ownedKey(changes: { expiresAt?: Date; level?: 'full' } = {}) {
    const { organizationId, owner } = await teams.makeTeam()
    const { prisma, sandboxes } = stack().services
    const practice = await sandboxes.ensure(organizationId, { writable: changes.level === 'full' })
    const issued = await stack().issueKey({ practice: practice.slug, ...changes })
    const data = { organizationId, createdById: owner.accountId, name: 'Nightly import' }
    await prisma.apiKey.update({ where: { id: issued.id }, data })
    return { ...issued, organizationId, owner }
  }

  async function staff(staffRole: 'ops' | 'reviewer'): Promise<Actor> {
    const { id } = await addAccount(stack().services, 'staff', { staffRole, name: 'Odell Placeholder' })
    return signedIn(() => stack().services, id)()
  }

  return { ownedKey, staff }
}
