import { data } from '@remix-run/server-runtime'
import { infernoPreset, isInfernoKit } from '../../../server/contract/lab/inferno-kits.ts'
import { attachment } from '../../lib/attachment.ts'
import { getOrganization, page } from '../../services.server.ts'

/** The preset of a test kit, with a placeholder for each secret. */
export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const kit = (args.params.preset ?? '').replace(/\.json$/, '')
  if (!isInfernoKit(kit)) throw data(null, { status: 404 })
  const facts = await args.context.services.inferno.describe(organization.id, actor)
  const file = { name: `inferno-${kit}.json`, type: 'application/json; charset=utf-8' }
  return attachment(infernoPreset(kit, { ...facts, secrets: {} }), file)
})
