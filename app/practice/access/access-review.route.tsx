import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { accessReviewForms, reviewTimes } from '../../../server/contract/forms/access-review.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { CalendarCheck } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { findStepUp } from '../../lib/step-up.server.ts'
import { runAction } from '../../lib/submission.server.ts'
import { here, page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta: MetaFunction = () => [{ title: 'Review of all access · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  return {
    practice: { slug: practice.slug, name: practice.name },
    review: await args.context.services.accessReview.read(practice.id, actor),
    stepUp: findStepUp(args, session),
    onceKey: randomUUID(),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  return runAction(
    args,
    accessReviewForms,
    {
      sign: (input) => args.context.services.accessReview.sign({ practiceId: practice.id, ...input }, actor),
    },
    { to: () => ({ path: here(args.request), done: 'access_reviewed' }), session, fieldsMax: 5_010 },
  )
})

const kindLabels = { key: 'Key', other_key: 'Key', system: 'Backend system', app: 'App' } as const

export default function AccessReview() {
  const { practice, review, stepUp, onceKey } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Review of all access">
        Once a year an admin of {practice.name} decides on everything with access. Keys, systems and apps
        unused for {reviewTimes.unusedDays} days are proposed for removal.{' '}
        <Link to={`${paths.practiceRecertification}?${new URLSearchParams({ practice: practice.slug })}`}>
          Keys with a date of their own
        </Link>
      </PageHeader>
      <Refusal />
      {review.last && (
        <p>
          Last signed off by {review.last.by}, <Moment at={review.last.at} />.
          {review.nextAt && (
            <>
              {' '}
              Next due <Moment at={review.nextAt} />.
            </>
          )}
        </p>
      )}
      {review.lines.length === 0 ? (
        <EmptyState icon={CalendarCheck} title="Nothing to review">
          Keys, backend systems and apps with access to the practice are listed here.
        </EmptyState>
      ) : (
        <ActionForm
          intent="sign"
          label="Review"
          version={0}
          onceKey={onceKey}
          button="Sign off review"
          busy="Signing off"
          look="primary"
          reason="Note"
          reasonName="note"
          reasonHint="10 to 500 characters. Organizations whose access you remove get it by email."
          stepUp={{ to: stepUp, label: 'Confirm that it is you' }}
        >
          <p>Removing revokes a requested key for good. Other keys, systems and apps are stopped.</p>
          <DataTable label="Access" heads={['Name', 'Since', 'Last used', 'Classes read', 'Decision']}>
            {review.lines.map((line, at) => (
              <Row key={`${line.kind} ${line.id}`}>
                <Cell>
                  <span className="label">{line.name}</span>
                  <span className="sub">
                    {line.organizationName}, {kindLabels[line.kind].toLowerCase()}
                  </span>
                </Cell>
                <Cell label="Since">
                  <Moment at={line.since} />
                </Cell>
                <Cell label="Last used">
                  {line.lastUsedAt ? <Moment at={line.lastUsedAt} /> : 'Never'}{' '}
                  {line.unused && <Tag tone="turn">Unused</Tag>}
                </Cell>
                <Cell label="Classes read">{line.classes.join('; ') || 'None'}</Cell>
                <Cell label="Decision">
                  {(['keep', 'remove'] as const).map((decision) => (
                    <label className="check" key={decision}>
                      <input
                        type="radio"
                        name={`decision-${at}`}
                        value={`${decision} ${line.kind} ${line.id}`}
                        defaultChecked={line.unused && decision === 'remove'}
                        required
                      />
                      <span>
                        {decision === 'keep' ? 'Keep' : 'Remove'}
                        <span className="sr"> {line.name}</span>
                      </span>
                    </label>
                  ))}
                </Cell>
              </Row>
            ))}
          </DataTable>
        </ActionForm>
      )}
    </>
  )
}
