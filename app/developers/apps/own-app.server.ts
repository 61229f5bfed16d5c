/** The app a page is about, by the organization and the client id in its address; for members only. */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

/** An app of this very organization; of another one that the reader is in, it is not here. */
export async function getApp(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { session, organization, actor } = await getOrganization(args)
  const app = await args.context.services.clients.get(args.params.client ?? '', actor)
  if (app.organizationId !== organization.id) throw data(null, { status: 404 })
  return {
    app,
    session,
    actor,
    organization,
    role: organization.role,
    base: paths.appFaults(organization.slug, app.clientId),
  }
}
