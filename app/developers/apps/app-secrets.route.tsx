import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { z } from 'zod'
import { clientSecretRoles, clientSecretsMax } from '../../../server/contract/smart/client-secrets.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, SubmitButton, Tabs } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { findKeyStepUp, type PageArgs, page } from '../../services.server.ts'
import { getApp } from './own-app.server.ts'
import { ShownSecret } from './shown-secret.tsx'

export const meta = () => [{ title: 'Secrets of an app · Sandpiper' }]
export const handle = { here: 'Apps / Secrets' }

/** @throws a 404 page unless the app authenticates with a secret */
async function getConfidentialApp(args: PageArgs) {
  const found = await getApp(args)
  if (found.app.authentication !== 'client_secret_basic') throw data(null, { status: 404 })
  return found
}

export const loader = page(async (args) => {
  const { app, role, session, tabs } = await getConfidentialApp(args)
  return {
    tabs,
    name: app.name,
    environment: app.environment,
    secrets: app.secrets.map(({ id, hint, createdAt }) => ({ id, hint, createdAt })),
    mayChange: clientSecretRoles[app.environment].includes(role),
    stepUp: findKeyStepUp(args, session, app.environment),
  }
})

/** Only the response of `add` contains the new secret. */
export const action = page(async (args) => {
  const { app, actor, base, session } = await getConfidentialApp(args)
  const { clients } = args.context.services
  const { clientId } = app
  return runAction(
    args,
    { add: z.object({}), revoke: z.object({ secret: z.string() }) },
    {
      add: async () => {
        const answer = await clients.addSecret(clientId, actor)
        if (answer.kind === 'step_up_needed')
          throw redirect(findKeyStepUp(args, session, app.environment) ?? base)
        return data({ secret: answer.secret }, { headers: { 'cache-control': 'no-store' } })
      },
      revoke: ({ secret }) => clients.revokeSecret({ clientId, secretId: secret }, actor),
    },
    { to: () => ({ path: `${base}/secrets`, done: 'client_secret_ended' }) },
  )
})

/** No cache may store the page with the secret. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function AppSecrets() {
  const { tabs, name, environment, secrets, mayChange, stepUp } = useLoaderData<typeof loader>()
  const answer = useActionData() as { secret?: string } | undefined
  const isFull = secrets.length >= clientSecretsMax
  return (
    <div className="page">
      <PageHeader title={`Secrets of ${name}`}>
        You can have two, so that you can replace one without downtime. We store only a hash of each.
      </PageHeader>
      <Tabs label={name} tabs={tabs} />
      {answer?.secret && <ShownSecret secret={answer.secret} environment={environment} />}
      <Refusal />
      {secrets.length === 0 ? (
        <EmptyState icon={KeyRound} title="No active secret">
          The app can’t get tokens until you create a secret and store it on your server.
        </EmptyState>
      ) : (
        <Card label="Active secrets">
          <DataTable label="Secrets" heads={['Ends in', 'Created']} act="Revoke">
            {secrets.map(({ id, hint, createdAt }) => (
              <Row key={id}>
                <Cell>
                  <code>…{hint}</code>
                </Cell>
                <Cell label="Created">
                  <Moment at={createdAt} />
                </Cell>
                <Cell>
                  {mayChange && (
                    <Form method="post">
                      <input type="hidden" name="secret" value={id} />
                      <SubmitButton name="intent" value="revoke" look="danger" size="sm" busy="Revoking">
                        Revoke …{hint}
                      </SubmitButton>
                    </Form>
                  )}
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      )}
      {!mayChange ? (
        <p className="muted">
          {environment === 'production' ? 'Owners and admins' : 'Owners, admins and developers'} of the
          organization can create and revoke this app’s secrets.
        </p>
      ) : isFull ? (
        <p className="muted">Revoke one to create another.</p>
      ) : stepUp ? (
        <p>
          <Link to={stepUp}>Confirm your password</Link> to create a secret.
        </p>
      ) : (
        <Form method="post">
          <SubmitButton name="intent" value="add" busy="Creating">
            Create secret
          </SubmitButton>
        </Form>
      )}
    </div>
  )
}
