import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { limitGrantForm } from '../../server/contract/forms/keys.ts'
import { windowTable } from '../../server/contract/http/limits.ts'
import { grantedLimitsMax } from '../../server/contract/keys/key-life.ts'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { ContractForm } from '../components/ui/contract-form.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { Field } from '../components/ui/field.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { goOn, runForm } from '../lib/submission.server.ts'
import { page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { KeyPrefix } from '../shared/keys/key-prefix.tsx'
import { getOps, performAct, readAsked, withoutAct } from './ops.server.ts'
import { OpsAct, OpsActLink } from './ops-act.tsx'

export const meta: MetaFunction = () => [{ title: 'Limits of keys · Sandpiper' }]

const mine = ['end_key_limits'] as const

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, stepUp } = await getOps(args)
  const grants = await args.context.services.keys.listLimitGrants(
    actor,
    readPageAsk(new URL(args.request.url).searchParams),
  )
  const [burst, sustained] = windowTable.restKey.windows
  return {
    account,
    stepUp,
    asked: readAsked(args.request, mine),
    published: { burst: burst.requests, sustained: sustained.requests },
    back: withoutAct(args.request),
    listed: {
      ...grants,
      rows: grants.rows.map(({ id, burst, sustained, reason, createdAt, key, grantedBy }) => ({
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
    },
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  if (readAsked(args.request, mine)) return performAct(args, mine, withoutAct(args.request))
  const { actor } = await getOps(args)
  return runForm(args.request, limitGrantForm, async (value) => {
    await args.context.services.keys.grantLimits(value, actor)
    return goOn(paths.keyLimits, 'limits_changed')
  })
})

const labels = { prefix: 'Key', burst: 'Requests a second', sustained: 'Requests a minute', reason: 'Reason' }

export default function KeyLimits() {
  const { account, stepUp, asked, back, listed, published } = useLoaderData<typeof loader>()
  const { rows: grants, q } = listed
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title="Limits of keys">
        Published: {published.burst} a second, {published.sustained.toLocaleString('en-US')} a minute.{' '}
        <Link to={paths.staff}>Back to the console</Link>
      </PageHeader>
      {asked ? (
        <OpsAct asked={asked} about={<KeyPrefix prefix={asked.id} />} stepUp={stepUp} back={back} />
      ) : stepUp ? (
        <Locked to={stepUp} />
      ) : (
        <GrantForm />
      )}
      {(q !== '' || listed.pages > 1) && <ListSearch label="Key, organization or reason" q={q} />}
      <Card id="grants" title="In force">
        {grants.length === 0 ? (
          <p className="pad muted">
            {q === '' ? 'No key has limits of its own.' : `No key with limits of its own matches “${q}”.`}
          </p>
        ) : (
          <DataTable
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
                  <OpsActLink
                    act="end_key_limits"
                    id={grant.prefix}
                    version={0}
                    label="End"
                    of={`the limits of ${grant.keyName}`}
                  />
                </Cell>
              </Row>
            ))}
          </DataTable>
        )}
        <Pager label="limits" listed={listed} />
      </Card>
    </ConsoleFrame>
  )
}

function Locked({ to }: { to: string }) {
  return (
    <Card padded id="grant" title="Grant a key limits of its own">
      <p className="muted">It needs fresh proof of who you are.</p>
      <div>
        <LinkButton look="primary" to={to}>
          Confirm that it is you
        </LinkButton>
      </div>
    </Card>
  )
}

function GrantForm() {
  return (
    <ContractForm
      title="Grant a key limits of its own"
      schema={limitGrantForm}
      labels={labels}
      button="Grant the limits"
      busy="Granting"
    >
      <Field name="prefix" mono hint="Its first twelve characters." />
      <Field
        name="burst"
        inputMode="numeric"
        hint={`At most ${grantedLimitsMax.burst}, what the practice has over all keys.`}
      />
      <Field
        name="sustained"
        inputMode="numeric"
        hint={`At most ${grantedLimitsMax.sustained.toLocaleString('en-US')}.`}
      />
      <Field name="reason" hint="Kept with the grant and your name." />
    </ContractForm>
  )
}
