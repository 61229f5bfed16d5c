/** The status in one sentence, for the page, its feeds and its badge. */
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'

type StatusSource = Pick<StatusSnapshot, 'platform' | 'starting' | 'reachable'>

/** Takes the place of past incidents. If they were never loaded, it doesn't say that there are none. */
export const noPastWords = ({ recordsAt }: { recordsAt: unknown }): string =>
  recordsAt === null ? 'They could not be loaded yet.' : 'None so far.'

const uncounted = ['disabled', 'not_available']

/** Nothing was checked in the last minutes, so there is no time of a check to show. */
export const isUnchecked = ({ platform: { services } }: Pick<StatusSource, 'platform'>): boolean =>
  services.every(({ status }) => status === 'not_available')

const isAllOff = ({ platform: { services } }: Pick<StatusSource, 'platform'>): boolean =>
  services.every(({ status }) => status === 'disabled')

export function headline({ platform, starting, reachable }: StatusSource): string {
  const { overall, services } = platform
  const counted = services.filter(({ status }) => !uncounted.includes(status))
  // The database comes first: without it there are no checks.
  if (counted.length === 0 && !reachable) return 'Our database is not responding'
  if (isAllOff({ platform })) return 'All components are off on purpose'
  if (counted.length === 0) return starting ? 'The first check is running' : 'Status checks are not running'
  const troubled = counted.filter(({ status }) => status !== 'operational').length
  if (overall === 'operational') return 'All systems operational'
  if (overall === 'major_outage') return 'Major outage'
  return troubled === 1 ? 'One component has a problem' : 'Some components have problems'
}

/** The sentence below the headline. */
export const leadOf = ({ platform, starting }: StatusSource): string =>
  starting ? 'The service has just started. The first check takes a few seconds.' : platform.overallSummary

/** The badge's text, in two or three words. */
export function badgeWords({ platform }: Pick<StatusSource, 'platform'>): {
  words: string
  tone: 'ok' | 'turn' | 'bad' | 'quiet'
} {
  if (isAllOff({ platform })) return { words: 'off', tone: 'quiet' }
  if (platform.services.every(({ status }) => uncounted.includes(status)))
    return { words: 'not checked', tone: 'quiet' }
  if (platform.overall === 'operational') return { words: 'operational', tone: 'ok' }
  return platform.overall === 'degraded'
    ? { words: 'degraded', tone: 'turn' }
    : { words: 'major outage', tone: 'bad' }
}
