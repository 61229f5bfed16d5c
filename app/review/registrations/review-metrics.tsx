import type { ReviewMetrics } from '../../../server/domain/registrations/registration-types.ts'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'

/** How the service did, of the last 365 days. */
export function ReviewMetricsCard({ metrics }: { metrics: ReviewMetrics }) {
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
