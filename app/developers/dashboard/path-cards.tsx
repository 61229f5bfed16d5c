import { Link } from '@remix-run/react'
import { type AppStep, appProgress } from '../../../server/contract/portal/app-path.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { productionKeyStates } from '../../../server/contract/workflows/production-key-workflow.ts'
import { stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import type { overview } from '../../../server/domain/organizations/organizations.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { AppWindow, CircleDashed, Clock, KeyRound } from '../../components/ui/icons.ts'
import { Stepper } from '../../components/ui/stepper.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import type { Serialized } from '../../lib/serialized.ts'

type Overview = Serialized<Awaited<ReturnType<typeof overview>>>
type App = Overview['apps'][number]
type Waiting = App['waitingOn'] | Overview['requests'][number]['waitingOn']

interface PathProps extends Overview {
  slug: string
}

/** The two ways to begin, side by side. */
export function TwoWays({ slug, mayRequest }: { slug: string; mayRequest: boolean }) {
  return (
    <section className="grid g2" aria-label="Two ways to start">
      <Card padded title="Call the REST API with a key">
        <p>
          For a server that reads and writes one practice’s records. Describe your project, claim the key and
          call the API. It takes two minutes.
        </p>
        {mayRequest && (
          <div>
            <LinkButton to={`${paths.organizationKeys(slug)}/new`}>
              <KeyRound className="i" />
              Request a sandbox key
            </LinkButton>
          </div>
        )}
      </Card>
      <Card padded title="Build a SMART on FHIR app">
        <p>
          For an app that patients or clinicians sign in to, or for a backend system. Enter a name and a
          redirect URI, and its sandbox client ID works immediately.
        </p>
        {mayRequest && (
          <div>
            <LinkButton to={paths.newRegistration(slug)}>
              <AppWindow className="i" />
              Create an app
            </LinkButton>
          </div>
        )}
      </Card>
      {!mayRequest && (
        <p className="muted">
          Only developers and admins of this organization can do this. Your role is read-only.
        </p>
      )}
    </section>
  )
}

/** Each app's way to production, the one that changed last first. */
export function AppPaths({ slug, apps, hasApps }: PathProps) {
  if (apps.length === 0)
    return (
      <Card
        id="apps"
        title="Apps"
        aside={
          hasApps && (
            <Link className="small" to={paths.organizationApps(slug)}>
              All apps
            </Link>
          )
        }
      >
        <p className="pad">
          {hasApps ? 'No app is being reviewed for production.' : 'No apps yet.'}{' '}
          <Link to={paths.newRegistration(slug)}>Create an app</Link> to use SMART on FHIR.
        </p>
      </Card>
    )
  return (
    <Card
      id="apps"
      title="Apps"
      aside={
        <Link className="small" to={paths.organizationApps(slug)}>
          All apps
        </Link>
      }
    >
      <ul className="pad list">
        {apps.map((app) => (
          <li key={app.id} className="stack">
            <div className="row between">
              <Link className="label" to={paths.registration(slug, app.id)}>
                {app.name || 'Untitled draft'}
              </Link>
              <TurnTag
                waitingOn={app.state === 'draft' ? 'nobody' : app.waitingOn}
                words={stateNames[app.state]}
              />
            </div>
            <Stepper
              label={`Steps of ${app.name || 'the draft'}`}
              steps={appProgress(app.state, app.tested).map(({ step, ...each }) => ({
                ...each,
                note: noteOf(app, step, each.progress),
                ...(isSkipped(app, step, each.progress) && { progress: 'skipped' as const }),
              }))}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const isSkipped = ({ tested }: Pick<App, 'tested'>, step: AppStep, progress: string) =>
  progress === 'done' && step === 'sandbox' && !tested

function noteOf({ state, tested }: App, step: AppStep, progress: 'done' | 'here' | 'ahead'): string {
  if (progress === 'done') return isSkipped({ tested }, step, progress) ? 'Skipped' : 'Done'
  if (progress === 'here')
    return {
      sandbox: 'Get a first token',
      registration: 'Submit for production',
      review: stateNames[state],
      enabled: stateNames[state],
    }[step]
  return {
    sandbox: '',
    registration: 'After your tests',
    review: 'About 5 business days',
    enabled: 'People can sign in',
  }[step]
}

/** Requests for production keys on their way, or the way there for somebody who has a key of the sandbox. */
export function ProductionPaths({ slug, requests }: PathProps) {
  return (
    <Card
      id="production"
      title="Production keys"
      aside={
        <Link className="small" to={paths.productionKeys(slug)}>
          All production keys
        </Link>
      }
    >
      {requests.length === 0 ? (
        <p className="pad">
          Need access to a practice’s real records?{' '}
          <Link to={paths.newProductionKey(slug)}>Request a production key</Link> with the practice’s support.
        </p>
      ) : (
        <ul className="pad list">
          {requests.map(({ id, name, state, steps, waitingOn, practiceName }) => (
            <li key={id} className="stack">
              <div className="row between">
                <div>
                  <Link className="label" to={paths.productionKey(slug, id)}>
                    {name || 'Untitled request'}
                  </Link>
                  <p className="small muted">{practiceName}</p>
                </div>
                <TurnTag waitingOn={waitingOn} words={productionKeyStates[state].name} />
              </div>
              <Stepper
                label={`Steps of ${name || 'the request'}`}
                steps={steps.map((step) => ({
                  title: step.title,
                  progress: step.state === 'ended' ? 'ahead' : step.state,
                  note: step.state === 'here' ? step.holder : step.state === 'done' ? 'Done' : 'Not yet',
                }))}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function TurnTag({ waitingOn, words }: { waitingOn: Waiting; words: string }) {
  if (waitingOn === 'developer') return <Tag tone="turn">{words}</Tag>
  if (words === stateNames.enabled) return <Tag tone="ok">{words}</Tag>
  return <Tag icon={words === stateNames.draft ? CircleDashed : Clock}>{words}</Tag>
}
