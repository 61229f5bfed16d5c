import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { appTokenForm } from '../../../server/contract/forms/app-tokens.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { appTokenRoles } from '../../../server/contract/lab/app-tokens.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { IssuedAppToken } from '../../../server/lab/tokens/app-tokens.ts'
import { CopyButton, CopyCode } from '../../components/ui/copy-button.tsx'
import { KeyRound } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Card, Moment, PageHeader, SubmitButton, Tabs } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, refuse, runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getApp } from './own-app.server.ts'
import { TokenForm } from './token-form.tsx'

export const meta = () => [{ title: 'Get a token · Sandpiper' }]
export const handle = { here: 'Apps / Get a token' }

export const loader = page(async (args) => {
  const { app, actor, organization, role, tabs } = await getApp(args)
  const { appTokens, sandboxes } = args.context.services
  const { clientId, name, audience, scope } = app
  if (app.environment === 'sandbox') await sandboxes.ensure(organization.id, { writable: false })
  const mayGet = appTokenRoles.includes(role)
  const described = mayGet
    ? await appTokens.describe({ organizationId: organization.id, clientId }, actor)
    : { refusal: null, tokens: [] }
  return { tabs, name, audience, scope, mayGet, ...described }
})

export const action = page(async (args) => {
  const { app, actor, organization } = await getApp(args)
  const { appTokens } = args.context.services
  const ids = { organizationId: organization.id, clientId: app.clientId }
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'end') {
    await appTokens.end({ ...ids, tokenId: String(fields.get('token') ?? '') }, actor)
    return goOn(paths.appToken(organization.slug, app.clientId), 'app_token_ended')
  }
  return runForm(fields, appTokenForm, async ({ person, patient, scope }, submission) => {
    // For a patient app, a choice is `person:record`: a parent can sign in for several records.
    const [localPart = null, record = patient] = person?.split(':') ?? []
    try {
      const issued = await appTokens.issue({ ...ids, person: localPart, patient: record, scope }, actor)
      return data({ lastResult: submission.sent, issued }, { headers: { 'cache-control': 'no-store' } })
    } catch (thrown) {
      if (!isProblem(thrown) || thrown.kind !== 'rate_limited') throw thrown
      const { message: form, status, retryAfterSeconds = 60 } = thrown
      return refuse(submission, { form, status, retryAfterSeconds })
    }
  })
})

/** No cache may store the response that contains the token. */
export const headers = () => ({ 'cache-control': 'no-store' })

export default function GetToken() {
  const { tabs, name, audience, scope, mayGet, refusal, tokens } = useLoaderData<typeof loader>()
  const issued = (useActionData() as { issued?: IssuedAppToken } | undefined)?.issued
  return (
    <div className="page">
      <PageHeader title="Get a token">Get a five-minute access token of {name} for your sandbox.</PageHeader>
      <Tabs label={name} tabs={tabs} />
      {issued && <IssuedToken {...issued} />}
      {!mayGet ? (
        <p className="muted">Owners, admins and developers of the organization can get tokens.</p>
      ) : refusal ? (
        <Banner tone="wait" title="No token yet.">
          {refusal}
        </Banner>
      ) : (
        <TokenForm audience={audience} scope={scope} />
      )}
      {tokens.length > 0 && <LiveTokens tokens={tokens} />}
    </div>
  )
}

type LiveToken = ReturnType<typeof useLoaderData<typeof loader>>['tokens'][number]

function LiveTokens({ tokens }: { tokens: readonly LiveToken[] }) {
  return (
    <Card title="Active tokens">
      <DataTable label="Active tokens" heads={['For', 'Scopes', 'Expires']} act="Revoke">
        {tokens.map(({ id, person, patientId, scope, expiresAt }) => (
          <Row key={id}>
            <Cell>
              <span className="label">{person ?? 'The app itself'}</span>
              {patientId && <code className="sub breaks">{patientId}</code>}
            </Cell>
            <Cell label="Scopes">
              <code className="breaks">{scope}</code>
            </Cell>
            <Cell label="Expires">
              <Moment at={expiresAt} as="seconds" />
            </Cell>
            <Cell>
              <Form method="post">
                <input type="hidden" name="token" value={id} />
                <SubmitButton name="intent" value="end" look="danger" size="sm" busy="Revoking">
                  Revoke
                </SubmitButton>
              </Form>
            </Cell>
          </Row>
        ))}
      </DataTable>
      <p className="pad small muted">Only tokens created on this page are listed.</p>
    </Card>
  )
}

/** The new access token. Reloading the page no longer shows it. */
function IssuedToken({ accessToken, idToken, expiresAt, scope, person, patientId }: IssuedAppToken) {
  const command = `export TOKEN=${accessToken}`
  return (
    <section className="banner turn" aria-label="Access token">
      <KeyRound className="i" />
      <div className="stack">
        <p>
          <strong>Access token, shown once.</strong> Copy it now. It expires <Moment at={expiresAt} />.
        </p>
        <p>
          <CopyCode text={accessToken} label="Copy the access token" />
        </p>
        <p>
          Scopes: <code className="breaks">{scope}</code>
          {person && <> · {person}</>}
          {patientId && (
            <>
              {' '}
              · <code className="breaks">{patientId}</code>
            </>
          )}
        </p>
        {idToken && (
          <details>
            <summary>ID token</summary>
            <p>
              <CopyCode text={idToken} label="Copy the ID token" />
            </p>
          </details>
        )}
        <p>
          For the commands of the guides:{' '}
          <CopyButton text={command} label="Copy as TOKEN" word="Copy as TOKEN" />
        </p>
      </div>
    </section>
  )
}
