import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { infernoForm } from '../../../server/contract/forms/inferno.ts'
import { conformancePersonId } from '../../../server/contract/lab/conformance-person.ts'
import {
  type InfernoKit,
  type InfernoRole,
  infernoKitNames,
  infernoKits,
  infernoPreset,
  infernoRoles,
  isInfernoKit,
  publicInferno,
} from '../../../server/contract/lab/inferno-kits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { Banner, Button, Card, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Test with Inferno · Sandpiper' }]
export const handle = { here: 'Test / Test with Inferno' }

export const loader = page(async (args) => {
  const { organization } = await getOrganization(args)
  const preset = new URL(args.request.url).searchParams.get('kit') ?? ''
  const kit: InfernoKit = isInfernoKit(preset) ? preset : 'g10'
  return {
    people: paths.sandboxPeople(organization.slug),
    preset: paths.infernoPreset(organization.slug, kit),
    kit,
    mayRegister: organization.role !== 'viewer',
  }
})

/** New secrets are in this response and nowhere else. */
export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { inferno } = args.context.services
  return runForm(args.request, infernoForm, async ({ kit, inferno: address }, submission) => {
    const secrets = await inferno.register({ organizationId: organization.id, kit, inferno: address }, actor)
    const facts = await inferno.describe(organization.id, actor)
    const preset = infernoPreset(kit, { ...facts, secrets })
    return data(
      { lastResult: submission.sent, registered: { kit, secrets, preset } },
      { headers: { 'cache-control': 'no-store' } },
    )
  })
})

export const headers = () => ({ 'cache-control': 'no-store' })

const labels = { inferno: 'Inferno URL' }

export default function Inferno() {
  const { people, preset, kit, mayRegister } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const registered = answer && 'registered' in answer ? answer.registered : undefined
  return (
    <div className="page">
      <PageHeader title="Test with Inferno">
        Inferno runs the public conformance tests for FHIR servers. Register its apps here, then load the
        preset into Inferno.
      </PageHeader>
      {registered && <InfernoSecrets {...registered} />}
      <nav className="row" aria-label="Test kits">
        {infernoKitNames.map((name) => (
          <LinkButton
            key={name}
            size="sm"
            to={`?kit=${name}`}
            {...(name === kit ? { 'aria-current': 'page' as const, look: 'primary' as const } : {})}
          >
            {infernoKits[name].title}
          </LinkButton>
        ))}
      </nav>
      {mayRegister ? (
        <RegisterForm key={kit} kit={kit} />
      ) : (
        <p className="muted">Viewers can’t register apps.</p>
      )}
      <Card padded title="2. Load the preset">
        <p>
          Sign in as Vera Everyfield (<code>{conformancePersonId}</code>) when a test needs a patient. Her
          chart has every element that US Core 6.1.0 requires. <Link to={people}>Test people</Link>
        </p>
        <p>
          On the consent page, also select the sensitive records and “Until I stop it”, unless a test says
          otherwise.
        </p>
        <p>
          This file has placeholders for secrets. The file you download right after registering contains the
          secrets.
        </p>
        <LinkButton to={preset} reloadDocument>
          Download the preset
        </LinkButton>
      </Card>
    </div>
  )
}

function RegisterForm({ kit }: { kit: InfernoKit }) {
  return (
    <ContractForm
      title="1. Register the apps"
      optional={['inferno']}
      labels={labels}
      defaultValue={{ inferno: publicInferno }}
      hidden={{ kit }}
      button="Register the apps"
      busy="Registering"
    >
      <p>
        Each kit has its own redirect and launch URIs, so it gets its own apps. Registering again only updates
        the URIs.
        {infernoKits[kit].roles.some((role) => role === 'backend') &&
          ' If an owner or admin registers them, the backend system is also allowed in your sandbox.'}
      </p>
      <Field
        name="inferno"
        hint="Keep the default for the public Inferno. For your own copy, use http://localhost:4567"
      />
    </ContractForm>
  )
}

interface InfernoSecretsProps {
  kit: InfernoKit
  /** Credentials of the new apps, shown once. */
  secrets: Partial<Record<InfernoRole, string>>
  preset: string
}

/** The new secrets, and the preset that contains them. Only this response has them. */
function InfernoSecrets({ kit, secrets, preset }: InfernoSecretsProps) {
  const roles = Object.entries(secrets) as [InfernoRole, string][]
  if (roles.length === 0)
    return (
      <Banner tone="ok" title={`The apps of ${infernoKits[kit].title} are registered.`}>
        Your existing secrets still work. Create a new one on the app’s page.
      </Banner>
    )
  return (
    <section className="banner turn" aria-label="Client secrets">
      <KeyRound className="i" />
      <div className="stack">
        <p>
          <strong>Client secrets for {infernoKits[kit].title}, shown once.</strong> Save them now. Leaving
          this page loses them.
        </p>
        {roles.map(([role, secret]) => (
          <p key={role}>
            {infernoRoles[role].title}:{' '}
            <CopyCode text={secret} label={`Copy the client secret: ${infernoRoles[role].title}`} />
          </p>
        ))}
        <div className="row needs-script">
          <Button size="sm" onClick={() => saveFile(`inferno-${kit}.json`, preset, 'application/json')}>
            Download the preset with secrets
          </Button>
        </div>
      </div>
    </section>
  )
}
