import { Link, useLoaderData } from '@remix-run/react'
import { sampleAppsForm } from '../../../server/contract/forms/sample-apps.ts'
import {
  needsKeys,
  type SampleAppName,
  sampleApps,
  sampleCommand,
} from '../../../server/contract/lab/sample-apps.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { ContractForm, TextArea } from '../../components/ui/form.tsx'
import { CircleCheck, Clock } from '../../components/ui/icons.ts'
import { Card, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Sample apps · Sandpiper' }]
export const handle = { here: 'Apps / Sample apps' }

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { apps, base } = await args.context.services.sampleApps.describe(organization.id, actor)
  return {
    apps: apps.map((app) => ({
      ...app,
      command: sampleCommand(app.name, { base, clientId: app.clientId }),
      to: paths.app(organization.slug, app.clientId),
    })),
    signIns: paths.sandboxSignIns(organization.slug),
    launch: paths.lab(organization.slug).launch,
    mayRegister: organization.role !== 'viewer',
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, sampleAppsForm, async ({ jwks }) => {
    await args.context.services.sampleApps.register({ organizationId: organization.id, jwks }, actor)
    return goOn(paths.sampleApps(organization.slug), 'sample_apps_registered')
  })
})

export default function SampleApps() {
  const { apps, signIns, launch, mayRegister } = useLoaderData<typeof loader>()
  const next: Readonly<Record<SampleAppName, React.ReactNode>> = {
    patient: (
      <>
        Open the printed URL. Sign in with one of your sandbox’s <Link to={signIns}>sign-ins</Link>.
      </>
    ),
    clinician: (
      <>
        Launch it from the <Link to={launch}>Launch simulator</Link>: choose EHR launch and the app “Sample:
        Clinician app”.
      </>
    ),
    backend: 'Run it again to export only what changed since.',
  }
  return (
    <div className="page">
      <PageHeader title="Sample apps">
        Three small apps that run on your computer against your sandbox. Each has fewer than 200 lines. Copy
        what you need.
      </PageHeader>
      {mayRegister ? <RegisterForm /> : <p className="muted">Viewers can’t register apps.</p>}
      {apps.map(({ name, registered, allowed, command, to }) => (
        <Card
          key={name}
          id={name}
          title={sampleApps[name].title}
          aside={<State registered={registered} allowed={allowed} />}
        >
          <div className="pad stack">
            <p>{sampleApps[name].does}</p>
            <CodeBlock
              label={`Command: ${sampleApps[name].title}`}
              bar="Shell, in a checkout of the repository"
              copy={command}
              wrapped
            >
              {command}
            </CodeBlock>
            <p>
              {registered || !needsKeys(name)
                ? next[name]
                : 'Start it once, and it prints its public key set. Paste the key set above and register the apps.'}{' '}
              {registered && <Link to={to}>View refused requests</Link>}
            </p>
            {registered && allowed === false && (
              <p className="muted">
                It gets no token until an owner or admin allows it on <Link to={to}>its page</Link>.
              </p>
            )}
          </div>
        </Card>
      ))}
    </div>
  )
}

function State({ registered, allowed }: { registered: boolean; allowed: boolean | null }) {
  if (!registered)
    return (
      <Tag tone="quiet" icon={Clock}>
        Not registered
      </Tag>
    )
  return allowed === false ? (
    <Tag tone="turn" icon={Clock}>
      Not allowed yet
    </Tag>
  ) : (
    <Tag tone="ok" icon={CircleCheck}>
      {allowed ? 'Registered and allowed' : 'Registered'}
    </Tag>
  )
}

function RegisterForm() {
  return (
    <ContractForm
      title="Register apps"
      optional={['jwks']}
      labels={{ jwks: 'Public key set (optional)' }}
      button="Register sample apps"
      busy="Registering"
    >
      <TextArea
        name="jwks"
        rows={3}
        mono
        spellCheck={false}
        hint="For the clinician app and the backend system, which print it at their first start. Leave it empty to register only the patient app."
      />
    </ContractForm>
  )
}
