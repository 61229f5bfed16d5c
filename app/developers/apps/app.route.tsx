import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { assertionForm, systemRequestForm } from '../../../server/contract/forms/apps.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { ownPracticeRoles } from '../../../server/contract/lab/own-practice.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import {
  Card,
  Facts,
  LinkButton,
  Moment,
  PageHeader,
  SubmitButton,
  Tabs,
  Tag,
} from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { guides } from '../../shared/guides/list.ts'
import { environmentNames } from '../../shared/keys/key-words.tsx'
import { AppStopped } from '../../shared/keys/practice-limits.tsx'
import { OwnBase, OwnVariables } from '../../shared/practice/own-base.tsx'
import { basesOf } from '../sandbox/sandbox.server.ts'
import { AssertionDoctor } from './assertion-doctor.tsx'
import { getApp } from './own-app.server.ts'
import { SystemRequests } from './system-requests.tsx'

export const meta = () => [{ title: 'App · Sandpiper' }]
export const handle = { here: 'Apps / App' }

export const loader = page(async (args) => {
  const { app, actor, base, mine, organization, tabs } = await getApp(args)
  const { assertionDoctor, backendAuthorizations, clients, keyLimits, sandbox } = args.context.services
  const { clientId } = app
  const signs = app.authentication === 'private_key_jwt'
  const [attempts, systems, sandboxSlug, stops, keySetFailure] = await Promise.all([
    signs ? assertionDoctor.listAttempts(clientId, actor) : null,
    app.audience === 'backend' ? backendAuthorizations.listForClient(clientId, actor) : null,
    app.environment === 'sandbox' ? sandbox.overview.findSlug(mine) : null,
    keyLimits.stopsOfApp(clientId, actor),
    clients.findKeySetFailure(app),
  ])
  const grant = systems?.find(({ practice }) => practice.slug === sandboxSlug)
  return {
    base,
    tabs,
    signIns: paths.sandboxSignIns(organization.slug),
    launch: paths.lab(organization.slug).launch,
    sandbox: sandboxSlug === null ? null : basesOf(args.context, sandboxSlug),
    ownSystem:
      app.audience === 'backend' && sandboxSlug !== null
        ? { allowed: grant?.state === 'granted', mayChange: ownPracticeRoles.includes(organization.role) }
        : null,
    app: {
      clientId,
      name: app.name,
      audience: app.audience,
      authentication: app.authentication,
      environment: app.environment,
      scope: app.scope,
      redirectUris: app.redirectUris,
      jwksUrl: app.jwksUrl,
      keySetFailure,
    },
    stops,
    callPage: paths.logs(organization.slug, { caller: `app:${clientId}` }),
    attempts,
    systems: systems?.filter((system) => system !== grant) ?? null,
  }
})

export const action = page(async (args) => {
  const { app, actor, base } = await getApp(args)
  const { assertionDoctor, backendAuthorizations, ownSandboxSystems } = args.context.services
  const fields = await readFields(args.request)
  const { clientId } = app
  const intent = fields.get('intent')
  if (intent === 'allow' || intent === 'stop') {
    await ownSandboxSystems[intent](clientId, actor)
    return goOn(base, intent === 'allow' ? 'own_system_allowed' : 'own_system_stopped')
  }
  if (intent === 'request') {
    return runForm(fields, systemRequestForm, ({ practice, scope, purpose }) =>
      backendAuthorizations
        .request({ clientId, practiceSlug: practice, scope, purpose }, actor)
        .then(() => goOn(base, 'system_requested'), rethrowAsFieldFault),
    )
  }
  return runForm(fields, assertionForm, async ({ practice, assertion }) => ({
    report: await assertionDoctor
      .check({ clientId, practiceSlug: practice, assertion }, actor)
      .catch(rethrowAsFieldFault),
  }))
})

/** Reports a practice that doesn't exist as an error of its field, not of the page. */
function rethrowAsFieldFault(thrown: unknown): never {
  if (!isProblem(thrown) || thrown.kind !== 'not_found') throw thrown
  const message = 'No practice with this name exists in the app’s environment.'
  throw new Problem('validation', { field: 'practice', message })
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function AppFaults() {
  const loaded = useLoaderData<typeof loader>()
  const { app, base, attempts, systems, sandbox, ownSystem, signIns, launch } = loaded
  const answer = useActionData<typeof action>()
  const guide = guides.find((row) => 'audience' in row && row.audience === app.audience)
  return (
    <div className="page">
      <PageHeader
        title={app.name}
        action={
          <LinkButton size="sm" to={`${base}/limits`}>
            Request higher limits
          </LinkButton>
        }
      >
        {app.environment === 'sandbox'
          ? 'A sandbox app. It reads synthetic people only.'
          : 'A production app. It reads records at practices that allow it.'}
      </PageHeader>
      <Tabs label={app.name} tabs={loaded.tabs} />
      <AppStopped stops={loaded.stops} />
      <div className={app.environment === 'sandbox' ? 'grid main-aside' : 'stack'}>
        <div className="stack">
          <AppFacts app={app} sandbox={sandbox} />
          {ownSystem && <OwnSandbox app={app} system={ownSystem} />}
        </div>
        {app.environment === 'sandbox' && (
          <FirstCall
            {...{ base, signIns, launch }}
            guide={
              // The guide shows the values of the organization's sandbox.
              sandbox &&
              guide && {
                title: guide.title,
                to: `${guidePath(guide.slug)}?${new URLSearchParams({ app: app.clientId })}`,
              }
            }
            people={app.audience !== 'backend'}
          />
        )}
      </div>
      {systems && <SystemRequests systems={systems} />}
      {attempts && (
        <AssertionDoctor
          attempts={attempts}
          callPage={loaded.callPage}
          report={answer && 'report' in answer ? answer.report : null}
        />
      )}
      {sandbox && <OwnVariables {...sandbox} clientId={app.clientId} />}
    </div>
  )
}

interface FirstCallProps extends Pick<Loaded, 'base' | 'signIns' | 'launch'> {
  /** The guide with this app's values filled in. */
  guide: { title: string; to: string } | null | undefined
  /** Whether people use the app. */
  people: boolean
}

/** The first steps with a new app, in order. */
function FirstCall({ base, guide, people, signIns, launch }: FirstCallProps) {
  return (
    <div className="stack aside">
      <Card padded id="first-call" title="First call">
        <LinkButton look="primary" to={`${base}/token`}>
          Get a token
        </LinkButton>
        <p className="small muted">Valid for five minutes.</p>
        <ul className="stack tight plain">
          {people && (
            <>
              <li>
                <Link to={launch}>Launch the app</Link>
              </li>
              <li>
                <Link to={signIns}>Test people and their password</Link>
              </li>
            </>
          )}
          {guide && (
            <li>
              <Link to={guide.to}>{guide.title}</Link>
              <span className="sub">A guide with this app’s values</span>
            </li>
          )}
        </ul>
      </Card>
    </div>
  )
}

function AppFacts({ app, sandbox }: Pick<Loaded, 'app' | 'sandbox'>) {
  return (
    <Card id="connection" title="Connection">
      <Facts
        className="pad facts wide"
        of={{
          'Client ID': <CopyCode row text={app.clientId} label="Copy the client ID" />,
          For: audienceNames[app.audience],
          Client: authenticationNames[app.authentication],
          Environment: environmentNames[app.environment],
          'FHIR base URL': sandbox && <OwnBase base={sandbox.fhir} />,
          Scopes: <code className="breaks">{app.scope}</code>,
          'Redirect URIs':
            app.redirectUris.length > 0 &&
            app.redirectUris.map((uri) => (
              <code key={uri} className="block breaks">
                {uri}
              </code>
            )),
          'Key set URL': app.jwksUrl && (
            <>
              <code className="breaks">{app.jwksUrl}</code>
              {app.keySetFailure && (
                <span className="block">
                  <Tag tone="bad">Not fetched</Tag> {app.keySetFailure.failure} Last attempt:{' '}
                  <Moment at={app.keySetFailure.at} />.
                </span>
              )}
            </>
          ),
        }}
      />
    </Card>
  )
}

function OwnSandbox({ app, system }: { app: Loaded['app']; system: NonNullable<Loaded['ownSystem']> }) {
  return (
    <Card
      id="own-sandbox"
      title="Your sandbox"
      aside={<Tag tone={system.allowed ? 'ok' : 'quiet'}>{system.allowed ? 'Allowed' : 'Off'}</Tag>}
    >
      <div className="pad stack">
        <p>
          {system.allowed
            ? 'This app may read your sandbox. Get a token with a signed assertion.'
            : 'Allow this app to read your sandbox. It takes effect immediately.'}
        </p>
        {system.mayChange ? (
          <Form method="post">
            <SubmitButton
              name="intent"
              value={system.allowed ? 'stop' : 'allow'}
              look={system.allowed ? 'danger' : 'primary'}
              size="sm"
              busy={system.allowed ? 'Stopping' : 'Allowing'}
            >
              {system.allowed ? 'Stop' : 'Allow'}
              <span className="sr"> {app.name}</span>
            </SubmitButton>
          </Form>
        ) : (
          <p className="muted">An owner or admin of your organization can change this.</p>
        )}
      </div>
    </Card>
  )
}

const audienceNames = {
  patient: 'Patients',
  clinician: 'Clinicians',
  backend: 'None (backend system)',
} as const

const authenticationNames = {
  none: 'Public: PKCE only',
  client_secret_basic: 'Confidential: secret',
  private_key_jwt: 'Confidential: signed assertion',
} as const
