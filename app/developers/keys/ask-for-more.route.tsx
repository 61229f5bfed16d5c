/** Asking for more than is published: limits of a key or an app, the term of a key; the page's address says which. */
import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { appLimitsForm, keyLimitsForm, keyTermForm } from '../../../server/contract/forms/requests.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { getApp } from '../apps/own-app.server.ts'
import { AskedFor, AskForLimits, AskForTerm } from './ask-for-more-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Ask for more · Sandpiper' }]
export const handle = { here: 'Request more' }

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** The key or app of the address, when it is the organization's and lives. */
async function getSubject(args: Args) {
  const { organization, session, actor } = await getOrganization(args)
  const shared = { organization, actor, mayAsk: ['owner', 'admin'].includes(organization.role) }
  if (args.params.client !== undefined) {
    const { app, base } = await getApp(args)
    return { ...shared, about: 'app' as const, id: app.clientId, name: app.name, back: base, endsAt: null }
  }
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const keys = await args.context.services.keys.list(mine)
  const key = keys.find(({ id }) => id === args.params.key)
  if (!key || key.state === 'revoked' || key.state === 'expired') throw data(null, { status: 404 })
  const back = paths.keyActivity(organization.slug, key.id)
  return { ...shared, about: 'key' as const, id: key.id, name: key.name, back, endsAt: key.expiresAt }
}

const kindOf = ({ url }: Request) =>
  /\/term(?:\.data)?$/.test(new URL(url).pathname) ? ('key_term' as const) : ('limits' as const)

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor, mayAsk, about, id, name, back, endsAt } = await getSubject(args)
  const kind = kindOf(args.request)
  const listed = await args.context.services.registrations.list(organization.id, actor)
  return {
    kind,
    about,
    name,
    back,
    endsAt,
    mayAsk,
    earlier: listed
      .filter((each) => each.kind === kind && each.subjectId === id)
      .map(({ id: requestId, state, receivedAt }) => ({
        to: paths.registration(organization.slug, requestId),
        state,
        receivedAt,
      })),
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor, id, about } = await getSubject(args)
  const subject = { organizationId: organization.id, subjectId: id }
  const ask = async (asked: Omit<Asked, 'organizationId' | 'subjectId'>) => {
    const { registrations } = args.context.services
    const { registrationId } = await registrations.requestOther({ ...subject, ...asked }, actor)
    return goOn(paths.registration(organization.slug, registrationId), 'more_asked')
  }
  if (kindOf(args.request) === 'key_term')
    return runForm(args.request, keyTermForm, ({ days, ...given }) =>
      ask({ kind: 'key_term', ...given, requested: { days } }),
    )
  const form = about === 'key' ? keyLimitsForm : appLimitsForm
  return runForm(args.request, form, ({ burst, sustained, ...given }) =>
    ask({ kind: 'limits', ...given, requested: { burst, sustained } }),
  )
})

type Asked = Parameters<ActionFunctionArgs['context']['services']['registrations']['requestOther']>[0]

export default function AskForMore() {
  const { kind, about, name, back, endsAt, mayAsk, earlier, idempotencyKey } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader
        title={
          kind === 'key_term' ? `Request a longer term for ${name}` : `Request higher limits for ${name}`
        }
        action={
          <LinkButton look="plain" to={back}>
            Back
          </LinkButton>
        }
      >
        It is free. A reviewer decides within five business days, based on the purpose.
      </PageHeader>
      <AskedFor earlier={earlier} />
      {!mayAsk ? (
        <p className="card pad">Only owners and admins of the organization can request more.</p>
      ) : kind === 'key_term' && endsAt ? (
        <AskForTerm idempotencyKey={idempotencyKey} endsAt={endsAt} />
      ) : (
        <AskForLimits idempotencyKey={idempotencyKey} about={about} />
      )}
    </div>
  )
}
