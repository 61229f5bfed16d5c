import type { ReviewMetrics } from '../../../server/domain/registrations/registration-types.ts'
import { Card } from '../../components/ui/card.tsx'

/** How the service did, of the last 365 days. */
export function ReviewMetricsCard({ metrics }: { metrics: ReviewMetrics }) {
  const share = metrics.needingInfo === null ? 'None yet' : `${Math.round(metrics.needingInfo * 100)} %`
  return (
    <Card id="metrics" title="Last 365 days">
      <dl className="pad facts wide">
        <dt>Open</dt>
        <dd>{metrics.open}</dd>
        <dt>Enabled</dt>
        <dd>{metrics.enabled}</dd>
        <dt>Business days, median</dt>
        <dd>{metrics.medianBusinessDays ?? 'None yet'}</dd>
        <dt>Business days, 95 of 100</dt>
        <dd>{metrics.p95BusinessDays ?? 'None yet'}</dd>
        <dt>Asked for more</dt>
        <dd>{share}</dd>
        <dt>Promise broken</dt>
        <dd>{metrics.promiseBreaches}</dd>
        <dt>Rule broken</dt>
        <dd>{metrics.ruleBreaches}</dd>
      </dl>
    </Card>
  )
}
