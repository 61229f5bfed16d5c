import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

/** The live keys that were used last, and the newest calls with them. */
export async function recentCalls(
  args: LoaderFunctionArgs,
  most: { keys: number; calls: number; only?: 'refused' | undefined },
) {
  const { session, organization } = await getOrganization(args)
  const { accountId } = session
  const service = args.context.services.keys
  const keys = await service.listRecent({ organizationId: organization.id, accountId, take: most.keys })
  const base = paths.organizationKeys(organization.slug)
  const calls = await Promise.all(
    keys
      .filter(({ lastUsedAt }) => lastUsedAt !== null)
      .map(async ({ id, name }) => {
        const { rows } = await service.activity({
          ...{ keyId: id, accountId, limit: most.calls },
          ...(most.only && { status: most.only }),
        })
        return rows.map((row) => ({ ...row, key: { name, to: `${base}/${id}` } }))
      }),
  )
  return {
    keys,
    calls: calls
      .flat()
      .sort((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, most.calls),
  }
}
