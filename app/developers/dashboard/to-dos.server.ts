/** What an organization's people have to do themselves, beyond claiming a sandbox key: for the dashboard. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { agreementKinds } from '../../../server/contract/workflows/agreements.ts'
import type { ProductionKeyState } from '../../../server/contract/workflows/production-key-workflow.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

interface Todo {
  title: string
  to: string
}

/** Of a production key. Its agreements are listed by themselves. */
const productionTodos: Readonly<Partial<Record<ProductionKeyState, (name: string) => string>>> = {
  needs_info: (name) => `Answer the reviewer’s questions about the production key “${name}”.`,
  sponsor_expired: (name) => `Invite the practice again for the production key “${name}”.`,
  ready_to_claim: (name) => `Claim the production key “${name}”.`,
}

/** Questions first, then signatures. Drafts are not listed: an app may stay one for as long as it is tried. */
export async function listTodos(
  args: LoaderFunctionArgs,
  keyRequests: readonly { id: string; name: string; mayAnswer: boolean }[],
): Promise<Todo[]> {
  const { organization, actor } = await getOrganization(args)
  const { agreements, productionKeys, registrations } = args.context.services
  const { slug } = organization
  if (organization.role === 'viewer') return []
  const [apps, production, listed] = await Promise.all([
    registrations.list(organization.id, actor, ['needs_info']),
    productionKeys.list(organization.id, actor),
    agreements.listForOrganization(organization.id),
  ])
  return [
    ...keyRequests
      .filter(({ mayAnswer }) => mayAnswer)
      .map(({ id, name }) => ({
        title: `Answer the reviewer’s questions about the key “${name}”.`,
        to: `${paths.organizationKeys(slug)}/requests/${id}`,
      })),
    ...apps.map(({ id, name }) => ({
      title: `Answer the reviewer’s questions about “${name}”.`,
      to: paths.registration(slug, id),
    })),
    ...production.flatMap(({ id, name, state }) => {
      const title = productionTodos[state]?.(name)
      return title ? [{ title, to: paths.productionKey(slug, id) }] : []
    }),
    ...listed
      .filter(({ waitsFor }) => waitsFor.includes('developer'))
      .map(({ id, kind }) => ({
        title: `Sign the ${agreementKinds[kind].toLowerCase()}.`,
        to: paths.agreement(slug, id),
      })),
  ]
}
