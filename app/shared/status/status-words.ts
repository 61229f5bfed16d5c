/** The status in one sentence, for the page, its feeds and its badge. */
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'

type Told = Pick<StatusSnapshot, 'platform' | 'starting' | 'reachable'>

/** In place of past incidents. What was never read is not said to be none. */
export const noPastWords = ({ recordsAt }: { recordsAt: unknown }): string =>
  recordsAt === null ? 'They could not be read yet.' : 'There was none so far.'

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
  if (counted.length === 0 && !reachable) return 'Our database does not answer'
  if (isAllOff({ platform })) return 'Everything is off on purpose'
  if (counted.length === 0)
    return starting ? 'The first check is on its way' : 'Nobody is checking at the moment'
  const troubled = counted.filter(({ status }) => status !== 'operational').length
  if (overall === 'operational') return 'Everything works'
  if (overall === 'major_outage') return 'A major outage'
  return troubled === 1
    ? 'One thing does not work as it should. The rest works.'
    : 'Some things do not work as they should'
}

/** What stands below the headline. */
export const leadOf = ({ platform, starting }: Told): string =>
  starting ? 'The service has just started. Its first check takes some seconds.' : platform.overallSummary

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
