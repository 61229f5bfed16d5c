/** Developers in front of the explorer: signed in, with an organization of their own or somebody else's. */
import type { PortalSession } from '../../server/auth/sessions.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { TestServices } from './services.ts'
import { createTeams } from './team.ts'

export type Developer = {
  session: PortalSession
  accountId: string
  actor: Actor
  organizationId: string
  /** Of the organization's sandbox practice. */
  practiceSlug: string
  signIn: () => Promise<PortalSession>
}

let addresses = 0

/** @param services asked for when needed: tests make them before they run */
export function createExplorers(services: () => TestServices) {
  const teams = createTeams(services)

  async function signedIn(organizationId?: string): Promise<Developer> {
    const person = await teams.makePerson()
    const { accountId } = person
    addresses += 1
    const context = { ip: `198.51.100.${addresses % 250}`, userAgent: 'vitest' }
    const signIn = async () =>
      (await services().sessions.start({ accountId, realm: 'developer', ...context })).session
    const session = await signIn()
    const actor: Actor = { ...person.actor, ...context, sessionId: session.id }
    const id =
      organizationId ?? (await services().organizations.create({ name: 'Samplewood Apps' }, actor)).id
    const { slug } = await services().prisma.organization.findUniqueOrThrow({ where: { id } })
    return { session, accountId, actor, organizationId: id, practiceSlug: `${slug}-sandbox`, signIn }
  }

  /** The owner of an organization of their own. */
  const makeDeveloper = (): Promise<Developer> => signedIn()

  /** Somebody else of an organization. */
  async function makeMember(organizationId: string, role: 'developer' | 'viewer'): Promise<Developer> {
    const member = await signedIn(organizationId)
    await services().prisma.membership.create({
      data: { organizationId, accountId: member.accountId, role, createdAt: services().clock() },
    })
    return member
  }

  return { makeDeveloper, makeMember }
}
