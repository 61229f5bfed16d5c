import { Form, Link, type MetaFunction, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import {
  formOfLink,
  type OpenLaunch,
  openLaunchAudience,
  openLaunchClinicians,
  openLaunchForm,
  openLaunchPatients,
} from '../../../server/contract/lab/open-launch.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Rocket, TriangleAlert } from '../../components/ui/icons.ts'
import { Banner, Facts, LinkButton, SubmitButton } from '../../components/ui/page-parts.tsx'
import { page, visitorOf } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: view && 'host' in view ? `Launch ${view.host} · Sandpiper` : 'Launch link · Sandpiper' },
  { name: 'robots', content: 'noindex' },
]

/** Shows where the link leads. Nothing is created and no page of the app is opened before the click. */
export const loader = page(async (args) => {
  const { searchParams } = new URL(args.request.url)
  const change = `${paths.openLaunch}?${new URLSearchParams(formOfLink(searchParams))}`
  const parsed = openLaunchForm.safeParse(formOfLink(searchParams))
  if (!parsed.success)
    return invalidLink(
      parsed.error.issues.map(({ message }) => message),
      change,
    )
  try {
    const launch = parsed.data
    const shown = await args.context.services.openLaunches.show(launch)
    return { ...shown, ...namesOf(launch), launch, change, link: args.request.url }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'validation') throw thrown
    return invalidLink([thrown.message], change)
  }
})

const invalidLink = (faults: string[], change: string) => data({ faults, change }, { status: 400 })

/** Only the page's own form is sent here, because other sites cannot post to the portal. */
export const action = page(async (args) => {
  const { searchParams } = new URL(args.request.url)
  const parsed = openLaunchForm.safeParse(formOfLink(searchParams))
  if (!parsed.success) throw data({ message: 'This launch link is incomplete.' }, { status: 400 })
  const { ip } = visitorOf(args)
  const cookieHeader = args.request.headers.get('cookie')
  const { url, cookie } = await args.context.services.openLaunches.start(parsed.data, { ip, cookieHeader })
  return redirect(url, { status: 303, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } })
})

/** The names of the person who signs in and of the patient whose record is open. */
function namesOf({ kind, patient, clinician }: OpenLaunch) {
  const nameOf = (people: typeof openLaunchPatients, id: string | undefined) =>
    people.find((person) => person.id === id)?.name ?? null
  const patientName = nameOf(openLaunchPatients, patient)
  return openLaunchAudience(kind) === 'clinician'
    ? { decides: nameOf(openLaunchClinicians, clinician) ?? openLaunchClinicians[0]?.name, patientName }
    : { decides: patientName, patientName: null }
}

export default function LaunchLink() {
  const view = useLoaderData<typeof loader>()
  if ('faults' in view) return <Refused faults={view.faults} change={view.change} />
  const { launch, host, clientId, iss, practiceName, decides, patientName } = view
  return (
    <Gate
      wide
      title={
        <>
          Launch the app at <code className="breaks">{host}</code>?
        </>
      }
      lead={`It opens with synthetic people from ${practiceName}. Nothing starts until you click.`}
      after={
        <p>
          <Link to={view.change}>Change this launch</Link> ·{' '}
          <Link to={paths.openLaunchLogs}>View your launches of the last hour</Link>
        </p>
      }
    >
      <div className="stack gap-5">
        <Banner tone="wait" icon={TriangleAlert} title="We have not reviewed this app.">
          Anyone can create a link like this, for any app. Don’t enter passwords or real health data there.
          {host.includes('xn--') && ' The host name has non-Latin letters, so we show its ASCII form (xn--).'}
        </Banner>
        <section className="card pad stack" aria-label="The launch">
          <Facts
            className="facts wide"
            of={{
              'Launch URL': <code className="breaks">{launch.url}</code>,
              'Launch type': launchKindRow(launch.kind).title,
              'Person signing in': decides,
              Patient: patientName,
              Visit: launch.encounter && <code>{launch.encounter}</code>,
              'Maximum scopes': <code className="breaks">{launch.scope}</code>,
              'Redirect URIs': launch.redirect.map((each) => (
                <code key={each} className="breaks block">
                  {each}
                </code>
              )),
            }}
          />
          <Form method="post" reloadDocument>
            <SubmitButton size="lg" busy="Launching">
              <Rocket className="i" />
              Launch {host}
            </SubmitButton>
          </Form>
        </section>
        <section className="stack tight" aria-labelledby="settings">
          <h2 id="settings">Your app’s settings</h2>
          <p className="muted">
            Public client, PKCE with S256, no secret. The client ID stays the same as long as the redirect
            URIs do.
          </p>
          <CodeBlock label="Client ID" bar="Client ID" copy={clientId} wrapped>
            {clientId}
          </CodeBlock>
          <CodeBlock label="FHIR base URL" bar="FHIR base URL (iss)" copy={iss} wrapped>
            {iss}
          </CodeBlock>
          <CodeBlock label="This link" bar="This link (bookmark or share it)" copy={view.link} wrapped>
            {view.link}
          </CodeBlock>
        </section>
      </div>
    </Gate>
  )
}

function Refused({ faults, change }: { faults: readonly string[]; change: string }) {
  return (
    <Gate title="This link can’t be launched">
      <div className="stack gap-5">
        <section className="banner bad" role="alert">
          <TriangleAlert className="i" />
          <div>
            {[...new Set(faults)].map((fault) => (
              <p key={fault}>
                <strong>{fault}</strong>
              </p>
            ))}
          </div>
        </section>
        <div>
          <LinkButton look="primary" to={change}>
            Correct the launch
          </LinkButton>
        </div>
      </div>
    </Gate>
  )
}
