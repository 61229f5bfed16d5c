import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { groupRefusals, type Refusal } from './refusals.ts'
import type { Day } from './sparkline.tsx'

const keysMax = 3
const callsMax = 25

/** Of the keys on the page that were refused most in 30 days, the causes of their latest refusals. */
export async function latestRefusals(
  args: LoaderFunctionArgs,
  keys: readonly Readonly<{ id: string; name: string; days: readonly Day[] }>[],
): Promise<Refusal[]> {
  const { session, organization } = await getOrganization(args)
  const { accountId } = session
  const base = paths.organizationKeys(organization.slug)
  const most = keys
    .map(({ id, name, days }) => ({ id, name, refused: days.reduce((sum, day) => sum + day.refused, 0) }))
    .filter(({ refused }) => refused > 0)
    .sort((one, other) => other.refused - one.refused)
    .slice(0, keysMax)
  const calls = await Promise.all(
    most.map(async ({ id, name, refused }) => {
      // Never more than the days counted, so that the log is not read back beyond them.
      const limit = Math.min(refused, callsMax)
      const { rows } = await args.context.services.keys.activity({
        ...{ keyId: id, accountId, limit, status: 'refused' as const },
      })
      return rows.map((row) => ({ ...row, key: { name, to: `${base}/${id}` } }))
    }),
  )
  return groupRefusals(calls.flat())
}
