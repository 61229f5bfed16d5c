import { Form, Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { z } from 'zod'
import { paths } from '../../../server/contract/portal/paths.ts'
import { describeScopes } from '../../../server/contract/smart/scope-labels.ts'
import { readScopes } from '../../../server/contract/smart/scopes.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Server, ShieldCheck } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, Moment, SubmitButton, Tag } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { toReads } from '../../shared/consent/consent-view.ts'
import { PolicyFields, policyShape } from '../../shared/fhir-policy/policy-fields.tsx'
import { SystemSwitch } from '../../shared/practice/system-switch.tsx'
import { OwnPracticeHeader } from './own-practice-header.tsx'
import { getOwnPractice } from './sandbox.server.ts'

export const meta = () => [{ title: 'Sandbox practice · Sandpiper' }]
export const handle = { here: 'Test / Practice' }

export const loader = page(async (args) => {
  const { organization, actor, practice, to } = await getOwnPractice(args)
  const { fhirPolicy, practiceGrants, ownSandboxSystems } = args.context.services
  const [policy, grants, systems] = await Promise.all([
    fhirPolicy.get(practice.id, actor),
    practiceGrants.list(practice.id, actor),
    ownSandboxSystems.list(organization.id, actor),
  ])
  return {
    practice,
    to,
    policy,
    grants: grants.map(({ scope, ...grant }) => ({ ...grant, reads: toReads(readScopes(scope)) })),
    systems: systems.map(({ scope, ...system }) => ({
      ...system,
      app: paths.appFaults(organization.slug, system.clientId),
      reads: scope === null ? [] : describeScopes(readScopes(scope), 'other').lines.map(({ title }) => title),
    })),
  }
})

const steps = {
  fhir: z.object(policyShape),
  allow: z.object({ client: z.string() }),
  stop: z.object({ client: z.string() }),
  end: z.object({ grant: z.string() }),
}
const doneByIntent = {
  fhir: 'fhir_policy_saved',
  allow: 'own_system_allowed',
  stop: 'own_system_stopped',
  end: 'own_grant_ended',
} as const

export const action = page(async (args) => {
  const { organization, actor, practice, to } = await getOwnPractice(args)
  const { fhirPolicy, grants, practiceGrants, ownSandboxSystems } = args.context.services
  /** Another organization's app, where the person is an admin, too, is not this page's. */
  const findSystem = async (clientId: string) => {
    const systems = await ownSandboxSystems.list(organization.id, actor)
    if (!systems.some((system) => system.clientId === clientId)) throw data(null, { status: 404 })
    return clientId
  }
  return runAction(
    args,
    steps,
    {
      fhir: (policy) => fhirPolicy.set(practice.id, policy, actor),
      allow: async ({ client }) => void (await ownSandboxSystems.allow(await findSystem(client), actor)),
      stop: async ({ client }) => void (await ownSandboxSystems.stop(await findSystem(client), actor)),
      end: async ({ grant: grantId }) => {
        const listed = await practiceGrants.list(practice.id, actor)
        if (!listed.some((grant) => grant.grantId === grantId)) throw data(null, { status: 404 })
        await grants.revoke(grantId, actor)
      },
    },
    { to: (intent) => ({ path: to.console, done: doneByIntent[intent] }) },
  )
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function OwnPractice() {
  const { practice, to, policy, grants, systems } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <OwnPracticeHeader title="Practice console" practice={practice} to={to} here="console" />
      <Refusal />
      <Systems systems={systems} />
      <Grants grants={grants} />
      <section className="stack" aria-labelledby="fhir">
        <h2 id="fhir">FHIR access</h2>
        <Form method="post" className="card pad stack" aria-label="FHIR access">
          <PolicyFields policy={policy} systems="Allowed backend systems" />
          <SubmitButton name="intent" value="fhir" busy="Saving">
            Save
          </SubmitButton>
        </Form>
      </section>
    </div>
  )
}

function Systems({ systems }: Pick<Loaded, 'systems'>) {
  if (systems.length === 0)
    return (
      <EmptyState icon={Server} title="No backend app yet">
        A backend app reads without a person. Register one under Apps, then allow it here.
      </EmptyState>
    )
  return (
    <Card id="systems" title="Backend apps">
      <DataTable label="Backend apps" heads={['App', 'Access', 'Reads', 'Change']}>
        {systems.map((system) => (
          <Row key={system.clientId}>
            <Cell>
              <Link className="label" to={system.app}>
                {system.name}
              </Link>
              <span className="sub">
                <code className="breaks">{system.clientId}</code>
              </span>
            </Cell>
            <Cell label="Access">
              <Tag tone={system.allowed ? 'ok' : 'quiet'}>{system.allowed ? 'Allowed' : 'Off'}</Tag>
              {system.decidedAt && (
                <span className="sub">
                  since <Moment at={system.decidedAt} />
                </span>
              )}
            </Cell>
            <Cell label="Reads">{system.allowed ? system.reads.join(' · ') : 'Nothing'}</Cell>
            <Cell>
              <SystemSwitch client={system} allowed={system.allowed} />
            </Cell>
          </Row>
        ))}
      </DataTable>
      <footer>
        A change applies from the next request. An allowed app can read everything it is registered for.
      </footer>
    </Card>
  )
}

function Grants({ grants }: Pick<Loaded, 'grants'>) {
  if (grants.length === 0)
    return (
      <EmptyState icon={ShieldCheck} title="No app allowed yet">
        When a sandbox patient or clinician allows an app, you can end its access here.
      </EmptyState>
    )
  return (
    <Card id="grants" title="Apps people connected">
      <DataTable label="Apps people connected" heads={['Person', 'App', 'Reads', 'Allowed', 'Change']}>
        {grants.map((grant) => (
          <Row key={grant.grantId}>
            <Cell>
              {grant.personName}
              {grant.patientId && (
                <span className="sub">
                  for <code className="breaks">{grant.patientId}</code>
                </span>
              )}
            </Cell>
            <Cell label="App">{grant.appName}</Cell>
            <Cell label="Reads">{grant.reads.join(' · ') || 'Only their identity'}</Cell>
            <Cell label="Allowed">
              <Moment at={grant.grantedAt} />
            </Cell>
            <Cell>
              <Form method="post">
                <input type="hidden" name="grant" value={grant.grantId} />
                <SubmitButton name="intent" value="end" look="danger" size="sm" busy="Ending">
                  End
                  <span className="sr">
                    {' '}
                    access of {grant.appName} for {grant.personName}
                  </span>
                </SubmitButton>
              </Form>
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
