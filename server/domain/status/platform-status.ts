/** The platform status object. */

import { paths } from '../../contract/portal/paths.ts'
import {
  type ComponentId,
  type ComponentState,
  components,
  overallOf,
} from '../../contract/status/components.ts'
import type { PlatformStatusObject } from '../../contract/status/records.ts'
import type { Env } from '../../env.ts'
import type { BoardRow } from './published.ts'
import type { Board } from './status-board.ts'

type Addresses = Pick<Env, 'PUBLIC_ORIGIN' | 'REST_ORIGIN' | 'FHIR_ORIGIN' | 'WATCHED_URLS'>

export function toPlatformStatus(env: Addresses, { rows, checkedAt }: Board): PlatformStatusObject {
  const hrefs = hrefsOf(env)
  return {
    checkedAt: checkedAt.toISOString(),
    overall: overallOf(rows),
    overallSummary: summaryOf(rows),
    services: rows.map(({ id, status, summary, automatic }) => ({
      id,
      name: components[id].name,
      href: hrefs[id],
      status,
      summary,
      ...(automatic !== null && { overridden: true as const, automaticStatus: automatic }),
    })),
  }
}

/** Where nobody said where something is, its row on the status page: never a page that is not it. */
function hrefsOf(env: Addresses): Record<ComponentId, string> {
  const home = `${env.PUBLIC_ORIGIN}/`
  const outside = (id: keyof Env['WATCHED_URLS']) => {
    const { [id]: url = 'off' } = env.WATCHED_URLS
    return url === 'off' ? `${env.PUBLIC_ORIGIN}${paths.status}#component-${id}` : url
  }
  return {
    academy: outside('academy'),
    demo: home,
    chartvoyant_app: outside('chartvoyant_app'),
    api: `${env.REST_ORIGIN}/api/v1`,
    mcp: `${env.REST_ORIGIN}/api/v1/mcp`,
    fhir: `${env.FHIR_ORIGIN}/r4`,
    smart: `${env.FHIR_ORIGIN}/r4`,
    ai: outside('ai'),
  }
}

const uncounted: readonly ComponentState[] = ['disabled', 'not_available']

function summaryOf(rows: readonly BoardRow[]): string {
  const counted = rows.filter(({ status }) => !uncounted.includes(status))
  if (rows.every(({ status }) => status === 'disabled')) return 'All components are off on purpose.'
  if (counted.length === 0) return 'No component was checked in the last two minutes.'
  const troubled = counted.filter(({ status }) => status !== 'operational')
  if (troubled.length === 0) return 'All checked components are operational.'
  const named = troubled.map(({ id, status }) => `${components[id].name}: ${status.replaceAll('_', ' ')}.`)
  const rest = troubled.length < counted.length ? ' All other checked components are operational.' : ''
  return `${named.join(' ')}${rest}`
}
