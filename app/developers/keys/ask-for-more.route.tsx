/** Asking for more than is published: limits of a key or an app, the term of a key; the page's address says which. */
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

export const meta = () => [{ title: 'Ask for more · Sandpiper' }]
export const handle = { here: 'Request more' }

/** The key or app of the address, when it is the organization's and lives. */
async function getSubject(args: PageArgs) {
  const { organization, actor } = await getOrganization(args)
  const shared = { organization, actor, mayAsk: ['owner', 'admin'].includes(organization.role) }
  if (args.params.client !== undefined) {
    const { app, base } = await getApp(args)
    return { ...shared, about: 'app' as const, id: app.clientId, name: app.name, back: base, endsAt: null }
  }
  const { key } = await getKey(args)
  if (key.state === 'revoked' || key.state === 'expired') throw data(null, { status: 404 })
  const back = paths.organizationKey(organization.slug, key.id)
  return { ...shared, about: 'key' as const, id: key.id, name: key.name, back, endsAt: key.expiresAt }
}

const kindOf = ({ url }: Request) =>
  /\/term(?:\.data)?$/.test(new URL(url).pathname) ? ('key_term' as const) : ('limits' as const)

export const loader = page(async (args) => {
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

export const action = page(async (args) => {
  const { organization, actor, id, about } = await getSubject(args)
  const subject = { organizationId: organization.id, subjectId: id }
  const ask = async (request: Omit<Asked, 'organizationId' | 'subjectId'>) => {
    const { registrations } = args.context.services
    const { registrationId } = await registrations.requestOther({ ...subject, ...request }, actor)
    return goOn(paths.registration(organization.slug, registrationId), 'more_asked')
  }
  if (kindOf(args.request) === 'key_term')
    return runForm(args.request, keyTermForm, ({ days, ...reasons }) =>
      ask({ kind: 'key_term', ...reasons, requested: { days } }),
    )
  const form = about === 'key' ? keyLimitsForm : appLimitsForm
  return runForm(args.request, form, ({ burst, sustained, ...reasons }) =>
    ask({ kind: 'limits', ...reasons, requested: { burst, sustained } }),
  )
})

type Asked = Parameters<PageArgs['context']['services']['registrations']['requestOther']>[0]

export default function AskForMore() {
  const { kind, about, name, back, endsAt, mayAsk, earlier, idempotencyKey } = useLoaderData<typeof loader>()
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

interface AskedForProps {
  earlier: readonly { to: string; state: RegistrationState; receivedAt: Date | null }[]
}

/** Requests already sent, so that no one sends one twice. */
function AskedFor({ earlier }: AskedForProps) {
  if (earlier.length === 0) return null
  return (
    <Card padded="tight" id="asked" title="Already requested">
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

interface AskProps {
  idempotencyKey: string
}

const reasonHint =
  'Explain what you need it for and why the published limits aren’t enough. Don’t include information about real people.'
const count = (value: number) => value.toLocaleString('en-US')

/** Requests a second and a minute, of a key or an app. */
function AskForLimits({ idempotencyKey, about }: AskProps & { about: 'key' | 'app' }) {
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

/** Days that a key shall live from the decision on. */
function AskForTerm({ idempotencyKey, endsAt }: AskProps & { endsAt: Date }) {
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
