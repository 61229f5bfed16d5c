/** The status in one sentence, for the page, its feeds and its badge. */
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'

type Told = Pick<StatusSnapshot, 'platform' | 'starting' | 'reachable'>

/** In place of past incidents. What was never read is not said to be none. */
export const noPastWords = ({ recordsAt }: { recordsAt: unknown }): string =>
  recordsAt === null ? 'They could not be loaded yet.' : 'None so far.'

const uncounted = ['disabled', 'not_available']

/** Nothing was checked in the last minutes, so there is no moment of a check to tell. */
export const isUnchecked = ({ platform: { services } }: Pick<Told, 'platform'>): boolean =>
  services.every(({ status }) => status === 'not_available')

const isAllOff = ({ platform: { services } }: Pick<Told, 'platform'>): boolean =>
  services.every(({ status }) => status === 'disabled')

export function headline({ platform, starting, reachable }: Told): string {
  const { overall, services } = platform
  const counted = services.filter(({ status }) => !uncounted.includes(status))
  // Before anything of a check: nothing can be known without it.
  if (counted.length === 0 && !reachable) return 'Our database is not responding'
  if (isAllOff({ platform })) return 'All components are off on purpose'
  if (counted.length === 0) return starting ? 'The first check is running' : 'Status checks are not running'
  const troubled = counted.filter(({ status }) => status !== 'operational').length
  if (overall === 'operational') return 'All systems operational'
  if (overall === 'major_outage') return 'Major outage'
  return troubled === 1 ? 'One component has a problem' : 'Some components have problems'
}

/** What stands below the headline. */
export const leadOf = ({ platform, starting }: Told): string =>
  starting ? 'The service has just started. The first check takes a few seconds.' : platform.overallSummary

/** For the badge: two or three words. */
export function badgeWords({ platform }: Pick<Told, 'platform'>): {
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
