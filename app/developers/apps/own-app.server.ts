/** The app that a page's URL names, and the tabs of its pages. Only members of its organization see them. */

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

export function appTabs(app: TabbedApp) {
  const { slug, clientId, registrationId, environment, audience } = app
  const registration = registrationId
    ? [{ to: paths.registration(slug, registrationId), label: 'Registration' }]
    : []
  if (clientId === null) return registration
  const isSandbox = environment === 'sandbox'
  return [
    { to: paths.app(slug, clientId), label: 'Overview' },
    ...registration,
    ...(app.isConfidential ? [{ to: paths.appSecrets(slug, clientId), label: 'Secrets' }] : []),
    ...(isSandbox ? [{ to: paths.appToken(slug, clientId), label: 'Token' }] : []),
    ...(audience === 'backend' ? [{ to: paths.appExports(slug, clientId), label: 'Exports' }] : []),
    ...(isSandbox && audience !== 'backend' ? [{ to: paths.lab(slug).launch, label: 'Launches' }] : []),
    { to: paths.logs(slug, { caller: `app:${clientId}`, status: 'refused' }), label: 'Errors' },
  ]
}

/** @throws a 404 for an app of another organization, even if the reader is a member there too */
export async function getApp(args: PageArgs) {
  const { mine, session, organization, actor } = await getOrganization(args)
  const app = await args.context.services.clients.get(args.params.client ?? '', actor)
  if (app.organizationId !== organization.id) throw data(null, { status: 404 })
  const { clientId, environment, audience, authentication } = app
  const registrationId = await args.context.services.registrations.findIdOf(clientId)
  const isConfidential = authentication === 'client_secret_basic'
  const { slug, role } = organization
  const tabs = appTabs({ slug, clientId, registrationId, environment, audience, isConfidential })
  return { app, tabs, mine, session, actor, organization, role, base: paths.app(slug, clientId) }
}
