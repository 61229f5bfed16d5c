/** The organization a page is about, by the slug in its address; for members only. */
import { type AppLoadContext, data } from '@remix-run/server-runtime'
import { actorOf, getSession, type PageArgs } from '../../services.server.ts'

const cookieName = 'sandpiper-organization'
const listed = new WeakMap<AppLoadContext, ReturnType<typeof listOrganizations>>()

async function listOrganizations({ context }: PageArgs, accountId: string) {
  return context.services.organizations.listFor(accountId)
}

/** The organizations of the signed-in person, read once per request. */
export async function getOrganizations(args: PageArgs) {
  const session = await getSession(args, 'developer')
  const found = listed.get(args.context) ?? listOrganizations(args, session.accountId)
  listed.set(args.context, found)
  return { session, organizations: await found }
}

/**
 * The organization named by `params.organization`, with the member's session and actor.
 * @throws a 404 page when there is none or the person is not in it
 */
export async function getOrganization(args: PageArgs) {
  const { session, organizations } = await getOrganizations(args)
  const organization = organizations.find((each) => each.slug === args.params.organization)
  if (!organization) throw data({ shell: await readShell(args) }, { status: 404 })
  return {
    ...{ session, organizations, organization },
    actor: actorOf(args, session),
    /** The member as most of the domain asks for one. */
    mine: { organizationId: organization.id, accountId: session.accountId },
  }
}

/** The one looked at last, else the first; null before the first is created or joined. */
export function currentOrganization<T extends { slug: string }>(
  request: Request,
  organizations: readonly T[],
): T | null {
  const remembered = new RegExp(`(?:^|;\\s*)${cookieName}=([a-z0-9-]{1,100})`).exec(
    request.headers.get('cookie') ?? '',
  )?.[1]
  return organizations.find((each) => each.slug === remembered) ?? organizations[0] ?? null
}

/** Set-Cookie that makes an organization the current one; null when it is already. */
export function currentOrganizationCookie(request: Request, slug: string): string | null {
  if (request.headers.get('cookie')?.includes(`${cookieName}=${slug}`)) return null
  return `${cookieName}=${slug}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly`
}

/** What the developers' frame shows, with the organization that was looked at last. */
export async function readShell(args: PageArgs) {
  const { session, organizations } = await getOrganizations(args)
  const current = currentOrganization(args.request, organizations)
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: current && { slug: current.slug, name: current.name },
    inbox: await args.context.services.inbox.count({}, session),
  }
}
