import { Link, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { sponsorForms } from '../../../server/contract/forms/production-keys.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { CalendarCheck } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Card, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { findStepUp, here, page } from '../../services.server.ts'
import { levelWords } from '../../shared/keys/key-words.tsx'
import { StateTag } from '../../shared/production-keys/key-state-tag.tsx'
import { ConfirmBanner } from '../../shared/sign-in/confirm-first.tsx'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Annual review · Sandpiper' }]

const stepForms = { recertify: sponsorForms.recertify.extend({ request: z.uuid() }) }

export const loader = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    practice: { slug: practice.slug, name: practice.name },
    listed: await args.context.services.practiceConsole.keysToReview(practice.id, actor, ask),
    now: args.context.services.clock(),
    onceKey: crypto.randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args) => {
  const { actor } = await getPractice(args, ['admin'])
  const { productionKeys } = args.context.services
  return runAction(
    args,
    stepForms,
    {
      recertify: ({ request, ...input }) => productionKeys.recertify({ requestId: request, ...input }, actor),
    },
    { to: () => ({ path: here(args.request), done: 'practice_certified' }) },
  )
})

export default function AnnualReview() {
  const { practice, listed, now, onceKey, stepUp } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Annual review">
        Once a year an admin of {practice.name} confirms that each key is still needed. A key that isn’t
        confirmed is stopped 30 days after it is due. Backend systems and apps have no due date.{' '}
        <Link to={`${paths.practice}?${new URLSearchParams({ practice: practice.slug })}`}>
          Check all keys, systems and apps
        </Link>
      </PageHeader>
      <Refusal />
      {stepUp && listed.total > 0 && (
        <ConfirmBanner to={stepUp} title="Confirm your password before you confirm keys." />
      )}
      <SearchedList
        listed={listed}
        search="Key or organization"
        one="key"
        icon={CalendarCheck}
        title="No keys to review"
        empty="Keys with access to the practice are listed here, earliest due date first."
      >
        <Card id="review" title="Keys">
          <DataTable
            label="Keys to review"
            heads={['Key', 'Access', 'Last used', 'Sponsor', 'Confirm by']}
            act="Actions"
          >
            {listed.rows.map((key) => (
              <Row key={key.requestId}>
                <Cell>
                  <Link className="label" to={paths.practiceSponsorship(key.requestId)}>
                    {key.name}
                  </Link>
                  <span className="sub">{key.organizationName}</span>
                </Cell>
                <Cell label="Access">
                  {levelWords[key.level]}
                  <span className="sub">
                    <StateTag state={key.state} />
                  </span>
                </Cell>
                <Cell label="Last used">{key.lastUsedAt ? <Moment at={key.lastUsedAt} /> : 'Never'}</Cell>
                <Cell label="Sponsor">{key.sponsorName ?? 'None'}</Cell>
                <Cell label="Confirm by">
                  {key.certifyBy ? <Moment at={key.certifyBy} as="deadline" /> : 'Not due'}{' '}
                  {key.certifyBy && new Date(key.certifyBy) <= new Date(now) && (
                    <Tag tone="turn">Due now</Tag>
                  )}
                </Cell>
                <Cell className="act">
                  {!stepUp && (
                    <ActionForm
                      className="inline"
                      intent="recertify"
                      row={{ name: 'request', id: key.requestId }}
                      version={key.version}
                      onceKey={`${onceKey}-${key.requestId.slice(-6)}`}
                      size="sm"
                      button="Confirm for a year"
                      about={key.name}
                    />
                  )}
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="keys" listed={listed} />
        </Card>
      </SearchedList>
    </>
  )
}
