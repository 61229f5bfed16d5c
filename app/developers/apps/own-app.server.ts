/** The app a page is about, by the organization and the client id in its address; for members only. */

import { data } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'

interface TabbedApp {
  slug: string
  clientId: string | null
  registrationId: string | null
  environment: 'sandbox' | 'production'
  audience: 'patient' | 'clinician' | 'backend'
  isConfidential: boolean
}

/** The pages of one app. */
export function appTabs(app: TabbedApp) {
  const { slug, clientId, registrationId, environment, audience } = app
  const request = registrationId
    ? [{ to: paths.registration(slug, registrationId), label: 'Registration' }]
    : []
  if (clientId === null) return request
  const isSandbox = environment === 'sandbox'
  return [
    { to: paths.appFaults(slug, clientId), label: 'Overview' },
    ...request,
    ...(app.isConfidential ? [{ to: paths.appSecrets(slug, clientId), label: 'Secrets' }] : []),
    ...(isSandbox ? [{ to: paths.appToken(slug, clientId), label: 'Token' }] : []),
    ...(audience === 'backend' ? [{ to: paths.appExports(slug, clientId), label: 'Exports' }] : []),
    ...(isSandbox && audience !== 'backend' ? [{ to: paths.lab(slug).launch, label: 'Launches' }] : []),
    { to: paths.logs(slug, { caller: `app:${clientId}`, status: 'refused' }), label: 'Errors' },
  ]
}

/** An app of this very organization; of another one that the reader is in, it is not here. */
export async function getApp(args: PageArgs) {
  const { mine, session, organization, actor } = await getOrganization(args)
  const app = await args.context.services.clients.get(args.params.client ?? '', actor)
  if (app.organizationId !== organization.id) throw data(null, { status: 404 })
  const { clientId, environment, audience, authentication } = app
  const registrationId = await args.context.services.registrations.findIdOf(clientId)
  const isConfidential = authentication === 'client_secret_basic'
  return {
    app,
    tabs: appTabs({
      ...{ slug: organization.slug, clientId, registrationId },
      ...{ environment, audience, isConfidential },
    }),
    ...{ mine, session, actor },
    organization,
    role: organization.role,
    base: paths.appFaults(organization.slug, app.clientId),
  }
}
