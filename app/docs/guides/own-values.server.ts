/** Finds the values for a signed-in reader's snippets: their organization's sandbox and one of its apps. */
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { actorOf, currentOrganization, findSession, type PageArgs } from '../../services.server.ts'
import { type GuideSlug, guides } from '../../shared/guides/list.ts'
import { chosenApp, type OwnChoice } from './own-choice.tsx'

/** The programs of the guides listen on a loopback address. */
const isLoopback = (uri: string) => /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(uri)

/** @returns null for visitors, and for developers without an organization */
export async function findOwnChoice(
  args: PageArgs,
  { slug, namesApp }: { slug: GuideSlug; namesApp: boolean },
): Promise<OwnChoice | null> {
  const session = await findSession(args, 'developer')
  if (!session || session.mfaState === 'needed') return null
  const { organizations } = session
  const organization = currentOrganization(args.request, organizations)
  if (!organization) return null
  const { clients, sandbox, env } = args.context.services
  const guide = guides.find((row) => row.slug === slug)
  const audience = guide && 'audience' in guide ? guide.audience : undefined
  const asker = { organizationId: organization.id, accountId: session.accountId }
  const [practice, listed] = await Promise.all([
    sandbox.overview.findSlug(asker),
    namesApp
      ? clients.listPage(organization.id, readPageAsk(new URLSearchParams()), actorOf(args, session), {
          environment: 'sandbox',
          state: 'active',
          withoutIds: ['example-', 'inferno-'],
          ...(audience && { audience }),
        })
      : null,
  ])
  const apps = listed?.rows ?? []
  const clientId = new URL(args.request.url).searchParams.get(chosenApp)
  const app = apps.find((listedApp) => listedApp.clientId === clientId) ?? apps[0]
  return {
    values: {
      base: practice === null ? null : `${env.FHIR_ORIGIN}/r4/${encodeURIComponent(practice)}`,
      clientId: app?.clientId ?? null,
      redirectUri: app?.redirectUris.find(isLoopback) ?? app?.redirectUris[0] ?? null,
    },
    apps: apps.map(({ clientId, name }) => ({ clientId, name })),
    organization: organization.name,
    sandboxPage: paths.sandbox(organization.slug),
    appsPage: paths.organizationApps(organization.slug),
  }
}
