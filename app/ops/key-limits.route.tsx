import { useLoaderData } from '@remix-run/react'
import { limitGrantForm } from '../../server/contract/forms/keys.ts'
import { windowTable } from '../../server/contract/http/limits.ts'
import { grantedLimitsMax } from '../../server/contract/keys/key-life.ts'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../components/ui/form.tsx'
import { Cell, DataTable, ListSearch, Pager, Row } from '../components/ui/list.tsx'
import { Card, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { goOn, runForm } from '../lib/submission.server.ts'
import { page } from '../services.server.ts'
import { KeyPrefix } from '../shared/keys/key-words.tsx'
import { LockedCard } from '../shared/sign-in/confirm-first.tsx'
import { getOps, openOps, performAction, readAction, withoutAct } from './ops.server.ts'
import { OpsActionForm, OpsActionLink } from './ops-action.tsx'

export const meta = () => [{ title: 'Key limits · Sandpiper' }]

const pageActions = ['end_key_limits'] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions)
  const grants = await args.context.services.keys.listLimitGrants(
    actor,
    readPageAsk(new URL(args.request.url).searchParams),
  )
  const [burst, sustained] = windowTable.restKey.windows
  return {
    act,
    published: { burst: burst.requests, sustained: sustained.requests },
    listed: grants,
  }
})

export const action = page(async (args) => {
  if (readAction(args.request, pageActions)) return performAction(args, pageActions, withoutAct(args.request))
  const { actor } = await getOps(args)
  return runForm(args.request, limitGrantForm, async (value) => {
    await args.context.services.keys.grantLimits(value, actor)
    return goOn(paths.keyLimits, 'limits_changed')
  })
})

const labels = {
  prefix: 'Key',
  burst: 'Requests per second',
  sustained: 'Requests per minute',
  reason: 'Reason',
}

export default function KeyLimits() {
  const { act, listed, published } = useLoaderData<typeof loader>()
  const { rows: grants, q } = listed
  return (
    <>
      <PageHeader title="Key limits">
        Published limits: {published.burst} per second, {published.sustained.toLocaleString('en-US')} per
        minute.
      </PageHeader>
      {act.requested ? (
        <OpsActionForm about={<KeyPrefix prefix={act.requested.id} />} />
      ) : act.stepUp ? (
        <LockedCard id="grant" title="Set custom limits for a key" to={act.stepUp}>
          Confirm your password first.
        </LockedCard>
      ) : (
        <GrantForm />
      )}
      {(q !== '' || listed.pages > 1) && <ListSearch label="Key, organization or reason" q={q} />}
      <Card id="grants" title="In force">
        {grants.length === 0 ? (
          <p className="pad muted">
            {q === '' ? 'No key has custom limits.' : `No key with custom limits matches “${q}”.`}
          </p>
        ) : (
          <DataTable label="Key limits" heads={['Key', 'Limits', 'Reason']} act="Actions">
            {grants.map((grant) => (
              <Row key={grant.id}>
                <Cell>
                  {grant.key.name}, {grant.key.organization?.name}
                  <span className="sub">
                    <KeyPrefix prefix={grant.key.prefix} />
                  </span>
                </Cell>
                <Cell label="Limits">
                  {grant.burst} per second
                  <span className="sub">{grant.sustained.toLocaleString('en-US')} per minute</span>
                </Cell>
                <Cell label="Reason">
                  {grant.reason}
                  <span className="sub">
                    {grant.grantedBy.name}, <Moment at={grant.createdAt} as="date" />
                  </span>
                </Cell>
                <Cell className="act">
                  <OpsActionLink
                    act="end_key_limits"
                    id={grant.key.prefix}
                    version={0}
                    label="End"
                    about={`the limits of ${grant.key.name}`}
                  />
                </Cell>
              </Row>
            ))}
          </DataTable>
        )}
        <Pager label="limits" listed={listed} />
      </Card>
    </>
  )
}

function GrantForm() {
  return (
    <ContractForm title="Set custom limits for a key" labels={labels} button="Set limits" busy="Saving">
      <Field name="prefix" mono hint="Enter the key’s first 12 characters." />
      <Field
        name="burst"
        inputMode="numeric"
        hint={`At most ${grantedLimitsMax.burst}, the practice’s limit for all its keys.`}
      />
      <Field
        name="sustained"
        inputMode="numeric"
        hint={`At most ${grantedLimitsMax.sustained.toLocaleString('en-US')}.`}
      />
      <Field name="reason" hint="Stored with the limits and your name." />
    </ContractForm>
  )
}
