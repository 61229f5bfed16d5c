import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { currentOrganization, getOrganizations } from './organization.server.ts'

/** What the developers' frame shows, with the organization that was looked at last. */
export async function readShell(args: LoaderFunctionArgs) {
  const { session, organizations } = await getOrganizations(args)
  const current = currentOrganization(args.request, organizations)
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: current && { slug: current.slug, name: current.name },
    inbox: await args.context.services.inbox.count({}, session),
  }
}
