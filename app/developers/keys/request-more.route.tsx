/** Requests higher limits for a key or an app, or a longer term for a key. The URL says which. */
import { Link, useLoaderData, useLocation } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import {
  appLimitsForm,
  keyLimitsForm,
  keyTermDaysMax,
  keyTermForm,
  publishedLimits,
  requestedLimitsMax,
} from '../../../server/contract/forms/requests.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type RegistrationState,
  stateNames,
} from '../../../server/contract/workflows/registration-workflow.ts'
import { ContractForm, Field, TextArea } from '../../components/ui/form.tsx'
import { Card, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { getOrganization, type PageArgs, page } from '../../services.server.ts'
import { getApp } from '../apps/own-app.server.ts'
import { getKey } from './keys.server.ts'

export const meta = () => [{ title: 'Request more · Sandpiper' }]
export const handle = { here: 'Request more' }

/** The key or app in the URL. @throws a 404 for one of another organization, and for a key that has ended */
async function getSubject(args: PageArgs) {
  const { organization, actor } = await getOrganization(args)
  const shared = { organization, actor, mayRequest: ['owner', 'admin'].includes(organization.role) }
  if (args.params.client !== undefined) {
    const { app, base } = await getApp(args)
    return { ...shared, about: 'app' as const, id: app.clientId, name: app.name, back: base, endsAt: null }
  }
  const { key } = await getKey(args)
  if (key.state === 'revoked' || key.state === 'expired') throw data(null, { status: 404 })
  const back = paths.organizationKey(organization.slug, key.id)
  return { ...shared, about: 'key' as const, id: key.id, name: key.name, back, endsAt: key.expiresAt }
}

/** Remix adds `.data` to the path when a script loads the page. */
const kindOf = ({ url }: Request) =>
  /\/term(?:\.data)?$/.test(new URL(url).pathname) ? ('key_term' as const) : ('limits' as const)

export const loader = page(async (args) => {
  const { organization, actor, mayRequest, about, id, name, back, endsAt } = await getSubject(args)
  const kind = kindOf(args.request)
  const listed = await args.context.services.registrations.list(organization.id, actor)
  return {
    kind,
    about,
    name,
    back,
    endsAt,
    mayRequest,
    earlier: listed
      .filter((request) => request.kind === kind && request.subjectId === id)
      .map(({ id: requestId, state, receivedAt }) => ({
        to: paths.registration(organization.slug, requestId),
        state,
        receivedAt,
      })),
    idempotencyKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { organization, actor, id, about } = await getSubject(args)
  const subject = { organizationId: organization.id, subjectId: id }
  const submit = async (request: Omit<OtherRequest, 'organizationId' | 'subjectId'>) => {
    const { registrations } = args.context.services
    const { registrationId } = await registrations.requestOther({ ...subject, ...request }, actor)
    return goOn(paths.registration(organization.slug, registrationId), 'more_asked')
  }
  if (kindOf(args.request) === 'key_term')
    return runForm(args.request, keyTermForm, ({ days, ...reasons }) =>
      submit({ kind: 'key_term', ...reasons, requested: { days } }),
    )
  const form = about === 'key' ? keyLimitsForm : appLimitsForm
  return runForm(args.request, form, ({ burst, sustained, ...reasons }) =>
    submit({ kind: 'limits', ...reasons, requested: { burst, sustained } }),
  )
})

type OtherRequest = Parameters<PageArgs['context']['services']['registrations']['requestOther']>[0]

export default function RequestMore() {
  const { kind, about, name, back, endsAt, mayRequest, earlier, idempotencyKey } =
    useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader
        title={
          kind === 'key_term' ? `Request a longer term for ${name}` : `Request higher limits for ${name}`
        }
        back={back}
      >
        It is free. A reviewer decides within five business days, based on the purpose.
      </PageHeader>
      <EarlierRequests earlier={earlier} />
      {!mayRequest ? (
        <p className="card pad">Only owners and admins of the organization can request more.</p>
      ) : kind === 'key_term' && endsAt ? (
        <TermForm idempotencyKey={idempotencyKey} endsAt={endsAt} />
      ) : (
        <LimitsForm idempotencyKey={idempotencyKey} about={about} />
      )}
    </div>
  )
}

interface EarlierProps {
  earlier: readonly { to: string; state: RegistrationState; receivedAt: Date | null }[]
}

/** Shows the requests already sent, so that no one sends one twice. */
function EarlierRequests({ earlier }: EarlierProps) {
  if (earlier.length === 0) return null
  return (
    <Card padded="tight" id="requested" title="Already requested">
      <ul className="stack tight">
        {earlier.map(({ to, state, receivedAt }) => (
          <li key={to}>
            <Link to={to}>{receivedAt ? <Moment at={receivedAt} as="date" /> : 'View request'}</Link>,{' '}
            {stateNames[state]}
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface FormProps {
  idempotencyKey: string
}

const reasonHint =
  'Explain what you need it for and why the published limits aren’t enough. Don’t include information about real people.'
const count = (value: number) => value.toLocaleString('en-US')

function LimitsForm({ idempotencyKey, about }: FormProps & { about: 'key' | 'app' }) {
  const { pathname } = useLocation()
  const labels = { burst: 'Requests per second', sustained: 'Requests per minute', reason: 'Reason' }
  const [now, most] = [publishedLimits[about], requestedLimitsMax[about]]
  return (
    <ContractForm
      labels={labels}
      keepAs={`more for ${pathname}`}
      hidden={{ idempotencyKey }}
      button="Request higher limits"
      busy="Sending"
    >
      <p>
        The published limits are {count(now.burst)} per second and {count(now.sustained)} per minute. The
        practice has {count(most.burst)} and {count(most.sustained)} for all its callers together, so you
        can’t request more.
      </p>
      <Field name="burst" inputMode="numeric" />
      <Field name="sustained" inputMode="numeric" />
      <TextArea name="reason" hint={reasonHint} rows={4} />
    </ContractForm>
  )
}

function TermForm({ idempotencyKey, endsAt }: FormProps & { endsAt: Date }) {
  const { pathname } = useLocation()
  const labels = { days: 'Days', reason: 'Reason' }
  return (
    <ContractForm
      labels={labels}
      keepAs={`more for ${pathname}`}
      hidden={{ idempotencyKey }}
      button="Request longer term"
      busy="Sending"
    >
      <p>
        The key expires on <Moment at={endsAt} />. A longer term starts on the day of approval. It never
        shortens the current term.
      </p>
      <Field name="days" inputMode="numeric" hint={`At most ${keyTermDaysMax}.`} />
      <TextArea name="reason" hint={reasonHint} rows={4} />
    </ContractForm>
  )
}
