/** Developers' organizations with people in every role. */
import { randomUUID } from 'node:crypto'
import type { OrganizationRole } from '../../server/contract/portal/organization-roles.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { tokenMailedTo } from './mailed.ts'
import { addAccount, signedIn } from './people.ts'
import type { TestServices } from './services.ts'

/** `actor`: password and second step given just now. */
export type Person = { accountId: string; email: string; readonly actor: Actor }

/** @param services asked for when needed: tests make them before they run */
export function createTeams(services: () => TestServices) {
  async function makePerson(name = 'Robin Testwell'): Promise<Person> {
    const email = `${randomUUID().slice(0, 8)}@samplewood.example`
    const { id } = await addAccount(services(), 'developer', { email, name })
    const fresh = signedIn(services, id)
    return {
      accountId: id,
      email,
      get actor() {
        return fresh()
      },
    }
  }

  async function makeTeam(): Promise<{ organizationId: string; owner: Person }> {
    const owner = await makePerson()
    const { id } = await services().organizations.create({ name: 'Samplewood Health Apps' }, owner.actor)
    return { organizationId: id, owner }
  }

  async function addMember(organizationId: string, role: OrganizationRole): Promise<Person> {
    const person = await makePerson(`Kim ${role}`)
    const data = { organizationId, accountId: person.accountId, role, createdAt: services().clock() }
    await services().prisma.membership.create({ data })
    return person
  }

  /** Somebody invited to a new organization, with the token of the mail. */
  async function invited(role: OrganizationRole = 'developer') {
    const { organizationId, owner } = await makeTeam()
    const guest = await makePerson('Kim Placeholder')
    const invitation = { organizationId, email: guest.email, role }
    const { id } = await services().organizations.invite(invitation, owner.actor)
    return { organizationId, owner, guest, id, token: await tokenMailedTo(services(), guest.email) }
  }

  /** Undefined for somebody who is no member. */
  async function roleOf(
    organizationId: string,
    { accountId }: Person,
  ): Promise<OrganizationRole | undefined> {
    return (await services().organizations.listFor(accountId)).find(({ id }) => id === organizationId)?.role
  }

  return { makePerson, makeTeam, addMember, invited, roleOf }
}
