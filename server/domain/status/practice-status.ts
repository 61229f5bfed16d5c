/**
 * The practice status object. It shows only the login slug, name and state of a practice, and only for production:
 * a sandbox belongs to a developer, and the canary to us.
 */
import { LRUCache } from 'lru-cache'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { asProblem, isProblem, Problem } from '../../contract/http/problems.ts'
import { paths } from '../../contract/portal/paths.ts'
import {
  type ComponentId,
  type ComponentState,
  components,
  overallOf,
  practiceChecks,
  practiceStatusOf,
} from '../../contract/status/components.ts'
import type { PlatformStatusObject, PracticeStatusObject } from '../../contract/status/records.ts'
import type { Env } from '../../env.ts'
import type { Core } from '../core.ts'
import type { Board, BoardRow, StatusBoard } from './status-board.ts'

type FoundPractice = { slug: string; name: string; state: 'active' | 'suspended' }

type Dependencies = { prisma: PrismaClient; clock: () => Date; board: StatusBoard }

const knownMax = 10_000

export function createPracticeStatus({ prisma, clock, board }: Dependencies) {
  /** Practices that were found before. Their status stays available while the database is away. */
  const known = new LRUCache<string, FoundPractice>({ max: knownMax })

  /**
   * @param id a login slug, bounded by the contract
   * @throws Problem `unavailable` while the database is away, for an id that was never looked up
   */
  return async function practiceStatus(id: string): Promise<PracticeStatusObject> {
    const [practice, now] = [await findPractice(id), clock().toISOString()]
    if (practice === null) {
      return {
        ...{ checkedAt: now, queried: id, found: false, practiceId: '', name: '', status: 'unknown' },
        summary: 'No practice has this ID.',
      }
    }
    const practiceFields = { queried: id, found: true, practiceId: practice.slug, name: practice.name }
    if (practice.state === 'suspended') {
      const summary = 'This practice is suspended. This is not a platform outage.'
      return { checkedAt: now, ...practiceFields, status: 'suspended', summary }
    }
    const state = await board.read()
    return { checkedAt: state.checkedAt.toISOString(), ...practiceFields, ...healthOf(state) }
  }

  async function findPractice(id: string): Promise<FoundPractice | null> {
    try {
      const practice = await prisma.practice.findFirst({
        where: { slug: id, environment: 'production', purpose: { not: 'canary' } },
        select: { slug: true, name: true, state: true },
      })
      if (practice === null) known.delete(id)
      else known.set(id, practice)
      return practice
    } catch (error) {
      const problem = asProblem(error)
      const earlier = known.get(id)
      if (earlier !== undefined && isProblem(problem)) return earlier
      throw isProblem(problem) ? problem : new Problem('internal', { cause: error })
    }
  }
}

const parts = [
  { words: 'Sign-in', check: practiceChecks.signIn, component: 'smart' },
  { words: 'Saving', check: practiceChecks.saving, component: 'api' },
] as const

/** An incident of sign-in or the API applies to practices, too. */
function healthOf(board: Board): Pick<PracticeStatusObject, 'status' | 'summary'> {
  const states = parts.map(({ words, check, component }) => ({
    words,
    ...(incidentStateOf(board, component) ?? board.finding(check)),
  }))
  const troubled = states.filter(({ state }) => state !== 'operational')
  return {
    status: practiceStatusOf(states.map(({ state }) => state)),
    summary:
      troubled.length === 0
        ? 'Sign-in works and records can be saved.'
        : troubled.map(({ words, summary }) => `${words}: ${summary}`).join(' '),
  }
}

function incidentStateOf(board: Board, id: ComponentId): { state: ComponentState; summary: string } | null {
  const row = board.rows.find((row) => row.id === id)
  return row && row.automatic !== null ? { state: row.status, summary: row.summary } : null
}

/**
 * The practice lookup of the status page, with the responses of the Status API. It counts against the visitor's own
 * rate limit there, because all visitors would otherwise share the server's.
 */
export type LookUp =
  | { kind: 'answered'; practice: PracticeStatusObject }
  | { kind: 'invalid'; message: string }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  /** The database is away, and this practice was not looked up before. */
  | { kind: 'unavailable' }

export async function lookUp(
  { takeStatusWindow, practiceStatus }: Core,
  id: string,
  { ip }: { ip: string },
): Promise<LookUp> {
  const decision = await takeStatusWindow(ip)
  if (!decision.admitted) return { kind: 'rate_limited', retryAfterSeconds: decision.retryAfterSeconds }
  const { length } = [...id]
  if (length === 0 || length > limits.practiceIdMax || id.includes('\0'))
    return { kind: 'invalid', message: `Enter a practice ID of 1 to ${limits.practiceIdMax} characters.` }
  try {
    return { kind: 'answered', practice: await practiceStatus(id) }
  } catch (error) {
    if (isProblem(error) && error.kind === 'unavailable') return { kind: 'unavailable' }
    throw error
  }
}

// The platform status object.

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

/** A component without a URL of its own links to its row on the status page. */
function hrefsOf(env: Addresses): Record<ComponentId, string> {
  const home = `${env.PUBLIC_ORIGIN}/`
  const externalUrl = (id: keyof Env['WATCHED_URLS']) => {
    const { [id]: url = 'off' } = env.WATCHED_URLS
    return url === 'off' ? `${env.PUBLIC_ORIGIN}${paths.status}#component-${id}` : url
  }
  return {
    academy: externalUrl('academy'),
    demo: home,
    chartvoyant_app: externalUrl('chartvoyant_app'),
    api: `${env.REST_ORIGIN}/api/v1`,
    mcp: `${env.REST_ORIGIN}/api/v1/mcp`,
    fhir: `${env.FHIR_ORIGIN}/r4`,
    smart: `${env.FHIR_ORIGIN}/r4`,
    ai: externalUrl('ai'),
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
