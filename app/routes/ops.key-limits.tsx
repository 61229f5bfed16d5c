import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { limitGrantForm } from '../../server/contract/forms-keys.ts'
import { grantedLimitsMax } from '../../server/contract/key-life.ts'
import { windowTable } from '../../server/contract/limits.ts'
import { paths } from '../../server/contract/paths.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { KeyPrefix } from '../components/records/key-prefix.tsx'
import { Button, SubmitButton } from '../components/ui/button.tsx'
import { Field } from '../components/ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../components/ui/form.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { doneCookie } from '../flash.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { readForm, refuse, refuseByProblem } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'Limits of keys · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const grants = await args.context.services.keys.listLimitGrants(actorOf(args, session))
  const [burst, sustained] = windowTable.restKey.windows
  return {
    account: { name: session.account.name, email: session.account.email },
    published: { burst: burst.requests, sustained: sustained.requests },
    grants: grants.map(({ id, burst, sustained, reason, createdAt, key, grantedBy }) => ({
      id,
      burst,
      sustained,
      reason,
      createdAt,
      prefix: key.prefix,
      keyName: key.name,
      organization: key.organization?.name ?? '',
      by: grantedBy.name,
    })),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { keys } = args.context.services
  const actor = actorOf(args, session)
  const headers = { 'set-cookie': doneCookie('limits_changed') }
  const ended = new URL(args.request.url).searchParams.get('end')
  if (ended !== null) {
    await keys.endLimits({ prefix: ended }, actor)
    return redirect(paths.keyLimits, { headers })
  }
  const submission = await readForm(args.request, limitGrantForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    await keys.grantLimits(submission.value, actor)
  } catch (thrown) {
    return refuseByProblem(submission, thrown)
  }
  return redirect(paths.keyLimits, { headers })
})

const labels = { prefix: 'Key', burst: 'Requests a second', sustained: 'Requests a minute', reason: 'Reason' }

export default function KeyLimits() {
  const { account, grants, published } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()?.lastResult
  const [form, fields] = useContractForm({ schema: limitGrantForm, lastResult })
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title="Limits of keys">
        Published: {published.burst} a second, {published.sustained.toLocaleString('en-US')} a minute.{' '}
        <Link to={paths.staff}>Back to the console</Link>
      </PageHead>
      <Form method="post" {...formProps(form)} className="card pad stack gap-6">
        <h2>Grant a key limits of its own</h2>
        <ErrorSummary form={form} fields={fields} labels={labels} />
        <Field meta={fields.prefix} label={labels.prefix} mono hint="Its first twelve characters." />
        <Field
          meta={fields.burst as never}
          label={labels.burst}
          inputMode="numeric"
          hint={`At most ${grantedLimitsMax.burst}, what the practice has over all keys.`}
        />
        <Field
          meta={fields.sustained as never}
          label={labels.sustained}
          inputMode="numeric"
          hint={`At most ${grantedLimitsMax.sustained.toLocaleString('en-US')}.`}
        />
        <Field meta={fields.reason} label={labels.reason} hint="Kept with the grant and your name." />
        <div>
          <SubmitButton busy="Granting">Grant the limits</SubmitButton>
        </div>
      </Form>
      <section className="card" aria-labelledby="grants">
        <div className="head">
          <h2 id="grants">In force</h2>
        </div>
        {grants.length === 0 ? (
          <p className="pad muted">No key has limits of its own.</p>
        ) : (
          <Table
            label="Limits of keys"
            heads={[
              'Key',
              'Limits',
              'Why',
              <span className="sr" key="act">
                Actions
              </span>,
            ]}
          >
            {grants.map((grant) => (
              <Row key={grant.id}>
                <Cell>
                  {grant.keyName}, {grant.organization}
                  <span className="sub">
                    <KeyPrefix prefix={grant.prefix} />
                  </span>
                </Cell>
                <Cell label="Limits">
                  {grant.burst} a second
                  <span className="sub">{grant.sustained.toLocaleString('en-US')} a minute</span>
                </Cell>
                <Cell label="Why">
                  {grant.reason}
                  <span className="sub">
                    {grant.by}, <Moment at={grant.createdAt} as="date" />
                  </span>
                </Cell>
                <Cell className="act">
                  <Form method="post" action={`?end=${encodeURIComponent(grant.prefix)}`}>
                    <Button type="submit" size="sm">
                      End<span className="sr"> the limits of {grant.keyName}</span>
                    </Button>
                  </Form>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </section>
    </ConsoleFrame>
  )
}
