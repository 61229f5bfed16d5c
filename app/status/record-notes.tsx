import { Banner, Moment } from '../components/ui/page-parts.tsx'

interface DatabaseAwayProps {
  /** When history and incidents were last read; null before the first time. */
  recordsAt: Date | null
  /** The first sentence of a page that has its own. */
  about?: string
}

/** Says how old the records are, or that there are none, while they can't be read. */
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
