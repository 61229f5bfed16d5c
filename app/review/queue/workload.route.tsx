import { useLoaderData } from '@remix-run/react'
import { absenceForms } from '../../../server/contract/forms/review-desk.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { ReviewMetrics } from '../../../server/domain/registrations/registration-types.ts'
import type { AbsenceView } from '../../../server/domain/review-queue/absences.ts'
import type { ReviewerLoad } from '../../../server/domain/review-queue/workload.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Facts, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { officeDay } from './office-day.ts'
import { PromiseChart } from './promise-chart.tsx'

export const meta = () => [{ title: 'Workload · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { account, accountId } = session
  const { registrations, reviewAbsences, reviewWorkload } = args.context.services
  const [loads, weeks, absences, metrics] = await Promise.all([
    reviewWorkload.readWorkload(session),
    reviewWorkload.readPromise(session),
    reviewAbsences.listAbsences(session),
    registrations.reviews.metrics(session),
  ])
  return {
    accountId,
    isReviewer: account.staffRole === 'reviewer',
    ...{ loads, weeks, absences, metrics },
    today: reviewAbsences.officeDate(),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const actor = actorOf(args, await getSession(args, 'staff'))
  const { reviewAbsences } = args.context.services
  return runAction(
    args,
    absenceForms,
    {
      plan: ({ substitute, from, until }) =>
        reviewAbsences.planAbsence({ substituteId: substitute, fromOn: from, untilOn: until }, actor),
      cancel: (input) => reviewAbsences.cancelAbsence(input, actor),
    },
    {
      to: (intent) => ({
        path: paths.reviewWorkload,
        done: intent === 'plan' ? 'absence_planned' : 'absence_cancelled',
      }),
    },
  )
})

export default function Workload() {
  const { accountId, isReviewer, loads, weeks, absences, metrics, today, onceKey } =
    useLoaderData<typeof loader>()
  const colleagues = loads.filter(({ id }) => id !== accountId)
  return (
    <>
      <PageHeader title="Workload">
        Reviewers’ workload, and how well we keep our promise of five business days.
      </PageHeader>
      <Refusal title="Not saved." />
      <Card title="Reviewers">
        <DataTable
          label="Reviewers"
          heads={['Reviewer', 'Assigned', 'Overdue', 'Due in 48 hours', 'Decided in 30 days']}
        >
          {loads.map((load) => (
            <Reviewer key={load.id} load={load} isReader={load.id === accountId} />
          ))}
        </DataTable>
      </Card>
      <PromiseChart weeks={weeks} />
      <Card id="absences" title="Away">
        {absences.length === 0 && <p className="pad muted">No reviewer is away.</p>}
        {absences.length > 0 && (
          <DataTable label="Absences" heads={['Reviewer', 'Days', 'Substitute', 'Change']}>
            {absences.map((absence) => (
              <Absence key={absence.id} {...{ absence, onceKey }} isOwn={absence.reviewer.id === accountId} />
            ))}
          </DataTable>
        )}
      </Card>
      {isReviewer && colleagues.length > 0 && (
        <ActionForm
          version={0}
          onceKey={onceKey}
          intent="plan"
          title="Plan your absence"
          button="Save absence"
          text="On these days, your substitute gets your new requests and answers. You keep the ones you already have."
        >
          <div className="queue-filter">
            <Field type="date" name="from" label="First day" value={today} required />
            <Field type="date" name="until" label="Last day" value={today} required />
            <Select
              name="substitute"
              label="Substitute"
              options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
        </ActionForm>
      )}
      <ReviewMetricsCard metrics={metrics} />
    </>
  )
}

function Reviewer({ load, isReader }: { load: ReviewerLoad; isReader: boolean }) {
  return (
    <Row>
      <Cell>
        <b>
          {load.name}
          {isReader && ' (you)'}
        </b>
        {load.away && (
          <span className="sub">
            Away until the end of {officeDay(load.away.untilOn)}. {load.away.substitute} covers.
          </span>
        )}
      </Cell>
      <Cell label="Assigned">{load.open}</Cell>
      <Cell label="Overdue">{load.overdue > 0 ? <Tag tone="bad">{load.overdue} overdue</Tag> : 0}</Cell>
      <Cell label="Due in 48 hours">{load.dueSoon}</Cell>
      <Cell label="Decided in 30 days">{load.decided}</Cell>
    </Row>
  )
}

interface AbsenceProps {
  absence: AbsenceView
  onceKey: string
  isOwn: boolean
}

function Absence({ absence, onceKey, isOwn }: AbsenceProps) {
  return (
    <Row>
      <Cell>
        <b>{absence.reviewer.name}</b>
        {absence.isNow && <span className="sub">Away now</span>}
      </Cell>
      <Cell label="Days">
        {officeDay(absence.fromOn)} to {officeDay(absence.untilOn)}
      </Cell>
      <Cell label="Substitute">{absence.substitute.name}</Cell>
      <Cell label="Change">
        {isOwn ? (
          <ActionForm
            version={0}
            onceKey={`${onceKey}-${absence.id}`}
            intent="cancel"
            label="Cancel absence"
            row={{ name: 'id', id: absence.id }}
            button="Cancel absence"
            size="sm"
            className="row"
          />
        ) : (
          <span className="muted">{absence.reviewer.name} can change it</span>
        )}
      </Cell>
    </Row>
  )
}

/** How the service did, of the last 365 days. */
function ReviewMetricsCard({ metrics }: { metrics: ReviewMetrics }) {
  const share = metrics.needingInfo === null ? 'None yet' : `${Math.round(metrics.needingInfo * 100)} %`
  return (
    <Card id="metrics" title="Last 365 days">
      <Facts
        className="pad facts wide"
        of={{
          Open: metrics.open,
          Enabled: metrics.enabled,
          'Business days, median': metrics.medianBusinessDays ?? 'None yet',
          'Business days, 95th percentile': metrics.p95BusinessDays ?? 'None yet',
          'More information needed': share,
          'Promises missed': metrics.promiseBreaches,
          'Rules missed': metrics.ruleBreaches,
        }}
      />
    </Card>
  )
}
