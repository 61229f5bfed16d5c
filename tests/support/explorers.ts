/** Developers in front of the explorer: signed in, with an organization of their own or somebody else's. */
import type { PortalSession } from '../../server/auth/sessions.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { sandboxSlug } from '../../server/domain/practices/organization-sandbox.ts'
import type { TestServices } from './services.ts'
import { createTeams } from './team.ts'

export type Developer = {
  session: PortalSession
  /** As the browser sends it. */
  cookie: string
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
    const start = () => services().sessions.start({ accountId, realm: 'developer', ...context })
    const signIn = async () => (await start()).session
    const { session, cookie } = await start()
    const actor: Actor = { ...person.actor, ...context, sessionId: session.id }
    const id =
      organizationId ?? (await services().organizations.create({ name: 'Samplewood Apps' }, actor)).id
    return {
      session,
      cookie: cookie.split(';')[0] ?? '',
      accountId,
      actor,
      organizationId: id,
      practiceSlug: sandboxSlug(id),
      signIn,
    }
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
