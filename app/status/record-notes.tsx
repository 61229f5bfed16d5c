import { Banner, Moment } from '../components/ui/page-parts.tsx'

interface DatabaseAwayProps {
  /** When history and incidents were read last; null: never yet. */
  recordsAt: Date | null
  /** On the page of the components: what is told of those. */
  about?: string
}

/** What a page of the status says while it cannot read: how old its records are, or that it has none. */
export function DatabaseAway({ recordsAt, about }: DatabaseAwayProps) {
  return (
    <Banner tone="bad" title="Our database is not responding.">
      {about}{' '}
      {recordsAt === null ? (
        'We can’t show history and incidents.'
      ) : (
        <>
          History and incidents are as of <Moment at={recordsAt} as="seconds" />.
        </>
      )}
    </Banner>
  )
}

/** A demonstration starts with a sample history of days and incidents. */
export function SampleHistory({ until }: { until: Date }) {
  return (
    <Banner tone="wait" title="This is a demonstration.">
      Days and incidents before <Moment at={until} /> are sample data. Everything later is measured.
    </Banner>
  )
}
