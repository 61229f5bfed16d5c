import { data } from '@remix-run/server-runtime'
import { getOrganization, type PageArgs } from '../../services.server.ts'

/** The key in the URL. @throws a 404 page for a key of another organization */
export async function getKey(args: PageArgs) {
  const found = await getOrganization(args)
  const keyId = args.params.key ?? ''
  const [key] = await args.context.services.keys.list({ ...found.mine, keyId })
  if (!key) throw data(null, { status: 404 })
  return { ...found, key }
}
