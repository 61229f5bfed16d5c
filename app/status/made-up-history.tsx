import { Banner } from '../components/ui/banner.tsx'
import { Moment } from '../components/ui/moment.tsx'

/** A demonstration began with days and incidents that never happened. */
export function MadeUpHistory({ until }: { until: Date }) {
  return (
    <Banner tone="wait" title="This is a demonstration.">
      Days and incidents before <Moment at={until} /> are sample data. Everything later is measured.
    </Banner>
  )
}
