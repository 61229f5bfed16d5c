import { data } from '@remix-run/server-runtime'
import type { PageAsk } from '../../../server/contract/portal/paging.ts'
import {
  endedStates,
  keyedStates,
  productionKeyStates,
} from '../../../server/contract/workflows/production-key-workflow.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'

export type KeyView = 'current' | 'sandbox' | 'production' | 'ended'

/** Keys of both environments with the requests under way, as one list. */
export async function listKeys(args: PageArgs, show: KeyView, ask: PageAsk) {
  const { organization, actor, mine } = await getOrganization(args)
  const { keys, productionKeys } = args.context.services
  const production = (await productionKeys.list(organization.id, actor))
    .filter(({ prefix, state }) => prefix === null && !keyedStates.includes(state))
    .map(({ id, name, level, state, practiceName, renewal }) => ({
      ...{ id, name, level, state, practiceName, renewal },
      ended: endedStates.includes(state),
      waits: ['developer', 'both'].includes(productionKeyStates[state].holder),
    }))
  return keys.listPage({ ...mine, show, production, ask })
}

/** The key of the address. @throws a 404 page when it is not of the organization in it */
export async function getKey(args: PageArgs) {
  const found = await getOrganization(args)
  const keyId = args.params.key ?? ''
  const [key] = await args.context.services.keys.list({ ...found.mine, keyId })
  if (!key) throw data(null, { status: 404 })
  return { ...found, key }
}
